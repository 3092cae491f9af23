// The HTTP layer around the operations: origins, hosts, methods, sizes, second mount, probes.

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { adminOperations } from '../../src/gateway/admin/admin-operations.ts'
import { dataOf, type Row, refused } from '../support/http/api-client.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'
import { type RawOptions, rawRequest } from '../support/http/raw-request.ts'

const live = await frozenSandbox(['--allowed-hosts', 'trade.example', '--allowed-origins', '*'])
after(() => live.close())
const { api } = live
const foreign = { origin: 'https://page.example' }
const json = { 'content-type': 'application/json' }
const at = (path: string, options: RawOptions = {}) => rawRequest(`${live.url}${path}`, options)
const corsOf = (headers: Row) => headers['access-control-allow-origin']

test('with allowedOrigins * any page may read and send signed requests', async () => {
  const read = await at('/api/v1/info', { headers: foreign })
  assert.deepEqual([read.status, corsOf(read.headers)], [200, '*'])
  assert.match(String(read.headers['access-control-expose-headers']), /ratelimit.*retry-after/)
  const body = '{}'
  const signed = await at('/api/v1/orders/cancel', {
    method: 'POST',
    headers: { ...foreign, ...json },
    body,
  })
  assert.deepEqual([signed.status, corsOf(signed.headers)], [400, '*'])
  for (const path of ['/api/v1/orders/cancel', '/api/v1/positions', '/ccxt/api/v1/orders/create']) {
    const asks = { ...foreign, 'access-control-request-method': 'POST' }
    const headers = { ...asks, 'access-control-request-headers': 'content-type,svc-api-key' }
    const answer = await at(path, { method: 'OPTIONS', headers })
    assert.deepEqual([answer.status, corsOf(answer.headers), answer.text], [204, '*', ''])
    const allowed = String(answer.headers['access-control-allow-headers']).split(', ')
    for (const name of ['content-type', 'svc-api-key', 'pf-api-key'])
      assert.ok(allowed.includes(name), name)
    assert.equal(answer.headers['access-control-allow-methods'], 'GET, POST')
  }
  assert.equal((await at('/api/v1/nowhere', { method: 'OPTIONS' })).status, 404)
})

const sandboxPaths = [
  '/api/v1/sandbox/clock',
  '/ccxt/api/v1/sandbox/clock',
  '/api/v1/%73andbox/clock',
]

test('sandbox routes reject a foreign host or page, and no page can read them', async () => {
  const own = `127.0.0.1:${live.running.port}`
  for (const path of sandboxPaths) {
    for (const headers of [
      { host: 'evil.example' },
      { host: `evil.example:${live.running.port}` },
      { host: '127.0.0.1.evil.example' },
      foreign,
      { origin: 'null' },
      // Another port of this machine is another origin.
      { host: own, origin: 'http://127.0.0.1' },
      { host: own, origin: `http://127.0.0.1:${live.running.adminPort}` },
      { host: 'localhost', origin: 'http://localhost:3000' },
      { host: 'localhost:443', origin: 'http://localhost' },
      { host: own, origin: own },
      { host: 'trade.example', ...foreign },
    ]) {
      const answer = await at(path, { headers })
      assert.equal(answer.status, 403, JSON.stringify(headers))
      assert.match(answer.text, /HOST_REFUSED: this route is (served to this machine|not served)/)
      assert.equal(corsOf(answer.headers), undefined)
      const body = '{"freeze":true}'
      const post = await at(path, { method: 'POST', headers: { ...json, ...headers }, body })
      assert.deepEqual([post.status, corsOf(post.headers)], [403, undefined])
    }
    for (const headers of [
      {},
      { host: own, origin: `http://${own}` },
      { host: 'localhost:80', origin: 'http://localhost' },
      { host: 'localhost', origin: 'http://localhost' },
      { host: 'trade.example', origin: 'https://trade.example' },
      { host: 'trade.example:443', origin: 'https://trade.example' },
      { host: 'localhost:1' },
      { host: '[::1]:8080' },
      { host: 'trade.example' },
    ]) {
      const answer = await at(path, { headers })
      assert.deepEqual([answer.status, corsOf(answer.headers)], [200, undefined])
    }
  }
  for (const path of sandboxPaths.slice(0, 2)) {
    const asks = { ...foreign, 'access-control-request-method': 'POST' }
    const preflight = await at(path, { method: 'OPTIONS', headers: asks })
    assert.equal(corsOf(preflight.headers), undefined)
    assert.equal(preflight.headers['access-control-allow-headers'], undefined)
  }
})

test('the admin plane rejects a foreign host or page, and no page can read it', async () => {
  const url = `${live.adminUrl}/hash`
  const elsewhere = { origin: live.url }
  for (const headers of [{ host: 'evil.example' }, foreign, elsewhere]) {
    const answer = await rawRequest(url, { headers })
    assert.deepEqual([answer.status, corsOf(answer.headers)], [403, undefined])
    assert.match(answer.text, /HOST_REFUSED/)
  }
  const preflight = await rawRequest(url, { method: 'OPTIONS', headers: foreign })
  assert.equal(corsOf(preflight.headers), undefined)
})

test('an unknown route is 404; a wrong method is 405 and names the right one', async () => {
  for (const path of [
    '/api/v1/nowhere',
    '/api/v2/info',
    '/api/v1/info/',
    '/API/v1/info',
    '/nothing',
  ]) {
    const answer = await at(path)
    assert.equal(answer.status, 404)
    const body = JSON.parse(answer.text) as Row
    assert.deepEqual([body.success, body.data, body.code], [false, null, 404])
    assert.match(String(body.error), /^NOT_FOUND: no such route; \/docs lists them/)
  }
  assert.equal((await at('/api/v1/account/builder_codes/approve')).status, 404)
  const served = Object.entries(api.published.document.paths).map(
    ([path, described]) =>
      [path, Object.keys(described).map((each) => each.toUpperCase())] as const,
  )
  assert.ok(served.length > 100)
  const page = await (await fetch(`${live.url}/`)).text()
  const assets = [...page.matchAll(/"(\/assets\/[^"]+)"/g)].map((match) => match[1]!)
  assert.ok(assets.length > 0)
  const probes = [
    '/health',
    '/ready',
    '/serving',
    '/metrics',
    '/openapi.json',
    '/asyncapi.json',
    '/docs',
    '/ws',
  ]
  const reads = [...probes, '/', ...assets, '/api/v1/%69nfo', '/api/v1/info?x=1']
  const all = [...served, ...reads.map((path): (typeof served)[number] => [path, ['GET']])]
  for (const [path, takes] of all)
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      if (takes.includes(method === 'HEAD' ? 'GET' : method)) continue
      await wrongMethod(`${live.url}${path}`, method, takes.join(', '))
    }
  const allowed = await at('/health', { method: 'OPTIONS', headers: foreign })
  assert.deepEqual([allowed.status, allowed.headers.allow], [204, 'GET'])
  const plain = await at('/ws')
  assert.equal(plain.status, 400)
  assert.match(plain.text, /MALFORMED_REQUEST: \/ws is a websocket/)
})

test('the admin plane does the same before it checks the token', async () => {
  for (const { http } of adminOperations) {
    const [method, path] = http.split(' ') as [string, string]
    const others = adminOperations.filter((each) => each.http.endsWith(` ${path}`))
    const takes = others.map((each) => each.http.split(' ')[0]!)
    for (const wrong of ['GET', 'POST', 'DELETE', 'OPTIONS'])
      if (!takes.includes(wrong))
        await wrongMethod(`${live.adminUrl}${path}`, wrong, takes.join(', '))
    assert.ok(takes.includes(method))
  }
  const nothing = await rawRequest(`${live.adminUrl}/nowhere`, { method: 'POST' })
  assert.deepEqual([nothing.status, nothing.headers.allow], [404, undefined])
  assert.match(nothing.text, /NOT_FOUND: no such admin route/)
  for (const path of ['/hash', '/nowhere']) {
    const answer = await rawRequest(`${live.adminUrl}${path}`, { method: 'PUT', headers: foreign })
    assert.equal(answer.status, 403)
    assert.match(answer.text, /HOST_REFUSED/)
  }
})

/** The body is never parsed. */
async function wrongMethod(url: string, method: string, allow: string): Promise<void> {
  const bodiless = method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
  const text = { headers: { 'content-type': 'text/plain' }, body: 'no JSON' }
  const answer = await rawRequest(url, { method, ...(bodiless ? {} : text) })
  const at = `${method} ${url}`
  assert.deepEqual([answer.status, answer.headers.allow], [405, allow], `${at} ${answer.text}`)
  if (method === 'HEAD') return
  const body = JSON.parse(answer.text) as Row
  assert.deepEqual([body.success, body.data, body.code], [false, null, 405], at)
  const takes = allow.replaceAll(', ', ' or ')
  assert.equal(body.error, `METHOD_NOT_ALLOWED: this route takes ${takes}, not ${method}`)
}

const bareKeys = ['error', 'code']
const envelopedKeys = ['success', 'data', 'error', 'code']

test('a body over 64 KiB is 413, not JSON is 415, in the format of the endpoint', async () => {
  const big = JSON.stringify({ symbol: 'x'.repeat(65_536) })
  const long = JSON.stringify({ symbol: 'x'.repeat(65_000) })
  for (const [path, keys] of [
    ['/api/v1/orders/cancel', bareKeys],
    ['/api/v1/positions/tpsl', bareKeys],
    ['/api/v1/account/api_keys/create', bareKeys],
    ['/api/v1/orders/create', envelopedKeys],
  ] as const) {
    const post = (body: string, type: string) =>
      at(path, { method: 'POST', headers: { 'content-type': type }, body })
    for (const [answer, status, says] of [
      [await post(big, 'application/json'), 413, /BODY_TOO_LARGE: the body is larger than 65536/],
      [await post('{}', 'text/plain'), 415, /UNSUPPORTED_MEDIA_TYPE: .* application\/json/],
      [await post('{}', 'application/x-www-form-urlencoded'), 415, /UNSUPPORTED_MEDIA_TYPE/],
      [await post(long, 'application/json; charset=utf-8'), 400, /MALFORMED_REQUEST/],
    ] as const) {
      assert.equal(answer.status, status, answer.text)
      const body = JSON.parse(answer.text) as Row
      assert.deepEqual(Object.keys(body), keys)
      assert.equal(body.code, status)
      assert.match(String(body.error), says)
    }
  }
  const headers = { 'content-type': 'text/plain' }
  assert.equal((await at('/api/v1/info', { headers })).status, 200, "a GET's type is ignored")
})

test('a body that is not a JSON object is 400 with the reason', async () => {
  const post = (body: string) => api.post('/orders/cancel', body)
  const deep = `{"a":${'['.repeat(40)}${']'.repeat(40)}}`
  for (const [body, says] of [
    ['', /the body must be a JSON object/],
    ['nonsense', /./],
    ['{"a":1', /./],
    ['[]', /the request must be an object/],
    ['null', /the request must be an object/],
    ['"text"', /the request must be an object/],
    ['{"symbol":"BTC","symbol":"ETH"}', /a key stands twice/],
    [deep, /levels|deep|nest/],
    ['{"symbol":"BTC","order_id":1.5}', /./],
    ['{"symbol":"BTC","order_id":9007199254740993}', /./],
    ['{"symbol":"BTC","note":"ä"}', /ASCII/],
  ] as const) {
    const answer = await post(body)
    refused(answer, { status: 400, says })
    assert.match(String(answer.body.error), /^MALFORMED_REQUEST: /)
  }
})

test('malformed HTTP is answered after the requests before it', async () => {
  const body = '{"symbol":"BTC","order_id":1}'
  const head = `content-type: application/json\r\ncontent-length: ${body.length}`
  const post = `POST /api/v1/orders/cancel HTTP/1.1\r\nhost: localhost\r\n${head}\r\n\r\n${body}`
  const text = await rawBytes(`${post}${post}nonsense\r\n\r\nand more nonsense\r\n\r\n`)
  const replies = text.split(/(?=HTTP\/1\.1 )/)
  assert.equal(replies.length, 3, text)
  for (const reply of replies.slice(0, 2)) assert.match(reply, /account is missing/)
  assert.match(replies[2]!, /malformed HTTP request/)
})

test('malformed HTTP is answered with an error of the API', async () => {
  for (const [bytes, status] of [
    ['nonsense\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nhost: x\r\nlong: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ] as const) {
    const text = await rawBytes(bytes)
    assert.match(text, new RegExp(`^HTTP/1.1 ${status} `))
    const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as Row
    assert.deepEqual([body.success, body.data, body.code], [false, null, status])
    assert.match(String(body.error), /^MALFORMED_REQUEST: /)
  }
})

function rawBytes(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(live.running.port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
  })
}

test('every response has a request id; HEAD is answered as GET without a body', async () => {
  const [one, two] = [await at('/api/v1/time'), await at('/api/v1/nowhere')]
  assert.ok(one.headers['x-request-id'])
  assert.notEqual(one.headers['x-request-id'], two.headers['x-request-id'])
  const head = await at('/api/v1/info', { method: 'HEAD' })
  assert.deepEqual([head.status, head.text], [200, ''])
  const odd = await at('/api/v1/%zz')
  assert.deepEqual([odd.status, (JSON.parse(odd.text) as Row).code], [400, 400])
})

test('the mount for existing clients differs only in the contract’s own endpoints', async () => {
  const paths = Object.entries(api.published.document.paths)
  const differing = paths
    .filter(([path]) => path.startsWith('/api/v1/'))
    .filter(([path, described]) => {
      const other = api.published.document.paths[`/ccxt${path}`]
      const shape = (each: typeof described | undefined) =>
        JSON.stringify(each, (key, value) => (key === 'operationId' ? undefined : value))
      return shape(other) !== shape(described)
    })
    .map(([path]) => path)
  assert.deepEqual(differing.sort(), [
    '/api/v1/account/api_keys',
    '/api/v1/account/api_keys/create',
    '/api/v1/account/api_keys/revoke',
    '/api/v1/orders/cancel',
    '/api/v1/positions',
    '/api/v1/positions/history',
    '/api/v1/positions/tpsl',
  ])
  const [alice, bob] = [await live.trader(), await live.trader()]
  await live.price('BTC', '105000')
  await live.trade({ buyer: alice, seller: bob, symbol: 'BTC', price: '105000', amount: '0.1' })
  const answer = await api.get('/ccxt/api/v1/positions', { account: alice.address })
  assert.equal(answer.body.last_order_id, live.running.exchange.seq())
  const [position] = dataOf<Row[]>(answer)
  const { created_at, updated_at, liquidation_price, ...rest } = position!
  assert.ok(Number.isSafeInteger(created_at) && Number.isSafeInteger(updated_at))
  assert.ok(liquidation_price === null || typeof liquidation_price === 'string')
  assert.deepEqual(rest, {
    symbol: 'BTC',
    side: 'bid',
    amount: '0.1',
    entry_price: '105000',
    margin: '0',
    funding: '0',
    isolated: false,
  })
  const order = { symbol: 'BTC', side: 'bid', price: '90000', amount: '0.01', tif: 'GTC' }
  const path = '/ccxt/api/v1/orders/create'
  dataOf(await api.signed(alice, path, { ...order, reduce_only: false, builder_code: 'ccxt' }))
})

test('health, readiness, metrics and the reference are served', async () => {
  assert.deepEqual(await (await fetch(`${live.url}/health`)).json(), { status: 'ok' })
  const ready = (await (await fetch(`${live.url}/ready`)).json()) as Row
  assert.equal(ready.status, 'ready')
  assert.equal(
    (ready.markets as Row[]).every((market) => market.ready === true),
    true,
  )
  const metrics = await fetch(`${live.url}/metrics`)
  assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain/)
  assert.match(await metrics.text(), /^# HELP /)
  const docs = await fetch(`${live.url}/docs`)
  assert.match(docs.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(docs.headers.get('content-security-policy') ?? '', /default-src 'none'/)
})

/** All bytes received in reply, until the other side closes or enough have arrived. */
async function bytesBack(port: number, bytes: string, enough: (text: string) => boolean) {
  const socket = connect({ port, host: '127.0.0.1' })
  let text = ''
  try {
    await new Promise<void>((resolve, reject) => {
      socket.setTimeout(30_000, () => reject(new Error(`no more after ${text.length} bytes`)))
      socket.on('error', reject)
      socket.on('close', () => resolve())
      socket.on('data', (piece) => {
        text += piece.toString('latin1')
        if (enough(text)) resolve()
      })
      socket.write(bytes)
    })
  } finally {
    socket.destroy()
  }
  return text
}

test('requests that the HTTP library rejects without a message get ours', async () => {
  for (const url of [live.url, live.adminUrl])
    for (const [head, status, says] of [
      ['GET /health HTTP/1.1\r\n', 400, /a request of HTTP\/1.1 needs a host header/],
      ['POST /api/v1/orders/create HTTP/1.1\r\ncontent-length: 0\r\n', 400, /needs a host header/],
      ['GET /health HTTP/1.1\r\nhost: x\r\nexpect: x\r\n', 417, /no expectation but 100-continue/],
      ['CONNECT x:443 HTTP/1.1\r\nhost: x\r\n', 405, /CONNECT is not supported/],
    ] as const) {
      const isWhole = (text: string) => text.endsWith('}')
      const text = await bytesBack(Number(new URL(url).port), `${head}\r\n`, isWhole)
      assert.match(text, new RegExp(`^HTTP/1.1 ${status} `), head)
      const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n'))) as Record<string, unknown>
      assert.equal(body.success, false)
      assert.match(String(body.error), says)
    }
  const old = await bytesBack(
    Number(new URL(live.url).port),
    'GET /health HTTP/1.0\r\n\r\n',
    () => false,
  )
  assert.match(old, /^HTTP\/1.1 200 /)
})

test('thousands of pipelined requests are answered in order', async () => {
  const count = 3_000
  const one = 'GET /a HTTP/1.1\r\nhost:\r\n\r\n'
  const answered = (text: string) => text.split('HTTP/1.1 404 ').length - 1
  const port = Number(new URL(live.url).port)
  const text = await bytesBack(port, one.repeat(count), (back) => answered(back) >= count)
  assert.equal(answered(text), count)
})
