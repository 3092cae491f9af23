import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from '../src/core/commands/commands.ts'
import { apply, EventLog } from '../src/core/engine.ts'
import type { EventOf } from '../src/core/events/event-fields.ts'
import { createHistory, type OpenHistory } from '../src/projections/history/create-history.ts'
import { createMarketStatistics } from '../src/projections/market-statistics.ts'
import type { Batch, Outcome } from '../src/sequencer/outcome.ts'
import type { TimeMs } from '../src/units/units.ts'
import { causes, fillKinds, roles } from '../src/words/order-words.ts'
import { number } from '../test/support/program/options.ts'
import { LoadRun, placeCommand } from './load-run.ts'
import { benchOptions, timed, whole } from './options.ts'

/** Pages are read as deep as a fifth of the rows, and of half of them. */
const rowsMin = 250_000
const {
  rows: rowCount,
  json,
  requireBars,
  say,
} = benchOptions({
  name: 'bench/history',
  about:
    'Does the history store keep up with trading, and does a page cost the same with any number ' +
    'of rows? First the core trades and its outcomes are fed. Then the store is filled with ' +
    'rows, and pages are read while nothing else happens and while it is fed.',
  options: {
    rows: number(1_000_000, 'rows of the store; 10,000,000 take minutes and 2 GB', {
      min: rowsMin,
    }),
  },
})

const fillsPerSecondMin = 5_000
const pageMsMax = 5
const feedUsMax = 2
const traders = 1_000
const tradedFills = 40_000
const batchSize = 32
/** Every fourth row is this account's. */
const whale = 10
const reads = 200
/** For information: ten concurrent pages, and a read that waits for the rows fed just before it. */
const withoutBar = ['1,000 rows', 'offset 0, while fed']

/** The core trades; each batch has its own log, so that feeding can be timed alone. */
class Trading {
  readonly run = new LoadRun()
  readonly batches: Batch[] = []
  readonly addresses: string[] = []
  private outcomes: Outcome[] = []
  private log = new EventLog()

  trade(): void {
    for (const symbol of ['BTC-USD', 'ETH-USD']) this.listMarket(symbol)
    for (let n = 0; n < traders; n++) this.deposit(`trader ${n}`)
    const accounts = this.addresses.map(
      (address) => this.run.state.accounts.byAddress.get(address)!,
    )
    for (let n = 0; n < tradedFills / 2; n++) {
      const order = { market: 1 + (n % 2), price: 50_000 + (n % 11), size: 10 }
      const maker = accounts[(n * 7) % traders]!
      const taker = accounts[(n * 7 + 3) % traders]!
      this.submit(placeCommand({ ...order, account: maker, side: 'ask', tif: 'GTC' }))
      this.submit(placeCommand({ ...order, account: taker, side: 'bid', tif: 'IOC' }))
      if (n % 50 === 0) this.run.atMs += 1
    }
    this.endBatch()
  }

  private listMarket(symbol: string): void {
    this.take(() => this.run.listMarket(symbol, 50_000))
  }

  private deposit(address: string): void {
    this.addresses.push(address)
    this.take(() => this.run.deposit(address, 1_000_000_000_000))
  }

  private submit(command: Command): void {
    const { state, atMs } = this.run
    const first = this.log.end
    apply(state, { seq: state.seq + 1, atMs: atMs as TimeMs, command }, this.log)
    this.record(command, first)
  }

  /** Copies the events of `work` from the log of the run. */
  private take(work: () => void): void {
    const first = this.log.end
    work()
    for (const event of this.run.log.readAll()) this.log.write(event)
    this.record({ type: 'Tick' }, first)
  }

  private record(command: Command, first: number): void {
    const { seq, atMs } = this.run.state
    const entry = { kind: 'command', command, by: null } as const
    const { end } = this.log
    const own = { ownFirst: first, ownEnd: end }
    this.outcomes.push({ seq, atMs, entry, log: this.log, first, end, ...own })
    if (this.outcomes.length === batchSize) this.endBatch()
  }

  private endBatch(): void {
    this.batches.push({ timeline: 0, outcomes: this.outcomes })
    this.outcomes = []
    this.log = new EventLog()
  }
}

/** Batches with fills only, as large as a message to the thread. */
class Rows {
  private readonly log = new EventLog()
  private seq: number
  private history = tradedFills
  private atMs: number

  constructor(seq: number, atMs: number) {
    this.seq = seq
    this.atMs = atMs
  }

  next(count: number): Batch {
    const { log } = this
    log.clear()
    for (let n = 0; n < count; n++) {
      this.history += 1
      log.write(fillOf(this.history))
    }
    this.seq += 1
    this.atMs += 50
    const entry = { kind: 'command', command: { type: 'Tick' }, by: null } as const
    const rows = { log, first: 0, end: log.end, ownFirst: 0, ownEnd: log.end }
    return { timeline: 0, outcomes: [{ seq: this.seq, atMs: this.atMs, entry, ...rows }] }
  }

  get newest(): Readonly<{ seq: number; atMs: number; history: number }> {
    return { seq: this.seq, atMs: this.atMs, history: this.history }
  }
}

function fillOf(history: number): EventOf<'Filled'> {
  const account = history % 4 === 0 ? whale : 20 + ((history * 7_919) % 900)
  const entryCost = 60_000_000_000 + history
  const entryLots = 1_000 + (history % 9_999)
  return {
    type: 'Filled',
    history,
    account,
    counterparty: 20 + ((history * 31) % 900),
    market: 1 + (history % 8),
    kind: fillKinds[history % 4]!,
    role: roles[history % 2]!,
    cause: causes[0],
    lots: 1 + (history % 977),
    price: 50_000 + (history % 999),
    value: 50_000_000 + history,
    pnl: -400,
    entryCost,
    entryLots,
    positionLots: entryLots,
    positionCost: entryCost,
    balance: 1_000_000_000 - history,
    wallet: 0,
    openInterest: entryLots,
  }
}

async function fill(open: OpenHistory, rows: Rows): Promise<void> {
  const size = 2_000
  while (rows.newest.history < rowCount) {
    open.feed(rows.next(size))
    if (open.backlog() > 50_000) await open.drained()
  }
  await open.drained()
}

type Spread = Readonly<{ median: number; p99: number }>

async function spreadOf(work: (n: number) => Promise<unknown>): Promise<Spread> {
  const times: number[] = []
  for (let n = 0; n < reads; n++) {
    const start = performance.now()
    await work(n)
    times.push(performance.now() - start)
  }
  times.sort((one, other) => one - other)
  return { median: times[reads / 2]!, p99: times[Math.floor(reads * 0.99)]! }
}

async function measurePages(open: OpenHistory, rows: Rows, address: string) {
  const { history } = open
  const { seq, atMs, history: newest } = rows.newest
  const all = { market: null, startMs: null, endMs: null, limit: 100 }
  const deep = Math.min(1_000_000, Math.floor(rowCount / 5))
  const page = async (n: number, change: object) => {
    const query = { ...all, account: address, offset: n, ...change }
    const found = await history.positionHistory(seq, query)
    if (found.length !== 100) throw new Error(`${found.length} rows instead of 100`)
  }
  const cursor = Math.min(400_000, Math.floor(rowCount / 2))
  const since = Math.floor(atMs - (rowCount / 2_000) * 25)
  return {
    'offset 0': await spreadOf((n) => page(n % 5, {})),
    [`offset ${whole(deep)}`]: await spreadOf((n) => page(deep - n * 13, {})),
    [`offset ${whole(deep)}, all accounts`]: await spreadOf((n) =>
      page(deep - n * 13, { account: null }),
    ),
    'one market, since a time': await spreadOf((n) =>
      page(100 + n * 7, { account: null, market: 3, startMs: since - n }),
    ),
    'page 1,000 by cursor': await spreadOf((n) =>
      history.fills(seq, address, { ...all, before: newest - cursor - n * 31 }),
    ),
    '1,000 rows': await spreadOf((n) =>
      history.positionHistory(seq, { ...all, account: address, limit: 1_000, offset: n }),
    ),
  }
}

/** Pages while the store is fed at the rate of the bar. */
async function measureBusy(open: OpenHistory, rows: Rows, address: string): Promise<Spread> {
  const query = { account: address, market: null, startMs: null, endMs: null }
  const timer = setInterval(() => open.feed(rows.next(fillsPerSecondMin / 100)), 10)
  const spread = await spreadOf(async (n) => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    const { seq } = rows.newest
    await open.history.positionHistory(seq, { ...query, limit: 100, offset: n })
  })
  clearInterval(timer)
  await open.drained()
  return spread
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-history-'))
  const file = join(folder, 'history.db')
  const trading = new Trading()
  trading.trade()
  const events = trading.batches.flatMap(({ outcomes }) => outcomes)
  const eventCount = events.reduce((sum, { first, end }) => sum + end - first, 0)
  const options = { file, exchange: 'bench', journalSeq: 1e12, waitMs: 60_000 }
  const open = await createHistory({ ...options, reserved: ['fees', 'insurance', 'deficit'] })
  const start = performance.now()
  const fed = timed(() => {
    for (const batch of trading.batches) open.feed(batch)
  })
  await open.drained()
  const seconds = (performance.now() - start) / 1_000
  const perSecond = tradedFills / seconds
  const feedUs = (fed.ms * 1_000) / eventCount
  say(`trading     ${whole(tradedFills)} fills, ${whole(eventCount)} events with their orders`)
  say(`ingest      ${whole(perSecond)} fills/s, ${whole(eventCount / seconds)} events/s`)
  say(`feed        ${feedUs.toFixed(2)} µs an event in the trading thread`)
  const live = createMarketStatistics()
  const counted = timed(() => {
    for (const batch of trading.batches) live.feed(batch)
  })
  say(`statistics  ${((counted.ms * 1_000) / eventCount).toFixed(2)} µs an event`)
  const rows = new Rows(trading.run.state.seq, trading.run.atMs)
  const filling = performance.now()
  await fill(open, rows)
  const rate = (rowCount - tradedFills) / ((performance.now() - filling) / 1_000)
  say(`filled      to ${whole(rowCount)} rows, ${whole(rate)} rows/s`)
  const address = trading.addresses[whale - 6]!
  const pages: Record<string, Spread> = await measurePages(open, rows, address)
  pages['offset 0, while fed'] = await measureBusy(open, rows, address)
  for (const [name, { median, p99 }] of Object.entries(pages))
    say(`${name.padEnd(32)} ${median.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`)
  await open.close()
  const bytes = statSync(file).size
  say(`on disk     ${whole(bytes / rowCount)} bytes a fill`)
  rmSync(folder, { recursive: true })
  const found = { rows: rowCount, fills_per_second: perSecond, feed_us: feedUs, pages, bytes }
  if (json) console.log(JSON.stringify(found))
  const missed = Object.entries(pages)
    .filter(([name, { median }]) => !withoutBar.includes(name) && median >= pageMsMax)
    .map(([name]) => `${name} not below ${pageMsMax} ms`)
  if (perSecond < fillsPerSecondMin) missed.push(`ingest below ${fillsPerSecondMin} fills/s`)
  if (feedUs > feedUsMax) missed.push(`feed above ${feedUsMax} µs an event`)
  requireBars(missed)
}

await main()
