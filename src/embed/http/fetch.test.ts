import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createExchange } from '../embed.ts'

const json = { 'content-type': 'application/json' }
const info = 'http://openperp.localhost/api/v1/info'

function withBtc(verify = false) {
  return createExchange({ markets: ['BTC'], prices: 'held', verify })
}

test('the reply is a Response in every respect that a client uses', async () => {
  const exchange = withBtc()
  const response = await exchange.fetch(info)
  assert.ok(response instanceof Response)
  assert.deepEqual(
    [response.status, response.statusText, response.ok, response.url, response.redirected],
    [200, 'OK', true, info, false],
  )
  assert.equal(response.headers.get('Content-Type'), 'application/json; charset=utf-8')
  assert.equal(response.headers.get('x-request-id'), 'embedded-1')
  const copies = [response.clone(), response.clone(), response.clone(), response.clone()]
  const text = await response.text()
  assert.equal(response.headers.get('content-length'), String(Buffer.byteLength(text)))
  assert.deepEqual(await copies[0]!.json(), JSON.parse(text))
  assert.equal(new TextDecoder().decode(await copies[1]!.arrayBuffer()), text)
  assert.equal(await (await copies[2]!.blob()).text(), text)
  const chunks: Uint8Array[] = []
  for await (const chunk of copies[3]!.body!) chunks.push(chunk as Uint8Array)
  assert.equal(Buffer.concat(chunks).toString(), text)
  assert.equal(copies[3]!.bodyUsed, true)
})

test('a body is read once', async () => {
  const exchange = withBtc()
  const response = await exchange.fetch(info)
  assert.equal(response.bodyUsed, false)
  await response.json()
  assert.equal(response.bodyUsed, true)
  await assert.rejects(response.text(), TypeError)
  assert.throws(() => response.clone(), TypeError)
  const streamed = await exchange.fetch(info)
  const reader = streamed.body!.getReader()
  await assert.rejects(streamed.text(), TypeError)
  reader.releaseLock()
})

test('a request may have any form that fetch accepts', async () => {
  const exchange = withBtc()
  const { address } = exchange.trader('alice')
  const order = { account: address, symbol: 'BTC', side: 'bid', amount: '0.01' }
  const body = JSON.stringify({ ...order, price: '90000', tif: 'GTC', reduce_only: false })
  const url = `${exchange.url}/api/v1/orders/create`
  const forms: readonly (readonly [string | URL | Request, RequestInit?])[] = [
    [url, { method: 'POST', headers: json, body }],
    [new URL(url), { method: 'post', headers: new Headers(json), body }],
    ['/api/v1/orders/create', { method: 'POST', headers: Object.entries(json), body }],
    [new Request(url, { method: 'POST', headers: json, body })],
    [url, { method: 'POST', headers: json, body: new TextEncoder().encode(body) }],
    [url, { method: 'POST', headers: json, body: new Blob([body]) }],
    [url, { method: 'POST', headers: json, body: new Blob([body]).stream() }],
    [`${url}#fragment`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }],
    [url.replace('openperp', 'OPENPERP'), { method: 'POST', headers: json, body }],
  ]
  for (const [input, init] of forms) {
    const response = await exchange.fetch(input, init)
    assert.equal(response.status, 200, await response.clone().text())
  }
  assert.equal(exchange.trader('alice').orders().length, forms.length)
})

test('an abort is reported as by fetch', async () => {
  const exchange = withBtc()
  const reason = new Error('enough')
  await assert.rejects(exchange.fetch(info, { signal: AbortSignal.abort(reason) }), reason)
  await assert.rejects(exchange.fetch(info, { signal: AbortSignal.abort() }), {
    name: 'AbortError',
  })
  const under = new AbortController()
  const answer = exchange.fetch(info, { signal: under.signal })
  under.abort()
  await assert.rejects(answer, { name: 'AbortError' })
  const later = new AbortController()
  const response = await exchange.fetch(new Request(info, { signal: later.signal }))
  later.abort()
  assert.equal(((await response.json()) as { success: boolean }).success, true)
})

test('only the exchange can be requested', async () => {
  const exchange = withBtc()
  await assert.rejects(exchange.fetch('https://example.org/api'), (error: TypeError) => {
    assert.equal(error.message, 'fetch failed')
    assert.match(String(error.cause), /example\.org is not the embedded exchange/)
    return true
  })
  await assert.rejects(exchange.fetch('not a url'), /Failed to parse URL/)
  await assert.rejects(exchange.fetch(info, { body: 'a GET has none' }), TypeError)
})

test('without verification a body is trusted, and an agent still needs its rights', async () => {
  const exchange = withBtc()
  const post = async (path: string, fields: object) => {
    const body = JSON.stringify(fields)
    const response = await exchange.fetch(`/api/v1${path}`, { method: 'POST', headers: json, body })
    return [response.status, (await response.json()) as Record<string, unknown>] as const
  }
  const { address: account } = exchange.trader('alice')
  const { address: agent_wallet } = exchange.key('agent')
  const order = { account, symbol: 'BTC', side: 'bid', price: '90000', amount: '0.01' }
  const create = { ...order, tif: 'GTC', reduce_only: false }
  for (let time = 0; time < 3; time++) assert.equal((await post('/orders/create', create))[0], 200)
  assert.equal((await post('/orders/create', { ...create, agent_wallet }))[0], 400)
  assert.equal((await post('/agent/bind', { account, agent_wallet }))[0], 200)
  for (let time = 0; time < 3; time++)
    assert.equal((await post('/orders/create', { ...create, agent_wallet }))[0], 200)
  const action = { type: 'Create', data: { ...create, agent_wallet } }
  const [batchStatus, batch] = await post('/orders/batch', { actions: [action, action, action] })
  assert.equal(batchStatus, 200, JSON.stringify(batch))
  assert.deepEqual(
    (batch.data as { results: { success: boolean }[] }).results.map(({ success }) => success),
    [true, true, true],
    JSON.stringify(batch),
  )
  const [status, refused] = await post('/account/withdraw', { account, agent_wallet, amount: '5' })
  assert.equal(status, 403)
  assert.match(String(refused.error), /^AGENT_FORBIDDEN: /)
  assert.match(
    String((await post('/orders/create', { ...create, account: 7 }))[1].error),
    /account/,
  )
  const lacking = await post('/orders/create', { ...create, account: undefined })
  assert.match(String(lacking[1].error), /account is missing/)
})

test('with verification a signature is required, as in a service', async () => {
  const exchange = withBtc(true)
  const client = await exchange.client('alice')
  const order = {
    symbol: 'BTC',
    side: 'bid',
    amount: '0.01',
    tif: 'GTC',
    reduce_only: false,
  } as const
  assert.equal((await client.createOrder({ ...order, price: '90000' })).order_status, 'open')
  const stranger = await exchange.client('bob', { account: client.account ?? '' })
  await assert.rejects(stranger.createOrder({ ...order, price: '90000' }), Error)
  const { body } = { body: await client.body('create_order', { ...order, price: '90001' }) }
  const forged = JSON.stringify({ ...body, price: '90002' })
  const init = { method: 'POST', headers: json, body: forged }
  const answer = await (await exchange.fetch('/api/v1/orders/create', init)).json()
  assert.match(
    String((answer as { error: string }).error),
    /^INVALID_SIGNATURE: Verification failed/,
  )
  await exchange.close()
})

test('reads of discarded history fail, and reads of the present do not', async () => {
  const exchange = createExchange({ markets: ['BTC'], verify: false, historyMax: 0 })
  const { address } = exchange.trader('alice')
  const history = await exchange.fetch(`/api/v1/trades/history?account=${address}`)
  assert.equal(history.status, 404)
  assert.match(await history.text(), /kept up to 0 commands \(historyMax\)/)
  assert.equal((await exchange.fetch(`/api/v1/positions?account=${address}`)).status, 200)
})
