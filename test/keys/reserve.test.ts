// Requests that are accepted although the key is invalid or all credits are spent, on every path
// into the exchange: both ports, the mount for existing clients and the websocket, on one process
// and behind a gateway. Only the reserve of cancels is left to pay for them.

import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { type Key, newKey } from '../../src/client/key.ts'
import { signedBody } from '../../src/client/signed-body.ts'
import { signingText } from '../../src/protocol/signing-text.ts'
import type { SigningType } from '../../src/protocol/signing-types.ts'
import { dataOf, freshTimestamp, type HeaderFields, type Row } from '../support/http/api-client.ts'
import { type Live, liveExchange, tokenFlags, tokenHeader } from '../support/http/live-exchange.ts'
import { StreamClient } from '../support/streams/stream-client.ts'

const limits = ['--rate-limit', 'on', '--credits', '20', '--trusted-proxies', '127.0.0.1']
const flags = ['--past-minutes', '0', '--compat-port', '0', ...limits, ...tokenFlags]
const unknownKey = 'AAAAAAAA_BBBBBBBBBBBBBBBBBBBBBB'
const [price, stopPrice] = ['100000', '60000']

let lastHost = 0
const visitor = (): HeaderFields => ({ 'x-forwarded-for': `203.0.113.${++lastHost}` })

/** Bodies that set a stop-loss. */
type Bodies = Readonly<Record<string, (key: Key, agent: Key) => Promise<Row>>>

const levels = { symbol: 'BTC', side: 'ask', stop_loss: { stop_price: stopPrice } }
const header = (type: SigningType) => ({ type, timestamp: freshTimestamp() })
const inTicks = (key: Key, more: Row) => {
  const stop_loss = { stop_tick_level: Number(stopPrice) }
  return { user: key.address, symbol: 'BTC', side: 'bid', stop_loss, ...more }
}

const stopLosses: Bodies = {
  account: (key) => signedBody(key, levels, header('set_position_tpsl')),
  agent: (key, agent) => signedBody(key, levels, { ...header('set_position_tpsl'), agent }),
  'both levels': (key) =>
    signedBody(
      key,
      { ...levels, take_profit: { stop_price: '150000' } },
      header('set_position_tpsl'),
    ),
  'and removes the take-profit': (key) =>
    signedBody(key, { ...levels, take_profit: null }, header('set_position_tpsl')),
  user: async (key) => {
    const body = inTicks(key, { timestamp: freshTimestamp() })
    return { ...body, signature: await key.sign(signingText('set_position_tpsl', body)) }
  },
}

const order = { symbol: 'BTC', price: '20000', amount: '0.01', side: 'bid', reduce_only: false }

/** An account with a position, an agent and a revoked key, and with its own reserve. */
async function exposed({ api }: Live) {
  const sandbox = async (route: string, body: Row) =>
    dataOf(await api.post(`/sandbox/${route}`, body, { ...visitor(), ...tokenHeader }))
  const send = async (key: Key, path: string, fields: Row) =>
    (await api.signed(key, path, fields, { headers: visitor() })).body.data as Row
  const [alice, maker, agent] = [newKey(), newKey(), newKey()]
  await sandbox('oracle', { symbol: 'BTC', price })
  for (const { address: account } of [alice, maker])
    await sandbox('faucet', { account, amount: '100000' })
  await send(alice, '/agent/bind', { agent_wallet: agent.address })
  await send(maker, '/orders/create', { ...order, price, side: 'ask', tif: 'ALO' })
  await send(alice, '/orders/create', { ...order, price, tif: 'GTC' })
  await sandbox('clock', { advance_ms: 1_000 })
  const { api_key: revoked } = await send(alice, '/account/api_keys/create', {})
  await send(alice, '/account/api_keys/revoke', { api_key: revoked })
  const spent = async () => {
    const from = visitor()
    while ((await api.get('/time', {}, from)).status === 200);
    return from
  }
  const cancel = async () => {
    const { order_id } = await send(alice, '/orders/create', { ...order, tif: 'ALO' })
    return signedBody(alice, { symbol: 'BTC', order_id }, header('cancel_order'))
  }
  const keyed = (name: string, key: unknown) => ({ [name]: `${key}` })
  const callers = async (): Promise<HeaderFields[]> => [
    await spent(),
    { ...visitor(), ...keyed('SVC-API-KEY', unknownKey) },
    { ...visitor(), ...keyed('SVC-API-KEY', revoked) },
    { ...(await spent()), ...keyed('PF-API-KEY', revoked) },
  ]
  return { alice, agent, spent, cancel, callers }
}

async function post(url: string, body: Row, headers: HeaderFields): Promise<void> {
  const sent = { 'content-type': 'application/json', ...headers }
  const reply = await fetch(url, { method: 'POST', headers: sent, body: JSON.stringify(body) })
  const text = await reply.text()
  assert.equal(reply.status, 200, `${url} ${JSON.stringify([headers, body])}: ${text}`)
}

for (const gateways of ['0', '1'])
  suite(`with --gateways ${gateways}`, async () => {
    const live = await liveExchange([...flags, '--gateways', gateways])
    after(() => live.close())
    const { port, compatPort } = live.running
    const hosts = [`127.0.0.1:${port}`, `127.0.0.1:${compatPort}`]
    const mounts = [...hosts.map((host) => `${host}/api/v1`), `${hosts[0]}/ccxt/api/v1`]

    test('cancels and stop-losses are accepted on every mount', async () => {
      for (const mount of mounts) {
        const { alice, agent, cancel, callers } = await exposed(live)
        for (const headers of await callers()) {
          for (const bodyOf of Object.values(stopLosses))
            await post(`http://${mount}/positions/tpsl`, await bodyOf(alice, agent), headers)
          await post(`http://${mount}/orders/cancel`, await cancel(), headers)
        }
      }
    })

    test('and on a connection whose credits are spent', async () => {
      for (const host of hosts) {
        const { alice, agent, spent, cancel } = await exposed(live)
        const stream = await StreamClient.open(`ws://${host}/ws`, { ...(await spent()) })
        const ask = (params: Row) => stream.ask({ id: crypto.randomUUID(), params })
        const create = await signedBody(alice, { ...order, tif: 'ALO' }, header('create_order'))
        assert.equal((await ask({ create_order: create })).code, 429)
        for (const [name, bodyOf] of Object.entries(stopLosses)) {
          const reply = await ask({ set_position_tpsl: await bodyOf(alice, agent) })
          assert.equal(reply.code, 200, `${name}: ${JSON.stringify(reply)}`)
        }
        assert.equal((await ask({ cancel_order: await cancel() })).code, 200)
        await stream.close()
      }
    })
  })
