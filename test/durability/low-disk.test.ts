import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { freeBytesMin } from '../../src/journal/disk-space.ts'
import { runExchange } from '../../src/main/running-exchange.ts'
import { Random } from '../programs/differential/random.ts'
import { Client, drawnKey, Ticker } from '../programs/torture/action.ts'
import { Connection, errorOf } from '../support/running/connection.ts'

const order = { symbol: 'BTC', side: 'bid', price: '100000', amount: '0.001', tif: 'GTC' }

test('when the disk is nearly full orders get 503 and cancels are accepted', async () => {
  const root = mkdtempSync(join(tmpdir(), 'openperp-low-disk-'))
  const places = ['--port=0', '--admin-port=0', '--compat-port=off', '--data', join(root, 'data')]
  const config = readConfig([...places, '--bots', 'off', '--log-level', 'silent'], {}, root)
  const faults: unknown[] = []
  const open = (free: number) =>
    runExchange({
      config,
      tokens: [],
      log: pino({ level: 'silent' }),
      onFatal: (error) => faults.push(error),
      freeBytes: async () => free,
    })
  const client = new Client(drawnKey(new Random(3)), new Ticker())
  const place = async () => {
    const fields = { ...order, reduce_only: false }
    const action = await client.sign('/orders/create', 'create_order', fields)
    await client.send(action)
    return action.reply!
  }

  let running = await open(10 * freeBytesMin)
  client.connection = new Connection(running.port)
  const { address: account } = client.key
  await client.connection.post('/api/v1/sandbox/faucet', { account, amount: '100000' })
  const { order_id } = ((await place()).body as { data: { order_id: number } }).data
  client.connection.close()
  await running.close()

  running = await open(freeBytesMin - 1)
  client.connection = new Connection(running.port)
  const refused = await place()
  assert.equal(refused.status, 503)
  assert.match(errorOf(refused), /^NOT_READY: the disk/)
  assert.equal((await client.connection.get('/ready')).status, 503)
  // Cancels are accepted, so clients should send them here.
  assert.equal((await client.connection.get('/serving')).status, 200)
  const fields = { symbol: 'BTC', order_id }
  const cancel = await client.sign('/orders/cancel', 'cancel_order', fields)
  await client.send(cancel)
  assert.deepEqual(cancel.reply!.body, { success: true })
  client.connection.close()
  await running.close()
  assert.deepEqual(faults, [])
  rmSync(root, { recursive: true, force: true })
})
