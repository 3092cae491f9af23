import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EventLog } from '../src/core/engine.ts'
import { ChunkWriter } from '../src/projections/history/chunk.ts'
import type { CandleQuery } from '../src/projections/history/history.ts'
import { HistoryStore } from '../src/projections/history/store.ts'
import { retentionOf } from '../src/projections/history/store-file.ts'
import type { Outcome } from '../src/sequencer/outcome.ts'
import { intervals } from '../src/units/intervals.ts'
import { number } from '../test/support/program/options.ts'
import { benchOptions, whole } from './options.ts'

const { days, json, requireBars, say } = benchOptions({
  name: 'bench/candles',
  about:
    'Pages of candles from a year of minutes of eight markets, and the equity of an account ' +
    'that traded all year.',
  options: {
    days: number(365, 'days of history'),
  },
})

const markets = 8
const minuteMs = 60_000
const dayMs = 1_440 * minuteMs
const start = Date.UTC(2025, 0, 1)
const end = start + days * dayMs
/** A market trades once in this many minutes; the mark moves every minute. */
const tradeEvery = 20
const commitMinutes = 500
const pageMsMax = 100
const reads = 7

const folder = mkdtempSync(join(tmpdir(), 'openperp-bench-'))
const file = join(folder, 'history.db')
const store = new HistoryStore({
  ...{ file, exchange: 'bench', journalSeq: Number.MAX_SAFE_INTEGER },
  ...{ reserved: ['fees', 'insurance', 'deficit'], retention: retentionOf({}) },
})

let seq = 0
let history = 0
let lots = 0

function feed(log: EventLog, atMs: number): void {
  seq += 1
  const entry = { kind: 'command', command: { type: 'Tick' }, by: null } as const
  const rows = { first: 0, end: log.end, ownFirst: 0, ownEnd: 0 }
  const outcome: Outcome = { seq, atMs, entry, log, ...rows }
  const writer = new ChunkWriter()
  writer.add(outcome, writer.addTexts(log.texts))
  store.ingest(writer.take())
}

function open(): void {
  const log = new EventLog()
  for (const account of [4, 5])
    log.write({ type: 'AccountOpened', account, main: account, address: `trader ${account}` })
  const money = { amount: 1e12, balance: 1e12, pending: 0, deficit: 0 }
  const deposit = { account: 4, ...money, reference: 'bench' }
  log.write({ type: 'Deposited', ...deposit })
  for (let market = 1; market <= markets; market++)
    log.write({
      ...{ type: 'MarketListed', market, backstop: 10 + market, unitValue: 1_000 },
      symbol: `M${market}`,
    })
  feed(log, start)
}

/** One lot more long, by the first trader of the second. */
function trade(log: EventLog, market: number, price: number): void {
  const ids = { makerOrder: 1, takerOrder: 2, maker: 5, taker: 4 }
  const left = { makerRemaining: 1, takerRemaining: 1 }
  const value = price * 1_000
  const deal = { market, price, lots: 1, value, cause: 'normal', side: 'bid' } as const
  if (market === 1) lots += 1
  const book = { levelLots: 1, openInterest: lots, fees: 2 * history }
  log.write({
    ...{ type: 'Traded', history: history + 1, ...deal, ...ids, ...left, ...book },
    ...{ takerClosed: 0, takerClosedCost: 0, takerGained: 0, takerFee: 1 },
    ...{ takerLots: lots, takerCost: lots * value, takerBalance: 1e12 - history, takerWallet: 0 },
    ...{ makerClosed: 0, makerClosedCost: 0, makerGained: 0, makerFee: 1 },
    ...{ makerLots: -lots, makerCost: -lots * value, makerBalance: -history, makerWallet: 0 },
  })
  history += 2
}

function fill(): number {
  const began = performance.now()
  const log = new EventLog()
  for (let minute = 0; minute < days * 1_440; minute++) {
    log.clear()
    for (let market = 1; market <= markets; market++) {
      const mark = 50_000 + ((minute * (market + 6)) % 977)
      const prices = { oracle: mark * 1_000_000, mark, basis: 0, catchingUp: false }
      log.write({ type: 'MarkUpdated', market, ...prices })
      if (minute % tradeEvery === market) trade(log, market, mark)
    }
    feed(log, start + minute * minuteMs + 7)
    if (minute % commitMinutes === 0) store.commit()
  }
  store.commit()
  return (performance.now() - began) / 1_000
}

/** Shortest of several runs, in milliseconds: the time that the store needs. */
function timed(work: () => void): number {
  const times = Array.from({ length: reads }, () => {
    const began = performance.now()
    work()
    return performance.now() - began
  })
  return Math.min(...times)
}

function page(kind: CandleQuery['kind'], interval: CandleQuery['interval'], startMs: number) {
  const query: CandleQuery = { kind, interval, startMs, endMs: end - 1, limit: 4_000 }
  return timed(() => store.read('candles', [1, query]))
}

open()
const seconds = fill()
const figures = intervals.flatMap((interval) => [
  { what: `${interval}, 4,000 from the beginning`, ms: page('trade', interval, start) },
  { what: `${interval}, mark, the newest day`, ms: page('mark', interval, end - dayMs) },
])
for (const points of [100, 200]) {
  const stepMs = Math.ceil((days * dayMs) / points / minuteMs) * minuteMs
  const query = { startMs: start, endMs: end - 1, stepMs }
  const ms = timed(() => store.read('equity', ['trader 4', query]))
  figures.push({ what: `equity of ${days} days, ${points} points`, ms })
}
store.close()
const bytes = statSync(file).size
rmSync(folder, { recursive: true })
const slowest = Math.max(...figures.map(({ ms }) => ms))
if (json) console.log(JSON.stringify({ days, seconds, bytes, figures }))
else {
  say(`${whole(days * 1_440 * markets)} minutes of ${markets} markets in ${whole(seconds)} s`)
  say(`${whole(bytes / 1_048_576)} MiB`)
  for (const { what, ms } of figures) say(`${ms.toPrecision(2).padStart(8)} ms  ${what}`)
}
requireBars(slowest > pageMsMax ? [`the slowest page took ${slowest.toPrecision(2)} ms`] : [])
