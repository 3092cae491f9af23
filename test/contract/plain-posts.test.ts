// A plain POST takes a shorter path through the gateway than one whose media type is written
// differently. Both must have the same reply, including the headers.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { newKey } from '../../src/client/key.ts'
import { sandboxKeys } from '../../src/client/sandbox-keys.ts'
import { signedBody } from '../../src/client/signed-body.ts'
import { readConfig } from '../../src/config.ts'
import type { RunningExchange } from '../../src/main/run-options.ts'
import { runExchange } from '../../src/main/running-exchange.ts'
import { fundAccounts } from '../../src/main/sandbox-funds.ts'

const folder = mkdtempSync(join(tmpdir(), 'openperp-plain-'))
const flags = ['--port=0', '--admin-port=0', '--compat-port=off', '--data', folder, '--bots', 'off']
const limits = ['--rate-limit', 'on', '--credits', '100']
const alice = sandboxKeys[0]!.key
const unknown = newKey()
let running: RunningExchange

before(async () => {
  const config = readConfig([...flags, ...limits, '--log-level', 'silent'], {}, folder)
  const log = pino({ level: 'silent' })
  const onFatal = (error: unknown) => {
    throw error
  }
  running = await runExchange({ config, tokens: [], log, onFatal })
  await fundAccounts(config, running.exchange, true)
})

after(async () => {
  await running.close()
  rmSync(folder, { recursive: true })
})

type Reply = Readonly<{ status: number; headers: IncomingHttpHeaders; body: string }>
type Sent = Readonly<{ path: string; body: string | Buffer; headers?: Record<string, string> }>

function post({ path, body, headers }: Sent, type: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { port } = running
    const options = { method: 'POST', port, path, headers: { 'content-type': type, ...headers } }
    const sent = request(options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: text }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Without the headers that differ from one request to the next. */
function comparable({ status, headers, body }: Reply) {
  const { 'x-request-id': id, date, ratelimit, 'openperp-seq': seq, ...rest } = headers
  const has = { id: typeof id, date: typeof date, limited: typeof ratelimit, seq: typeof seq }
  return { status, headers: rest, body: body.replace(/\d{13}/g, 'time'), has }
}

const order = { symbol: 'BTC', price: '90000', amount: '0.01', side: 'bid', tif: 'ALO' }

let texts = 0
/** Every text is signed again by each call, because a text is valid once. */
const timestamp = () => Date.now() - ++texts

async function orderBody(fields: Record<string, unknown> = {}): Promise<string> {
  const body = { ...order, reduce_only: false, ...fields }
  const options = { type: 'create_order', timestamp: timestamp() } as const
  return JSON.stringify(await signedBody(alice, body, options))
}

const create = '/api/v1/orders/create'

async function requests(): Promise<Readonly<Record<string, Sent>>> {
  const cancel = { symbol: 'BTC', order_id: 999_999 }
  const signedCancel = async (key: typeof alice) =>
    JSON.stringify(await signedBody(key, cancel, { type: 'cancel_order', timestamp: timestamp() }))
  const good = await orderBody()
  return {
    'a refused order': { path: create, body: await orderBody({ price: '90000.5' }) },
    'an order changed after signing': { path: create, body: good.replace('0.01', '0.02') },
    'a cancel of an unknown order': {
      path: '/api/v1/orders/cancel',
      body: await signedCancel(alice),
    },
    'a cancel by an unknown account': {
      path: '/ccxt/api/v1/orders/cancel',
      body: await signedCancel(unknown),
    },
    'no JSON': { path: create, body: '{' },
    'an array': { path: create, body: '[]' },
    'a character outside ASCII': { path: create, body: Buffer.from('{"symbol":"é"}') },
    'invalid UTF-8': { path: create, body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) },
    'an unknown key': { path: create, body: good, headers: { 'pf-api-key': 'none' } },
    'no route': { path: '/api/v1/orders/creat', body: good },
    'a query': { path: `${create}?a=1`, body: '{}' },
    nothing: { path: create, body: '' },
    'a chunked body': {
      path: create,
      body: '{}',
      headers: { 'transfer-encoding': 'chunked' },
    },
    'too much': { path: create, body: ' '.repeat(65_537) },
    'the maximum size': { path: create, body: ' '.repeat(65_536) },
    'a sandbox route': {
      path: '/api/v1/sandbox/faucet',
      body: JSON.stringify({ account: 'x', amount: '1' }),
    },
  }
}

test('a plain POST and any other have the same reply', async () => {
  const others = await requests()
  for (const [what, sent] of Object.entries(await requests())) {
    const short = await post(sent, 'application/json')
    const long = await post(others[what]!, 'application/json; charset=utf-8')
    assert.deepEqual(comparable(short), comparable(long), what)
    assert.ok(short.status >= 400, what)
  }
})

test('an accepted order has the same reply', async () => {
  const short = await post({ path: create, body: await orderBody() }, 'application/json')
  const long = await post(
    { path: create, body: await orderBody() },
    'application/json;charset=utf-8',
  )
  const idless = (reply: Reply) =>
    comparable({ ...reply, body: reply.body.replace(/"order_id":\d+/, '') })
  assert.equal(short.status, 200)
  assert.deepEqual(idless(short), idless(long))
})

test('credits are counted on both paths, and their end is reported', async () => {
  const spend = (type: string) => post({ path: create, body: '{}' }, type)
  const left = (reply: Reply) => /r=(\d+)/.exec(String(reply.headers.ratelimit))?.[1]
  const first = await spend('application/json')
  const second = await spend('application/json; charset=utf-8')
  assert.equal(Number(left(first)) - 10, Number(left(second)))
  let reply = second
  while (reply.status !== 429) reply = await spend('application/json')
  const long = await spend('application/json; charset=utf-8')
  assert.deepEqual(comparable(reply), comparable(long))
  assert.ok(Number(reply.headers['retry-after']) > 0)
})
