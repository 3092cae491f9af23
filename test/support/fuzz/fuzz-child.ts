// The exchange that is fuzzed, in a process of its own: its crash is seen as one, and its memory
// can be measured after a collection. Says its ports to its parent, and its memory when asked.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pino } from 'pino'
import { readConfig } from '../../../src/config.ts'
import { runExchange } from '../../../src/main/running-exchange.ts'
import { adminScopes } from '../../../src/protocol/admin-scopes.ts'

const [data, token] = process.argv.slice(2) as [string, string]
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const places = ['--port=0', '--admin-port=0', '--compat-port=off', '--data', data]
const flags = ['--bots', 'off', '--log-level', 'error', '--snapshot-commands', '5000']
const config = readConfig([...places, ...flags], {}, data)
const running = await runExchange({
  config,
  tokens: [{ name: 'fuzz', token, scopes: adminScopes, weight: 1 }],
  log: pino({ level: 'error' }, pino.destination(2)),
  onFatal(error) {
    console.error(error)
    process.exit(1)
  },
})

process.on('message', () => {
  collect()
  collect()
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage()
  process.send!({ rss, heap: heapUsed + arrayBuffers })
})
process.on('disconnect', () => process.exit(0))
process.send!({ port: running.port, adminPort: running.adminPort })
