// Public figures of a market that the state does not have: the newest trades, the volume and the
// oracle price of 24 hours ago. Updated by events in the trading thread, with limited memory.

import {
  bitsOf,
  columnsOf,
  kindAt,
  kindOfEvent,
  nextAfter,
  takerKindOf,
  wordAt,
} from '../core/index.ts'
import { type Batch, kindOf, type Outcome } from '../sequencer/outcome.ts'
import { pastBarsOf } from '../sequencer/past-bars.ts'
import { causes, sides } from '../words/order-words.ts'
import type { MinuteRow, TradeRow } from './history/history.ts'
import { MarketDay } from './market-day.ts'

export { dayMinutes, minuteMs, tapeLength } from './market-day.ts'

export type MarketStatistics = Readonly<{
  /** Newest first. */
  trades(market: number, limit: number): readonly TradeRow[]
  /** Volume of the last 24 hours of engine time, in micro-dollars. */
  volume24h(market: number, atMs: number): number
  /** Oracle price 24 hours ago in millionths of a tick; for younger markets the oldest known
   *  price. */
  oracle24hAgo(market: number, atMs: number): number
}>

/** Initial statistics from the history store, as of `seq`. */
export type Recent = Readonly<{
  seq: number
  trades: readonly TradeRow[]
  minutes: readonly MinuteRow[]
}>

export type FedStatistics = Readonly<{
  statistics: MarketStatistics
  /** Feeds a durable batch. Outcomes that were fed before are skipped. A revert clears the
   *  statistics, and later batches are queued until `load`. */
  feed(batch: Batch): void
  /** Loads stored values, then applies the queued batches. Called at a start before anything is
   *  fed, and after a revert. Values older than the current data are ignored. */
  load(recent: Recent): void
  /** Whether a revert cleared the statistics, so that `load` must be called. */
  needsLoad(): boolean
  /** Saves the current statistics, for a revert without a store to load them from. */
  save(): SavedStatistics
  /** Restores saved statistics, instead of `load`. */
  restore(saved: SavedStatistics): void
}>

export type SavedStatistics = readonly (MarketDay | undefined)[]

const TRADED = kindOfEvent('Traded')
const MARK_UPDATED = kindOfEvent('MarkUpdated')
const PAST_TOLD = kindOfEvent('PastTold')
const traded = columnsOf('Traded')
const tradedAs = bitsOf('Traded')
const marked = columnsOf('MarkUpdated')
const past = columnsOf('PastTold')

type Fact = (dayOf: (market: number) => MarketDay) => void

/** A fact that was queued until `load`. */
type Late = Readonly<{ seq: number; apply(): void }>

export function createMarketStatistics(): FedStatistics {
  let days: (MarketDay | undefined)[] = []
  let seq = 0
  let late: Late[] | null = null
  let revertedAt = 0

  const dayOf = (market: number): MarketDay => {
    days[market] ??= new MarketDay()
    return days[market]
  }

  /** Applies a fact now, or after `load`. */
  const apply = (at: number, fact: () => void): void => {
    if (late === null) fact()
    else late.push({ seq: at, apply: fact })
  }

  function takeEvent(outcome: Outcome, at: number): void {
    const fact = factOf(outcome, at)
    if (fact !== null) apply(outcome.seq, () => fact(dayOf))
  }

  function take(outcome: Outcome): void {
    seq = outcome.seq
    if (kindOf(outcome) === 'revert') {
      days = []
      late = []
      revertedAt = outcome.seq
      return
    }
    const { rows } = outcome.log
    for (let at = outcome.first; at < outcome.end; at = nextAfter(rows, at)) takeEvent(outcome, at)
  }

  function load(recent: Recent): void {
    // The answer is from before the last revert, or is repeated. The current data is newer.
    if (recent.seq < revertedAt || (late === null && recent.seq < seq)) return
    const waiting = late ?? []
    late = null
    days = []
    seq = Math.max(seq, recent.seq)
    for (const row of recent.minutes) dayOf(row.market).hadMinute(row)
    for (const trade of [...recent.trades].reverse()) dayOf(trade.market).hadTrade(trade)
    for (const fact of waiting) if (fact.seq > recent.seq) fact.apply()
  }

  return {
    statistics: statisticsOf((market) => days[market]),
    feed({ outcomes }) {
      for (const outcome of outcomes) if (outcome.seq > seq) take(outcome)
    },
    load,
    save: () => copiesOf(days),
    restore(saved) {
      days = copiesOf(saved)
      late = null
    },
    needsLoad: () => late !== null,
  }
}

/** The statistics of an event; `null` if it has none. The event is not read again. */
function factOf({ log, seq, atMs }: Outcome, at: number): Fact | null {
  const { rows } = log
  const kind = kindAt(rows, at)
  if (kind === MARK_UPDATED) {
    const oracle = rows[at + marked.oracle]!
    const market = rows[at + marked.market]!
    return (dayOf) => dayOf(market).priced(oracle, atMs)
  }
  if (kind === PAST_TOLD) {
    const market = rows[at + past.market]!
    const bars = pastBarsOf(log.texts[rows[at + past.bars]! - 1]!)
    return (dayOf) => dayOf(market).hadPast(bars)
  }
  if (kind !== TRADED) return null
  const value = rows[at + traded.value]!
  const trade = tradeAt(rows, at, { seq, atMs })
  return (dayOf) => dayOf(trade.market).traded(trade, value)
}

function statisticsOf(dayOf: (market: number) => MarketDay | undefined): MarketStatistics {
  return {
    trades: (market, limit) => dayOf(market)?.trades(limit) ?? [],
    volume24h: (market, atMs) => dayOf(market)?.volume(atMs) ?? 0,
    oracle24hAgo: (market, atMs) => dayOf(market)?.oracleDayAgo(atMs) ?? 0,
  }
}

function copiesOf(days: SavedStatistics): (MarketDay | undefined)[] {
  return Array.from(days, (day) => day?.copy())
}

function tradeAt(
  rows: Float64Array,
  at: number,
  place: Readonly<{ seq: number; atMs: number }>,
): TradeRow {
  const side = sides[wordAt(rows, at, tradedAs.side)]!
  const cause = causes[wordAt(rows, at, tradedAs.cause)]!
  return {
    history: rows[at + traded.history]!,
    ...place,
    market: rows[at + traded.market]!,
    kind: takerKindOf({ side, cause, takerClosed: rows[at + traded.takerClosed]! }),
    side,
    cause,
    price: rows[at + traded.price]!,
    lots: rows[at + traded.lots]!,
  }
}
