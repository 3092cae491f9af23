// An unknown field is rejected by name: over HTTP, at every depth, in batches, on the websocket, in
// previews, in the sandbox and on the admin plane. Nothing changes, and the signature is not even
// checked.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { newKey } from '../../src/client/key.ts'
import { apiOperations } from '../../src/gateway/routes/all-operations.ts'
import { toleratedFields } from '../../src/protocol/tolerated-fields.ts'
import { AdminClient } from '../support/http/admin-client.ts'
import { type Answer, dataOf, type Row, refused } from '../support/http/api-client.ts'
import { hostileScene, type Target } from '../support/http/hostile-scene.ts'
import { StreamClient } from '../support/streams/stream-client.ts'

const { live, victim, targets, hash } = await hostileScene()
after(() => live.close())
const { api } = live
const { exchange } = live.running

/** Rejected with 400 and that name, without effect. */
async function refusedFor(name: string, ask: () => Promise<Answer>): Promise<void> {
  const [seq, before] = [exchange.seq(), hash()]
  const says = new RegExp(`^MALFORMED_REQUEST: (\\S+[.\\]])?${name} is not a field of this request`)
  refused(await ask(), { status: 400, says })
  assert.deepEqual([exchange.seq(), hash()], [seq, before])
}

const signedBy = ({ path, type }: Target, fields: Row) =>
  api.body(victim.key, path, fields, { type })

test('an unknown field is rejected on every signed route and action', async () => {
  for (const target of targets) {
    const good = await signedBy(target, { ...target.sample, hidden: 1 })
    await refusedFor('hidden', () => target.send(good))
    // Before the signature is checked, so that any signer gets this error.
    const { signature: _, ...unsigned } = good
    await refusedFor('hidden', () => target.send({ ...unsigned, signature: 'none' }))
  }
})

test('at every depth of every body, and of the signature', async () => {
  let depths = 0
  for (const target of targets) {
    for (const [name, value] of Object.entries(target.sample)) {
      if (typeof value !== 'object' || value === null) continue
      const wrong = (each: object) => ({ ...each, trailing_share: '1' })
      const inner = Array.isArray(value) ? value.map(wrong) : wrong(value)
      const body = await signedBy(target, { ...target.sample, [name]: inner })
      await refusedFor(`trailing_share`, () => target.send(body))
      depths += 1
    }
    const body = await signedBy(target, target.sample)
    const signature = { type: 'raw', value: body.signature, trailing_share: '1' }
    await refusedFor('trailing_share', () => target.send({ ...body, signature }))
  }
  assert.ok(depths >= 4, 'levels of orders, stops and positions are in the samples')
})

test('an agent with a misspelled limit is not bound without it', async () => {
  const agent = newKey().address
  const limits = { symbols: ['BTC'], max_notional: '100', expires_at: 1 }
  for (const [name, value] of Object.entries(limits)) {
    const fields = { agent_wallet: agent, [name]: value }
    await refusedFor(name, () => api.signed(victim.key, '/agent/bind', fields))
  }
  const { agent_wallets } = dataOf(await api.signed(victim.key, '/agent/list'))
  assert.ok(!(agent_wallets as string[]).includes(agent))
})

test('a batch is checked as a whole: itself, its actions and their fields', async () => {
  const data = await api.body(
    victim.key,
    '/orders/cancel',
    { symbol: 'BTC', order_id: victim.orderId },
    { type: 'cancel_order' },
  )
  const action = { type: 'Cancel', data }
  const path = '/orders/batch'
  await refusedFor('atomic', () => api.post(path, { actions: [action], atomic: true }))
  await refusedFor('if_filled', () => api.post(path, { actions: [{ ...action, if_filled: 1 }] }))
  const answer = await api.post(path, {
    actions: [action, { ...action, data: { ...data, hidden: 1 } }],
  })
  refused(answer, { status: 400, says: /: actions\[1\]\.data\.hidden is not a field/ })
})

test('the websocket rejects it with the request’s id', async () => {
  const client = await StreamClient.open(`${live.url.replace('http', 'ws')}/ws`)
  const order = { symbol: 'BTC', side: 'bid', price: '90000', amount: '0.01', tif: 'GTC' }
  const fields = { ...order, reduce_only: false, display_amount: '0.001' }
  const body = await api.body(victim.key, '/orders/create', fields)
  const seq = exchange.seq()
  const id = randomUUID()
  const reply = await client.ask({ id, params: { create_order: body } })
  assert.deepEqual([reply.id, reply.code, reply.type], [id, 400, 'create_order'])
  assert.match(String(reply.err), /^MALFORMED_REQUEST: display_amount is not a field/)
  const batch = { actions: [{ type: 'Create', data: body }] }
  const batched = await client.ask({ id, params: { batch_orders: batch } })
  assert.match(String(batched.err), /actions\[0\]\.data\.display_amount is not a field/)
  assert.equal(exchange.seq(), seq)
  await client.close()
})

const preview = (fields: Row) => {
  const order = { symbol: 'BTC', side: 'bid', price: '90000', amount: '0.01', tif: 'GTC' }
  return api.post('/orders/preview', { account: victim.key.address, ...order, ...fields })
}

test('a preview rejects the same fields as the order', async () => {
  await refusedFor('hidden', () => preview({ hidden: true }))
  const take_profit = { stop_price: '130000', trailing_share: '1' }
  await refusedFor('trailing_share', () => preview({ take_profit }))
  const order = { symbol: 'BTC', side: 'bid', price: '90000', amount: '0.01', tif: 'GTC' }
  const fields = { ...order, reduce_only: false, builder_code: 'desk' }
  const signed = await api.body(victim.key, '/orders/create', fields, { agent: victim.agent })
  assert.equal(dataOf(await api.post('/orders/preview', signed)).accepted, true)
})

test('the sandbox and the admin plane reject it too', async () => {
  const account = victim.key.address
  await refusedFor('memo', () => live.sandbox('faucet', { account, amount: '1', memo: 'x' }))
  await refusedFor('atomic', () => live.sandbox('snapshot', { atomic: true }))
  const admin = new AdminClient(live)
  await refusedFor('until', () =>
    admin.post('/accounts/freeze', { account, frozen: true, until: 1 }),
  )
  await refusedFor('max_levrage', () =>
    admin.post('/markets/change', { symbol: 'BTC', change: { max_levrage: 5 } }),
  )
  const price = { symbol: 'BTC', price: '1', confidence: '1' }
  await refusedFor('confidence', () => admin.post('/prices', { prices: [price] }))
})

test('a null field counts as absent, whatever its name, and is still signed', async () => {
  const order = { symbol: 'BTC', side: 'bid', price: '90000', amount: '0.01', tif: 'GTC' }
  const fields = { ...order, reduce_only: false, hidden: null, take_profit: null }
  const signed = await api.body(victim.key, '/orders/create', fields)
  dataOf(await api.post('/orders/create', signed))
  const { hidden: _, ...rest } = await api.body(victim.key, '/orders/create', fields)
  const unsigned = await api.post('/orders/create', rest)
  refused(unsigned, { status: 400, says: /^INVALID_SIGNATURE: .*"reduce_only":false,"side"/ })
  const lacking = await api.signed(victim.key, '/orders/create', { ...fields, tif: null })
  refused(lacking, { status: 400, says: /: the request lacks tif$/ })
})

test('a rejected name is quoted without words that select an error class', async () => {
  for (const [name, quoted] of [
    ['UNKNOWN', 'unknown'],
    ['xORDER_NOT_FOUND', 'xorder_not_found'],
    ['Verification failed', 'Verification\\?failed'],
    ['stopPriceUSD', 'stopPriceUSD'],
    ['x'.repeat(5_000), `${'x'.repeat(64)}…`],
  ] as const) {
    const body = await api.body(victim.key, '/orders/cancel', { symbol: 'BTC', [name]: 1 })
    await refusedFor(quoted, () => api.post('/orders/cancel', body))
  }
})

test('a builder code is accepted with every signed request, and must verify', async () => {
  const { id } = dataOf(await live.sandbox('snapshot', {}))
  for (const target of targets) {
    const body = await signedBy(target, { ...target.sample, builder_code: 'SDK' })
    const { status, text } = await target.send({ ...body, builder_code: 'CCXT' })
    assert.equal(status, 400, text)
    assert.match(text, /INVALID_SIGNATURE/)
    const answer = await target.send(body)
    assert.equal(answer.status, 200, `${target.name}: ${answer.text}`)
    dataOf(await live.sandbox('revert', { id }))
  }
})

test('a client id next to the levels is that of the only one', async () => {
  const path = '/positions/tpsl'
  const both = { take_profit: { stop_price: '130000' }, stop_loss: { stop_price: '90000' } }
  const base = { symbol: 'BTC', side: 'ask' }
  const says = /^MALFORMED_REQUEST: client_order_id outside the levels needs exactly one level/
  const bad: readonly Row[] = [
    both,
    {},
    { take_profit: null },
    { take_profit: { stop_price: '130000', client_order_id: randomUUID() } },
  ]
  for (const levels of bad) {
    const fields = { ...base, ...levels, client_order_id: randomUUID() }
    refused(await api.signed(victim.key, path, fields), { status: 400, says })
  }
  const data = await api.body(victim.key, path, { ...base, ...both, client_order_id: randomUUID() })
  const batch = await api.post('/orders/batch', { actions: [{ type: 'SetPositionTpsl', data }] })
  refused(batch, { status: 400, says: /: actions\[0\]\.data: client_order_id outside/ })
  const client_order_id = randomUUID()
  const fields = { ...base, stop_loss: both.stop_loss, take_profit: null, client_order_id }
  const answer = await api.signed(victim.key, path, fields)
  assert.equal(answer.text, '{"success":true}')
  const orders = dataOf<Row[]>(await api.get('/orders', { account: victim.key.address }))
  const level = orders.find((row) => row.client_order_id === client_order_id)
  assert.deepEqual([level?.order_type, level?.stop_price], ['stop_loss_market', '90000'])
})

test('the documents close every body, and name the tolerated fields', async () => {
  const text = async (path: string) => (await fetch(`${live.url}${path}`)).text()
  const { paths } = JSON.parse(await text('/openapi.json')) as {
    paths: Record<string, Record<string, { requestBody?: unknown }>>
  }
  for (const { name, http } of apiOperations('sandbox')) {
    if (http.startsWith('GET')) continue
    const { requestBody } = paths[`/api/v1${http.slice(5)}`]!.post!
    const open = JSON.stringify(requestBody).match(/"type":"object"/g) ?? []
    const closed = JSON.stringify(requestBody).match(/"additionalProperties":(false|true)/g) ?? []
    assert.ok(open.length > 0, name)
    assert.equal(closed.length, open.length, name)
    for (const { field, of, sentBy } of toleratedFields)
      if (of.some((each) => each === name))
        assert.ok(
          JSON.stringify(requestBody).includes(`Accepted from ${sentBy}`),
          `${name} ${field}`,
        )
  }
  const frames = await text('/asyncapi.json')
  assert.match(frames, /"create_order":\{[^§]*"additionalProperties":false/)
})
