// The same as reply-first.test.ts with a gateway: in the process that took the request, the reply
// is written before the frames of the account, although both come from the leader.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Client } from '../../src/client/client.ts'
import { until } from '../support/http/held-sockets.ts'
import { ChildExchange } from '../support/running/child-exchange.ts'
import { keyNamed } from '../support/streams/live-exchange.ts'
import { StreamClient } from '../support/streams/stream-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'openperp-replies-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const logs = join(folder, 'logs')
mkdirSync(logs)
const preload = new URL('../support/streams/write-log-preload.js', import.meta.url)
const environment = { NODE_OPTIONS: `--import=${preload.href}`, WRITE_LOG: logs }
const rounds = 10
const perRound = 20

type Found = Readonly<{ replies: number; late: readonly number[] }>

/** Of each process. */
function found(): Found[] {
  const files = readdirSync(logs).filter((name) => name.endsWith('.json'))
  return files.map((name) => JSON.parse(readFileSync(join(logs, name), 'utf8')) as Found)
}

test('behind a gateway the reply is first too', { timeout: 300_000 }, async () => {
  const flags = ['--bots', 'off', '--verifiers', '1', '--gateways', '1']
  const child = new ChildExchange(join(folder, 'data'), flags, null, undefined, environment)
  try {
    const { port } = await child.ready
    const alice = keyNamed(1)
    const client = new Client({ url: `http://127.0.0.1:${port}`, signer: alice })
    await client.sandboxSetOracle({ symbol: 'BTC', price: '100000' })
    await client.sandboxFaucet({ amount: '1000000' })
    const stream = await StreamClient.open(`ws://127.0.0.1:${port}/ws`)
    await stream.subscribe('account_order_updates', { account: alice.address })
    const quote = { symbol: 'BTC', amount: '0.01', reduce_only: false, tif: 'ALO' } as const
    for (let round = 0; round < rounds; round++) {
      const place = () => client.createOrder({ ...quote, side: 'bid', price: '90000' })
      await Promise.all(Array.from({ length: perRound }, place))
      await client.cancelAllOrders({ all_symbols: true, exclude_reduce_only: false })
      await stream.settle()
    }
    await stream.close()
    const all = rounds * perRound
    // What is written from here on has every frame.
    for (const name of readdirSync(logs)) rmSync(join(logs, name), { force: true })
    await until(() => found().some(({ replies }) => replies === all))
    const serving = found().filter(({ replies }) => replies > 0)
    assert.deepEqual(serving, [{ replies: all, late: [] }])
  } finally {
    child.kill('SIGTERM')
    await child.ended
  }
})
