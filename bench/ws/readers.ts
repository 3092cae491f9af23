// The other side of the fan-out: many readers, most of which only drain their sockets, forty that
// parse every frame, some that never read, and one that sends orders.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { WebSocket } from 'ws'
import { signedBody } from '../../src/client/signed-body.ts'
import { type Ages, traders } from './plan.ts'

const [port = 0, connections = 0, ordersPerSecond = 0] = process.argv.slice(2).map(Number)
const sampledCount = 40
const perAddress = 250
const sources = ['book', 'trades', 'bbo', 'prices']

type Market = Readonly<{
  symbol: string
  mark: number
  tick: number
  lot: number
  /** Digits after the point of a price and of an amount. */
  pricePlaces: number
  sizePlaces: number
}>
type Info = Readonly<{ symbol: string; tick_size: string; lot_size: string }>

let opened = 0
let ages: number[] = []
let measuring = false
let answered = 0
let refused = 0

/** Maximum of connections from one address; the loopback network has many addresses. */
const localAddress = () => `127.0.0.${1 + Math.floor(opened++ / perAddress)}`

const get = async <T>(path: string) =>
  ((await (await fetch(`http://127.0.0.1:${port}/api/v1${path}`)).json()) as { data: T }).data

const time = await get<{ now: number; engine_now: number }>('/time')
/** Engine time minus the machine's. */
const ahead = time.engine_now - time.now
const markets = await marketsNow()

for (let n = 0; n < sampledCount; n++) await sampled(markets[n % markets.length]!.symbol)
for (let n = sampledCount; n < connections; n++) await drained(markets[n % markets.length]!.symbol)
await sendOrders()
process.send!({ kind: 'ready' })

process.on('message', (message: { kind: string; count?: number; seconds?: number }) => {
  if (message.kind === 'stall') void stall(message.count!)
  else void measure(message.seconds!)
})

async function stall(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const socket = await drained(markets[n % markets.length]!.symbol)
    socket.pause()
  }
  process.send!({ kind: 'stalled' })
}

async function measure(seconds: number): Promise<void> {
  await new Promise((done) => setTimeout(done, 2_000))
  ages = []
  answered = 0
  refused = 0
  measuring = true
  await new Promise((done) => setTimeout(done, seconds * 1_000))
  measuring = false
  const sorted = ages.sort((one, other) => one - other)
  const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? -1
  const measured: Ages = {
    p50: at(0.5),
    p99: at(0.99),
    max: at(1),
    frames: sorted.length,
    answered,
    refused,
  }
  process.send!({ kind: 'measured', ages: measured })
}

async function marketsNow(): Promise<Market[]> {
  const info = await get<Info[]>('/info')
  const prices = await get<{ symbol: string; mark: string }[]>('/info/prices')
  return info.map(({ symbol, tick_size, lot_size }) => ({
    symbol,
    mark: Number(prices.find((each) => each.symbol === symbol)!.mark),
    tick: Number(tick_size),
    lot: Number(lot_size),
    pricePlaces: placesOf(tick_size),
    sizePlaces: placesOf(lot_size),
  }))
}

function placesOf(step: string): number {
  return step.split('.')[1]?.length ?? 0
}

function subscriptions(symbol: string): string[] {
  return sources.map((source) =>
    JSON.stringify({
      method: 'subscribe',
      params: source === 'prices' ? { source } : { source, symbol },
    }),
  )
}

async function sampled(symbol: string): Promise<void> {
  const ws = new WebSocket(`ws://127.0.0.1:${port}/ws`, {
    localAddress: localAddress(),
    perMessageDeflate: false,
  })
  await once(ws, 'open')
  ws.on('message', (bytes: Buffer) => {
    if (!measuring) return
    const { data } = JSON.parse(bytes.toString()) as { data?: { t?: number }[] & { t?: number } }
    const first = (Array.isArray(data) ? data[0] : data) as { t?: number; timestamp?: number }
    const t = first?.t ?? first?.timestamp
    if (t !== undefined) ages.push(Date.now() + ahead - t)
  })
  for (const message of subscriptions(symbol)) ws.send(message)
  keepAlive(() => ws.ping())
}

/** As little work as possible: the bytes are read and discarded. */
async function drained(symbol: string): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, localAddress: localAddress() })
  await once(socket, 'connect')
  socket.write(
    'GET /ws HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n' +
      'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  await once(socket, 'data')
  socket.on('data', () => undefined)
  for (const message of subscriptions(symbol)) socket.write(maskedText(message))
  keepAlive(() => socket.write(maskedText('{"method":"ping"}')))
  return socket
}

function keepAlive(ping: () => void): void {
  setInterval(ping, 20_000 + Math.floor(Math.random() * 10_000)).unref()
}

/** A client's frame, masked with zeros. */
function maskedText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)])
}

async function sendOrders(): Promise<void> {
  const ws = new WebSocket(`ws://127.0.0.1:${port}/ws`, { perMessageDeflate: false })
  await once(ws, 'open')
  ws.on('message', (bytes: Buffer) => {
    const { code } = JSON.parse(bytes.toString()) as { code?: number }
    answered += 1
    if (code !== 200) refused += 1
  })
  keepAlive(() => ws.ping())
  let sent = 0
  const started = performance.now()
  const tick = async () => {
    const due = Math.floor(((performance.now() - started) / 1_000) * ordersPerSecond)
    for (; sent < due; sent++) ws.send(await orderMessage(sent))
    setTimeout(() => void tick(), 2)
  }
  void tick()
}

/** Half of them rest, half fill immediately, so that books keep their depth. */
async function orderMessage(n: number): Promise<string> {
  const { symbol, mark, tick, lot, pricePlaces, sizePlaces } = markets[n % markets.length]!
  const side = Math.random() < 0.5 ? 'bid' : 'ask'
  const ticks = Math.round(mark / tick) + Math.floor(Math.random() * 40) - 20
  const lots = Math.ceil(50 / mark / lot) * (1 + Math.floor(Math.random() * 5))
  const fields = {
    symbol,
    side,
    price: (ticks * tick).toFixed(pricePlaces),
    amount: (lots * lot).toFixed(sizePlaces),
    tif: (n >> 3) % 2 === 0 ? 'ALO' : 'IOC',
    reduce_only: false,
    client_order_id: crypto.randomUUID(),
  }
  const key = traders[Math.floor(Math.random() * traders.length)]!
  const signed = { type: 'create_order', timestamp: Date.now() } as const
  const body = await signedBody(key, fields, signed)
  return JSON.stringify({ id: `${n}`, params: { create_order: body } })
}
