// Traces of orders, sent to a collector that is a real server: right in form, nested in time, and
// never in the way of an order.

import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { OtlpExporter, type Span } from '../../src/main/tracing/otlp-exporter.ts'
import { type Live, liveExchange } from '../support/http/live-exchange.ts'

type SentSpan = Readonly<{
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: readonly Readonly<{ key: string; value: Readonly<Record<string, string>> }>[]
  status: Readonly<{ code?: number; message?: string }>
}>

type Body = Readonly<{
  resourceSpans: readonly Readonly<{
    scopeSpans: readonly Readonly<{ spans: readonly SentSpan[] }>[]
  }>[]
}>

let answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => {
  response.end('{}')
}
const spans: SentSpan[] = []
const collector = createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8').on('data', (part) => {
    text += part
  })
  request.on('end', () => {
    if (request.headers['content-type'] === 'application/json')
      for (const { scopeSpans } of (JSON.parse(text) as Body).resourceSpans)
        spans.push(...scopeSpans[0]!.spans)
    answer(request, response)
  })
})

let url = ''
let live: Live
before(async () => {
  await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`
  live = await liveExchange(['--traces', url, '--trace-every', '1'])
})
after(async () => {
  await live.close()
  collector.closeAllConnections()
  collector.close()
})

async function until(isSo: () => boolean): Promise<void> {
  for (const started = Date.now(); !isSo(); ) {
    assert.ok(Date.now() - started < 60_000, JSON.stringify(spans))
    await new Promise((next) => setTimeout(next, 20))
  }
}

const order = { symbol: 'BTC', side: 'bid', amount: '0.01', tif: 'GTC', reduce_only: false }

test('an order is one trace: signature, place in history, journal, core', async () => {
  const trader = await live.trader()
  const reply = await live.api.signed(trader, '/orders/create', { ...order, price: '50000' })
  assert.equal(reply.status, 200)
  await until(() => spans.some(({ name }) => name === 'create_order'))
  const root = spans.find(({ name }) => name === 'create_order')!
  const own = spans.filter(({ traceId }) => traceId === root.traceId)
  const named = (name: string) => own.find((span) => span.name === name)!
  const order_ = ['check signature', 'sequence', 'wait for the batch', 'journal', 'core']
  assert.deepEqual(own.map(({ name }) => name).toSorted(), ['create_order', ...order_].toSorted())
  assert.match(root.traceId, /^[0-9a-f]{32}$/)
  assert.deepEqual([root.parentSpanId, root.kind, root.status], [undefined, 2, {}])
  const parents: Readonly<Record<string, string>> = {
    'check signature': root.spanId,
    sequence: root.spanId,
    ...Object.fromEntries(order_.slice(2).map((name) => [name, named('sequence').spanId])),
  }
  for (const [name, parent] of Object.entries(parents)) {
    const span = named(name)
    assert.match(span.spanId, /^[0-9a-f]{16}$/)
    assert.equal(span.parentSpanId, parent, name)
    assert.ok(BigInt(span.startTimeUnixNano) <= BigInt(span.endTimeUnixNano), name)
    assert.ok(BigInt(span.startTimeUnixNano) >= BigInt(root.startTimeUnixNano), name)
    assert.ok(BigInt(span.endTimeUnixNano) <= BigInt(root.endTimeUnixNano), name)
  }
  assert.ok(Math.abs(Number(BigInt(root.startTimeUnixNano) / 1_000_000n) - Date.now()) < 600_000)
  const [seq] = named('sequence').attributes
  assert.equal(seq?.key, 'openperp.seq')
  // Whatever else happened until the answer was written has a later place.
  const most = Number(reply.headers.get('openperp-seq'))
  assert.ok(Number(seq.value.intValue) > 0 && Number(seq.value.intValue) <= most)
})

test('a refusal has its name in the trace, and reads are not traced', async () => {
  const trader = await live.trader('10')
  spans.length = 0
  await live.api.get('/info')
  await live.api.signed(trader, '/orders/create', { ...order, amount: '1', price: '50000' })
  await until(() => spans.some(({ name }) => name === 'create_order'))
  const { status } = spans.find(({ name }) => name === 'create_order')!
  assert.deepEqual(status, { code: 2, message: 'INSUFFICIENT_BALANCE' })
  assert.ok(!spans.some(({ name }) => name === 'get_markets'))
})

const span = (n: number): Span => ({
  ...{ traceId: 'a'.repeat(32), spanId: `${n}`.padStart(16, '0'), parentId: null },
  ...{ name: 'x', startMs: 0, endMs: 1, attributes: {}, error: null },
})

test('a collector that fails or refuses costs bounded memory and one warning', async () => {
  const messages: string[] = []
  const log = pino(
    { level: 'warn' },
    { write: (line: string) => void messages.push(JSON.parse(line).msg) },
  )
  const exporter = new OtlpExporter({ url, service: {}, log, everyMs: 3_600_000 })
  const usual = answer
  answer = (_, response) => response.writeHead(503).end()
  for (let n = 0; n < 10_000; n++) exporter.take(span(n))
  spans.length = 0
  await exporter.flush()
  answer = ({ socket }) => socket.destroy()
  await exporter.flush()
  assert.deepEqual(messages, ['traces are not taken, and are dropped'])
  answer = usual
  await exporter.close()
  assert.deepEqual(messages.slice(1), ['traces are taken again'])
  assert.equal(spans.length, 4_096, 'no more than that ever waited')
  answer = () => undefined
  const impatient = new OtlpExporter({ url, service: {}, log, timeoutMs: 50 })
  impatient.take(span(0))
  await impatient.close()
  assert.equal(messages.at(-1), 'traces are not taken, and are dropped')
  answer = usual
})
