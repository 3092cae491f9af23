// Everything that is not a message: each is answered by a frame, or ends the connection with a
// reason, and the exchange stays as it was.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { WebSocket } from 'ws'
import { allSources } from '../../src/protocol/streams/channels.ts'
import { Dice } from '../support/streams/dice.ts'
import type { LiveExchange } from '../support/streams/live-exchange.ts'

type Bad = Readonly<{ bytes: Buffer | string; binary: boolean }>

const text = (bytes: Buffer | string): Bad => ({ bytes, binary: false })
const json = (value: unknown): Bad => text(JSON.stringify(value))

const values: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  '',
  'x',
  [],
  {},
  [[]],
  '\u0000',
  'ünïcödé',
  { toString: 1 },
  { __proto__: null, constructor: {} },
]

function bad(dice: Dice): Bad {
  const any = () => dice.of(values)
  const source = () => dice.of([...allSources, 'nothing', any()])
  const makers: readonly (() => Bad)[] = [
    () => ({ bytes: Buffer.alloc(dice.upTo(200), dice.upTo(255)), binary: true }),
    () => text('['.repeat(dice.upTo(5_000))),
    () => text(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`),
    () => text('x'.repeat(dice.upTo(90_000))),
    () => json({ method: 'subscribe', params: { source: 'y'.repeat(70_000) } }),
    () => text(Buffer.from([0x22, 0xc3, 0x28, 0x22])),
    () => text(Buffer.alloc(300_000, 0x20)),
    () => json(any()),
    () => json({ method: any(), params: any() }),
    () => json({ method: 'subscribe', params: { source: source(), symbol: any() } }),
    () => json({ method: 'subscribe', params: { source: source(), account: any() } }),
    () => json({ method: 'unsubscribe', params: any() }),
    () =>
      json({
        method: 'cancel_on_disconnect',
        params: dice.of([[], 'x', { keep_protective: null }]),
      }),
    () => json({ id: any(), params: { create_order: any() } }),
    () => json({ id: 'a', params: { batch_orders: { actions: any() } } }),
    () => json({ id: 'a', params: { [dice.of(['withdraw', 'constructor', ''])]: any() } }),
    () => json({ id: 'a', params: any() }),
    () => text('{"method":"ping","method":"ping"}'),
    () => text('{"method":"subscribe","params":{"source":"book","symbol":"BTC","agg_level":1e9}}'),
    () => json({ method: 'subscribe', params: { source: 'book', symbol: 'BTC', agg_level: 7 } }),
    () =>
      json({ method: 'subscribe', params: { source: 'candle', symbol: 'BTC', interval: '7m' } }),
  ]
  return dice.of(makers)()
}

export async function malformedSoak(exchange: LiveExchange, count: number, seed: number) {
  const dice = new Dice(seed)
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  gc()
  const heapBefore = process.memoryUsage().heapUsed
  const seqBefore = exchange.running.exchange.seq()
  let answered = 0
  let closed = 0
  let sent = 0
  while (sent < count) {
    const ws = new WebSocket(exchange.wsUrl, { perMessageDeflate: false })
    ws.on('error', () => undefined)
    await once(ws, 'open')
    const gone = once(ws, 'close') as Promise<[number, Buffer]>
    // One connection, one message at a time: whose answer it is can then not be in doubt.
    while (sent < count) {
      const reply = once(ws, 'message') as Promise<[Buffer]>
      reply.catch(() => undefined)
      const { bytes, binary } = bad(dice)
      ws.send(bytes, { binary })
      sent += 1
      const end = await Promise.race([reply.then(() => null), gone])
      if (end === null) {
        answered += 1
        const [message] = await reply
        requireError(JSON.parse(message.toString()) as Record<string, unknown>)
        continue
      }
      const [code, reason] = end
      assert.ok(reason.length > 0, `closed by ${code} without a reason`)
      closed += 1
      break
    }
    ws.terminate()
  }
  gc()
  const grown = process.memoryUsage().heapUsed - heapBefore
  assert.ok(grown < 64 * 2 ** 20, `the heap grew by ${grown} bytes`)
  const { exchange: inside } = exchange.running
  assert.equal((await exchange.get<{ success: boolean }>('/time')).success, true)
  return { sent, answered, closed, commands: inside.seq() - seqBefore }
}

/** Pings among them are good messages; a request with an id gets its refusal. */
function requireError(frame: Record<string, unknown>): void {
  if (frame.channel === 'error') {
    const { error, code } = frame.data as { error: unknown; code: unknown }
    assert.ok(typeof error === 'string' && typeof code === 'number')
    assert.equal(frame.code, undefined)
    return
  }
  if ('id' in frame) assert.ok(typeof frame.error === 'string' && frame.code !== 200)
  else assert.equal(frame.code, undefined)
}
