import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../../../test/programs/differential/random.ts'
import { FedStore } from '../../../test/support/history/fed-store.ts'
import { naiveCandles, type Price } from '../../../test/support/history/naive-candles.ts'
import { Player, playedWorld, reservedOf } from '../../../test/support/history/played.ts'
import { sandboxScene } from '../../../test/support/sandbox-scene.ts'
import { type Event, kindAt, kindOfEvent, type MarketId, nextAfter } from '../../core/index.ts'
import { eventsOf } from '../../sequencer/outcome.ts'
import { type PastBar, pastText } from '../../sequencer/past-bars.ts'
import { intervals } from '../../units/intervals.ts'

const hourMs = 3_600_000
const kinds = ['trade', 'mark'] as const
type Prices = Readonly<Record<(typeof kinds)[number], Map<number, Price[]>>>

function noPrices(): Prices {
  return { trade: new Map(), mark: new Map() }
}

function note({ trade, mark }: Prices, event: Event, atMs: number): void {
  if (event.type === 'Traded') {
    const { market, price, lots } = event
    push(trade, market, { atMs, price, lots })
  }
  if (event.type === 'MarkUpdated') push(mark, event.market, { atMs, price: event.mark, lots: 0 })
}

function push(to: Map<number, Price[]>, market: number, price: Price): void {
  const list = to.get(market)
  if (list === undefined) to.set(market, [price])
  else list.push(price)
}

/** Every interval of every market, whole and in random parts. */
function compare(fed: FedStore, prices: Prices, endMs: number, random: Random): void {
  for (const kind of kinds)
    for (const [market, list] of prices[kind])
      for (const interval of intervals) {
        const first = list[0]!.atMs
        const at = () => random.between(first - hourMs, endMs + hourMs)
        const [startMs, late] = [at(), at()].sort((one, other) => one - other)
        const limit = random.pick([1, 2, 17, 4_000])
        const queries = [
          { interval, startMs: 0, endMs, limit: 4_000 },
          { interval, startMs: endMs - hourMs, endMs, limit: 4_000 },
          { interval, startMs: startMs!, endMs: late!, limit },
        ]
        for (const query of queries)
          assert.deepEqual(
            fed.ask('candles', market, { kind, ...query }),
            naiveCandles(list, query, kind === 'trade'),
            `${kind} ${market} ${JSON.stringify(query)}`,
          )
      }
}

for (const seed of [0, 3, 16])
  test(`candles are those of a plain recount, at every point: world ${seed}`, () => {
    const { genesis, player } = playedWorld(seed, 700)
    const fed = new FedStore(reservedOf(genesis))
    const prices = noPrices()
    const random = new Random(seed)
    let read = 0
    player.batches.forEach((batch, index) => {
      fed.feed([batch])
      for (const { atMs, events } of player.outcomes.slice(read, read + batch.outcomes.length))
        for (const event of events) note(prices, event, atMs)
      read += batch.outcomes.length
      // Asking must not disturb what is still being added up.
      if (index % 40 === 0) compare(fed, prices, player.outcomes[read - 1]!.atMs, random)
    })
    compare(fed, prices, player.atMs, random)
    assert.ok(prices.trade.size > 0)
  })

test('right after a revert candles are those of its snapshot', () => {
  const { genesis, steps } = playedWorld(0, 600)
  const player = new Player(genesis, 0)
  const prices = noPrices()
  for (const step of steps.slice(0, 300))
    for (const event of player.play(step)) note(prices, event, step.atMs)
  player.snapshot('there')
  for (const step of steps.slice(300)) player.play(step)
  player.revert('there')
  const fed = new FedStore(reservedOf(genesis)).feed(player.batches)
  assert.ok(prices.trade.size > 0)
  compare(fed, prices, player.atMs, new Random(0))
})

test('where history begins in the middle, candles begin with the mark of that moment', () => {
  const atMs = 1_751_562_038_125
  const market = { market: 1, backstop: 4, unitValue: 1, oracle: 100, mark: 101, openInterest: 7 }
  const opening = { atMs, markets: [market], accounts: [], positions: [] }
  const fed = new FedStore(['fees', 'insurance', 'deficit'], { fromSeq: 5, opening })
  compare(
    fed,
    { trade: new Map(), mark: new Map([[1, [{ atMs, price: 101, lots: 0 }]]]) },
    atMs,
    new Random(1),
  )
})

test('a market without a price has no candles; the future has none either', () => {
  const { genesis, player } = playedWorld(0, 300)
  const fed = new FedStore(reservedOf(genesis)).feed(player.batches)
  const query = { kind: 'mark', interval: '1m', endMs: player.atMs, limit: 10 } as const
  assert.deepEqual(fed.ask('candles', 99, { ...query, startMs: 0 }), [])
  assert.deepEqual(fed.ask('candles', 1, { ...query, startMs: player.atMs + 60_000 }), [])
})

/** Minutes before `endMs` as simulated history, and the prices that they are made of. */
function drawnPast(endMs: number, minutes: number, random: Random) {
  const lists = { trade: [] as Price[], mark: [] as Price[] }
  let last = 0
  const bars = Array.from({ length: minutes }, (_, minute): PastBar => {
    const start = endMs - (minutes - minute) * 60_000
    const draw = () => random.between(100_000, 110_000)
    const trades = Array.from({ length: random.between(0, 4) }, (_, at) => {
      return { atMs: start + at, price: draw(), lots: random.between(1, 50) }
    })
    const marks = Array.from({ length: 3 }, (_, at) => ({
      atMs: start + at,
      price: draw(),
      lots: 0,
    }))
    lists.trade.push(...trades)
    lists.mark.push(...marks)
    const traded = trades.map(({ price }) => price)
    const marked = marks.map(({ price }) => price)
    last = traded.at(-1) ?? last
    return {
      start,
      volume: 0,
      lots: trades.reduce((sum, { lots }) => sum + lots, 0),
      trades: trades.length,
      first: traded[0] ?? 0,
      high: Math.max(0, ...traded),
      low: traded.length === 0 ? 0 : Math.min(...traded),
      last,
      oracle: 1,
      mark: marked.at(-1)!,
      markFirst: marked[0]!,
      markHigh: Math.max(...marked),
      markLow: Math.min(...marked),
    }
  })
  return { bars, lists }
}

test('past bars that come late are in every candle, as if they had always been', async () => {
  const { exchange, waker, sandbox } = sandboxScene('a late past')
  const fed = new FedStore(exchange.state.accounts.records.slice(1).map(({ address }) => address))
  const prices = noPrices()
  exchange.onBatch = (outcomes) => {
    fed.feed([{ timeline: 0, outcomes }])
    for (const outcome of outcomes)
      for (const event of eventsOf(outcome)) note(prices, event, outcome.atMs)
    waker.rearm()
  }
  await sandbox.start()
  const endMs = Math.floor(exchange.state.atMs / 60_000) * 60_000
  await sandbox.advance(7 * 60_000)
  const random = new Random(7)
  compare(fed, prices, exchange.state.atMs, random)
  // Rows that were not read yet are not lost by it.
  await sandbox.advance(2 * 60_000)
  // Longer than a day, in two parts, the second of which is written twice.
  const { bars, lists } = drawnPast(endMs, 1_500, random)
  for (const piece of [bars.slice(1_100), bars.slice(0, 1_100), bars.slice(0, 1_100)])
    await exchange.submit({ type: 'TellPast', market: 1 as MarketId, bars: pastText(piece) })
  for (const kind of kinds) prices[kind].set(1, [...lists[kind], ...prices[kind].get(1)!])
  compare(fed, prices, exchange.state.atMs, random)
  await sandbox.advance(20 * 60_000)
  compare(fed, prices, exchange.state.atMs, random)
  await sandbox.close()
})

/** Hours of engine time: three in the suite, a week with `CANDLE_HOURS=168 npm test -- candles`. */
const hours = +(process.env.CANDLE_HOURS ?? 3)

test(`candles of ${hours} hours of the sandbox, moved by its clock`, async () => {
  const { exchange, waker, sandbox } = sandboxScene('candles')
  const reserved = exchange.state.accounts.records.slice(1).map(({ address }) => address)
  const fed = new FedStore(reserved)
  const prices = noPrices()
  const wanted = new Set([kindOfEvent('Traded'), kindOfEvent('MarkUpdated')])
  exchange.onBatch = (outcomes) => {
    fed.feed([{ timeline: 0, outcomes }])
    for (const { log, first, end, atMs } of outcomes)
      for (let at = first; at < end; at = nextAfter(log.rows, at))
        if (wanted.has(kindAt(log.rows, at))) note(prices, log.read(at), atMs)
    waker.rearm()
  }
  await sandbox.start()
  const random = new Random(5)
  for (let hour = 0; hour < hours; hour += 3) {
    await sandbox.advance(3 * hourMs)
    if (hour % 24 === 0 || hour + 3 >= hours) compare(fed, prices, exchange.state.atMs, random)
  }
  await sandbox.close()
  assert.equal(prices.trade.size, exchange.state.markets.length - 1)
})
