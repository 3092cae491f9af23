// The exchange that is fuzzed, in its own process: a crash is visible, and memory can be measured
// after a collection. Reports its ports to its parent, and its memory on request.

import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pino } from 'pino'
import { readConfig } from '../../../src/config.ts'
import { runExchange } from '../../../src/main/running-exchange.ts'
import { adminScopes } from '../../../src/protocol/admin/admin-row.ts'
import type { Memory } from './fuzz-run.ts'

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

/** V8 gives what it has collected back to the system by and by, in threads of its own: just after a
 *  collection as much is resident as before it. And soon after it there is new garbage. */
async function memoryNow(): Promise<Memory> {
  let before = Number.POSITIVE_INFINITY
  for (let tries = 0; ; tries++) {
    collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    await sleep(200)
    const { rss } = process.memoryUsage()
    if (rss > before * 0.99 || tries === 20) return { rss, heap: heapUsed + arrayBuffers }
    before = rss
  }
}

process.on('message', async () => process.send!(await memoryNow()))
process.on('disconnect', () => process.exit(0))
process.send!({ port: running.port, adminPort: running.adminPort })
