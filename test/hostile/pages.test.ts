// A web page against the sandbox of a developer who has it open in a browser: the keys of alice and
// bob are public, so such a page could sign. It must be able neither to read nor to send, on either
// port, over HTTP and the websocket; and no other machine may use requests that need no signature.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { WebSocket } from 'ws'
import { Client, sandboxKeys } from '../../src/client/index.ts'
import { readConfig, withSandboxToken } from '../../src/config.ts'
import { createExchange } from '../../src/embed/embed.ts'
import { banner } from '../../src/main/banner.ts'
import { openperp } from '../support/cli/run-openperp.ts'
import type { Row } from '../support/http/api-client.ts'
import { liveExchange } from '../support/http/live-exchange.ts'
import { type RawOptions, rawRequest } from '../support/http/raw-request.ts'

const sandboxFlags = ['--compat-port', '0', '--allowed-hosts', 'trade.example']
const live = await liveExchange([...sandboxFlags, '--allowed-origins', 'https://tool.example'])
const home = mkdtempSync(join(tmpdir(), 'openperp-pages-'))
after(async () => {
  await live.close()
  rmSync(home, { recursive: true, force: true })
})
const { port, compatPort } = live.running
const ports = [port, compatPort!]
const at = (where: number, path: string, options: RawOptions = {}) =>
  rawRequest(`http://127.0.0.1:${where}${path}`, options)
const corsOf = (headers: Row) => headers['access-control-allow-origin']
const json = { 'content-type': 'application/json' }

const foreign = [
  'https://page.example',
  'http://127.0.0.1.page.example',
  'https://trade.example',
  'http://10.0.0.7:8080',
  'null',
  'file://',
  'http://localhost.example',
]
const own = (where: number) => [
  `http://127.0.0.1:${where}`,
  'http://127.0.0.1:3000',
  'http://localhost:5173',
  'https://localhost',
  'http://[::1]:3000',
  'http://app.localhost',
  'https://tool.example',
]

test('a page of another origin reads nothing, and its requests are rejected', async () => {
  for (const where of ports)
    for (const origin of foreign) {
      const read = await at(where, '/api/v1/info', { headers: { origin } })
      assert.deepEqual([read.status, corsOf(read.headers)], [200, undefined], origin)
      assert.equal(read.headers.vary, 'origin')
      const asks = { origin, 'access-control-request-method': 'POST' }
      const preflight = await at(where, '/api/v1/orders/create', {
        method: 'OPTIONS',
        headers: asks,
      })
      assert.equal(corsOf(preflight.headers), undefined)
      assert.equal(preflight.headers['access-control-allow-headers'], undefined)
      for (const path of ['/api/v1/orders/create', '/ccxt/api/v1/orders/create'])
        for (const type of [
          'application/json',
          'application/json; charset=utf-8',
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=x',
        ]) {
          const headers = { origin, 'content-type': type }
          const sent = await at(where, path, { method: 'POST', headers, body: '{}' })
          assert.equal(sent.status, 403, `${origin} ${type} ${sent.text}`)
          assert.match(sent.text, /HOST_REFUSED: nothing is accepted from pages of this origin/)
          assert.equal(corsOf(sent.headers), undefined)
        }
    }
})

test('its own pages, those of this machine and allowed ones read and send', async () => {
  for (const where of ports)
    for (const origin of own(where)) {
      const read = await at(where, '/api/v1/info', { headers: { origin } })
      assert.deepEqual([read.status, corsOf(read.headers)], [200, origin])
      const headers = { origin, ...json }
      const body = '{}'
      for (const type of ['application/json', 'application/json; charset=utf-8']) {
        const all = { ...headers, 'content-type': type }
        const sent = await at(where, '/api/v1/orders/create', {
          method: 'POST',
          headers: all,
          body,
        })
        assert.deepEqual([sent.status, corsOf(sent.headers)], [400, origin], sent.text)
      }
      const asks = { origin, 'access-control-request-method': 'POST' }
      const preflight = await at(where, '/api/v1/orders/create', {
        method: 'OPTIONS',
        headers: asks,
      })
      assert.equal(corsOf(preflight.headers), origin)
      assert.match(String(preflight.headers['access-control-allow-headers']), /content-type/)
    }
})

/** The status of a rejected handshake, or 101. */
async function handshake(where: number, headers: Readonly<Record<string, string>>) {
  const socket = new WebSocket(`ws://127.0.0.1:${where}/ws`, { headers })
  socket.on('error', () => undefined)
  const refused = once(socket, 'unexpected-response').then(
    ([, reply]) => reply.statusCode as number,
  )
  const status = await Promise.race([once(socket, 'open').then(() => 101), refused])
  socket.terminate()
  return status
}

test('the websocket is for the same pages', async () => {
  for (const where of ports) {
    for (const origin of foreign) assert.equal(await handshake(where, { origin }), 403, origin)
    for (const origin of own(where)) assert.equal(await handshake(where, { origin }), 101, origin)
    assert.equal(await handshake(where, {}), 101)
    const rebound = { host: 'page.example', origin: 'http://page.example' }
    assert.equal(await handshake(where, rebound), 403)
  }
})

test('a page that points its own name at the sandbox gets nothing', async () => {
  for (const where of ports) {
    for (const host of ['page.example', `page.example:${where}`, '127.0.0.1.page.example']) {
      for (const headers of [{ host }, { host, origin: `http://${host}` }]) {
        const read = await at(where, '/api/v1/positions?account=x', { headers })
        assert.equal(read.status, 403, host)
        assert.match(read.text, /HOST_REFUSED: .*\(OPENPERP_ALLOWED_HOSTS\)/)
        const post = { method: 'POST', headers: { ...headers, ...json }, body: '{}' }
        assert.equal((await at(where, '/api/v1/orders/create', post)).status, 403, host)
      }
    }
    for (const host of ['localhost', '192.168.1.7:8080', '[fd00::7]:8080', 'openperp:8080'])
      assert.equal((await at(where, '/api/v1/info', { headers: { host } })).status, 200, host)
    const allowed = { host: 'trade.example', origin: 'https://trade.example' }
    const body = '{}'
    const post = { method: 'POST', headers: { ...allowed, ...json }, body }
    assert.equal((await at(where, '/api/v1/orders/create', post)).status, 400)
  }
})

const clock = '/api/v1/sandbox/clock'
const token = 'a-token-of-this-sandbox'

test('a proxy in front does not make another machine count as this one', async () => {
  const proxied = await liveExchange(['--trusted-proxies', '127.0.0.1'])
  for (const [where, headers, status] of [
    [port, {}, 200],
    [port, { 'x-forwarded-for': '203.0.113.9' }, 401],
    [port, { 'x-forwarded-for': '127.0.0.1' }, 401],
    [port, { forwarded: 'for=203.0.113.9' }, 401],
    [port, { 'x-real-ip': '127.0.0.1', authorization: 'Bearer of-no-sandbox-at-all' }, 401],
    [proxied.running.port, { 'x-forwarded-for': '203.0.113.9' }, 401],
    [proxied.running.port, { 'x-forwarded-for': '127.0.0.1' }, 200],
  ] as const) {
    const read = await at(where, clock, { headers })
    assert.equal(read.status, status, `${JSON.stringify(headers)} ${read.text}`)
    if (status === 401) assert.match(read.text, /CREDENTIALS_REQUIRED: .* OPENPERP_SANDBOX_TOKEN/)
  }
  await proxied.close()
})

test('a configured token is required of every caller: a proxy may hide them', async () => {
  const hidden = await liveExchange(['--sandbox-token', token])
  const headers = { authorization: `Bearer ${token}` }
  assert.equal((await at(hidden.running.port, clock)).status, 401)
  assert.equal((await at(hidden.running.port, clock, { headers })).status, 200)
  await hidden.close()
})

/** An address of this machine other than a loopback address, as if from a network. */
const outside = '::ffff:127.0.0.1'

test('a sandbox that other machines can reach requires its token from every caller', async (t) => {
  const flags = ['--host', outside, '--sandbox-token', token, '--compat-port', '0']
  const open = await liveExchange(flags).catch((error: NodeJS.ErrnoException) => {
    if (!/EAFNOSUPPORT|EADDRNOTAVAIL|EINVAL/.test(`${error.code}`)) throw error
    return null
  })
  if (open === null) return t.skip('this machine has no IPv6')
  const good = { authorization: `Bearer ${token}` }
  for (const where of [open.running.port, open.running.compatPort!]) {
    for (const [headers, status] of [
      [{}, 401],
      [{ authorization: 'Bearer a-token-of-this-sandbox-not' }, 401],
      [{ authorization: token }, 401],
      [good, 200],
      [{ ...good, host: '192.168.1.7:8080', origin: 'http://192.168.1.7:8080' }, 200],
      [{ ...good, origin: 'https://page.example' }, 403],
      [{ ...good, host: 'page.example' }, 403],
    ] as const) {
      const read = await at(where, clock, { headers })
      assert.equal(read.status, status, `${JSON.stringify(headers)} ${read.text}`)
    }
    const body = '{"account":"x","amount":"1"}'
    const faucet = { method: 'POST', headers: json, body }
    assert.equal((await at(where, '/api/v1/sandbox/faucet', faucet)).status, 401)
    assert.equal((await at(where, '/api/v1/info')).status, 200)
  }
  const account = sandboxKeys[0]!.key.address
  const client = new Client({ url: open.url, sandboxToken: token })
  assert.equal((await client.sandboxFaucet({ account, amount: '7' })).balance, '7')
  const shell = { OPENPERP_URL: open.url, HOME: home }
  const without = await openperp(['fund', '5', '--key', 'alice'], { environment: shell })
  assert.equal(without.code, 1)
  assert.match(without.err, /CREDENTIALS_REQUIRED[\s\S]*set OPENPERP_SANDBOX_TOKEN/)
  const environment = { ...shell, OPENPERP_SANDBOX_TOKEN: token }
  const funded = await openperp(['fund', '5', '--key', 'alice'], { environment })
  assert.match(funded.out, /has 12 USD/)
  await open.close()
})

test('the start prints the token, also in the address of the terminal', () => {
  const config = withSandboxToken(readConfig(['--host', '0.0.0.0'], {}, '/'), token)
  const facts = { adminToken: null, markets: [], traders: [], seq: 0, readyMs: 1, venue: '' }
  const text = banner({ config, port: 1, adminPort: 2, compatPort: null, ...facts })
  assert.match(text, /Terminal +http:\/\/0\.0\.0\.0:1\/#sandbox-token=a-token-of-this-sandbox\n/)
  assert.match(text, /Sandbox +token: a-token-of-this-sandbox/)
  const usual = banner({
    ...facts,
    config: readConfig([], {}, '/'),
    port: 1,
    adminPort: 2,
    compatPort: null,
  })
  assert.doesNotMatch(usual, /Sandbox +token/)
})

test('an embedded exchange that listens for other machines has a token as well', async () => {
  const exchange = createExchange()
  const here = await exchange.listen()
  assert.equal(here.sandboxToken, null)
  const open = await exchange.listen(0, outside).catch(() => null)
  if (open !== null) {
    const headers = { authorization: `Bearer ${open.sandboxToken}` }
    assert.equal((await at(open.port, clock)).status, 401)
    assert.equal((await at(open.port, clock, { headers })).status, 200)
  }
  assert.equal((await at(here.port, clock)).status, 200)
  await exchange.close()
})
