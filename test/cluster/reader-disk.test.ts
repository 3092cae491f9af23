// A reader whose disk fills up still serves, but clients are not sent to it.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { freeBytesMin } from '../../src/journal/disk-space.ts'
import { runExchange } from '../../src/main/running-exchange.ts'
import { until } from '../support/http/held-sockets.ts'
import { sharedDatabases, sharedFolder, test } from '../support/postgres/database-tests.ts'
import { ExchangeNode } from '../support/running/exchange-node.ts'
import { asReader, tradesFor } from '../support/running/link-flags.ts'

const databases = sharedDatabases()
const root = sharedFolder('reader-disk')

test('no client is sent to a reader whose disk is nearly full', async () => {
  const url = await databases.empty()
  const one = new ExchangeNode('one', root)
  one.start(url, undefined, tradesFor('eyes'))
  await one.leads()
  await one.prepare()
  const ports = ['--port', '0', '--admin-port', '0', '--compat-port', 'off']
  const node = ['--cluster', url, '--node', 'eyes', ...asReader]
  const flags = [...ports, ...node, '--data', join(root, 'eyes'), '--lease-ms', '60000']
  let free = 10 * freeBytesMin
  const { close, port } = await runExchange({
    config: readConfig(flags, {}, root),
    tokens: [],
    log: pino({ level: 'silent' }),
    onFatal: (error) => assert.fail(error as Error),
    freeBytes: async () => free,
  })
  try {
    const serving = async () => {
      const reply = await fetch(`http://127.0.0.1:${port}/serving`)
      return [reply.status, await reply.text()] as const
    }
    await until(async () => (await serving())[0] === 200)
    free = freeBytesMin - 1
    await until(async () => {
      const [status, text] = await serving()
      return status === 503 && text.includes('disk_full')
    })
    free = 10 * freeBytesMin
    await until(async () => (await serving())[0] === 200)
  } finally {
    await close()
    one.process.kill('SIGKILL')
  }
})
