// docs/api/other-clients.md, executed: its addresses, its request, and a client that signs as
// hummingbot and the SDKs do, with an agent's key and a builder code.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { type Key, newKey } from '../../src/client/key.ts'
import { readConfig } from '../../src/config.ts'
import { dataOf, freshTimestamp, type Row } from '../support/http/api-client.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'
import { StreamClient } from '../support/streams/stream-client.ts'

const live = await frozenSandbox(['--compat-port', '0'])
after(() => live.close())
const page = readFileSync(new URL('../../../docs/api/other-clients.md', import.meta.url), 'utf8')
const root = `http://127.0.0.1:${live.running.compatPort}`

/** An address of the page, at the exchange of this test. */
function here(address: string): string {
  const { port, compatPort } = readConfig([], {}, '/')
  return address
    .replace(`127.0.0.1:${compatPort}`, `127.0.0.1:${live.running.compatPort}`)
    .replace(`127.0.0.1:${port}`, `127.0.0.1:${live.running.port}`)
}

test('every address of the page is served', async () => {
  const addresses = [...new Set(page.match(/(https?|ws):\/\/127\.0\.0\.1:\d+[\w/]*/g))]
  assert.ok(addresses.length >= 5)
  for (const address of addresses) {
    if (address.startsWith('ws:')) {
      const stream = await StreamClient.open(here(address))
      assert.deepEqual(await stream.ask({ method: 'ping' }), { channel: 'pong' })
      await stream.close()
    } else if (/\/api\/v1$/.test(address)) {
      assert.equal((await fetch(`${here(address)}/info`)).status, 200, address)
    } else if (!address.includes('sandbox')) {
      assert.equal((await fetch(`${here(address)}/api/v1/info`)).status, 200, address)
    }
  }
})

test('the request of the page funds an account', async () => {
  const [, url, body] = /curl -X POST (\S+)[\s\S]*?-d '([^']+)'/.exec(page)!
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(here(url!), { method: 'POST', headers, body: body! })
  assert.equal(((await reply.json()) as Row).success, true)
})

/** The text is built here from the documented rule alone: keys sorted at every depth, no spaces. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]))
}

type Desk = Readonly<{ account: string; agent: Key }>

async function sendSigned(desk: Desk, path: string, type: string, data: Row): Promise<Row> {
  const header = { timestamp: freshTimestamp(), expiry_window: 5_000, type }
  const signature = await desk.agent.sign(JSON.stringify(sorted({ ...header, data })))
  const { timestamp, expiry_window } = header
  const who = { account: desk.account, agent_wallet: desk.agent.address, signature }
  const body = JSON.stringify({ ...who, timestamp, expiry_window, ...data })
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${root}/api/v1${path}`, { method: 'POST', headers, body })
  return (await reply.json()) as Row
}

const read = async (path: string): Promise<Row> =>
  (await (await fetch(`${root}/api/v1${path}`)).json()) as Row

test('a client like hummingbot trades by its agent, from its key to its history', async () => {
  await live.price('BTC', '100000')
  const owner = await live.trader()
  const agent = newKey()
  dataOf(await live.api.signed(owner, '/agent/bind', { agent_wallet: agent.address }))
  const desk = { account: owner.address, agent }
  const keys = (await sendSigned(desk, '/account/api_keys', 'list_api_keys', {})).data as Row
  assert.deepEqual([keys.active_api_keys, keys.api_key_limit], [[], 5])
  const made = (await sendSigned(desk, '/account/api_keys/create', 'create_api_key', {}))
    .data as Row
  const again = (await sendSigned(desk, '/account/api_keys', 'list_api_keys', {})).data as Row
  assert.deepEqual(again.active_api_keys, [made.api_key])

  const stream = await StreamClient.open(`${root.replace('http', 'ws')}/ws`, {
    'PF-API-KEY': String(made.api_key),
  })
  await stream.subscribe('account_order_updates', { account: desk.account })
  const update = stream.nextOf('account_order_updates')
  const order = { symbol: 'BTC', side: 'bid', amount: '0.01', price: '99000', tif: 'ALO' }
  const fields = { ...order, reduce_only: false, builder_code: 'hummingbot' }
  const placed = await sendSigned(desk, '/orders/create', 'create_order', fields)
  const { order_id } = placed.data as Row
  assert.equal(((await update).data as Row[])[0]!.i, order_id)
  const account = (await read(`/account?account=${desk.account}`)).data as Row
  assert.deepEqual([account.orders_count, account.spot_balances], [1, []])
  assert.deepEqual((await read(`/positions?account=${desk.account}`)).data, [])
  const cancel = { symbol: 'BTC', order_id }
  assert.equal((await sendSigned(desk, '/orders/cancel', 'cancel_order', cancel)).success, true)
  const missed = await sendSigned(desk, '/orders/cancel', 'cancel_order', cancel)
  assert.deepEqual([missed.success, missed.code], [false, 6])
  const history = (await read(`/orders/history_by_id?order_id=${order_id}`)).data as Row[]
  assert.equal(history[0]!.order_status, 'cancelled')
  const nowhere = await read('/orders/history_by_id?order_id=999999')
  assert.ok(String(nowhere.error).includes('not found'))
  await stream.close()
})
