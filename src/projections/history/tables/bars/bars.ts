// Bars of each market by minute, and combined into longer bars, so that candles of any interval are
// made from few rows. An interval without events has no row. Current bars are kept in memory. The
// current minute is written before any read. Longer bars are written when they end, before candles
// are read, and with every commit, so that other processes find them in the file.

import { columnsOf } from '../../../../core/index.ts'
import { pastBarsOf } from '../../../../sequencer/past-bars.ts'
import { type Interval, intervalLength } from '../../../../units/intervals.ts'
import type { FedOutcome } from '../../chunk.ts'
import { type Database, type Projection, prepare } from '../../projection.ts'
import type { Cells } from '../../rows/column.ts'
import { pick, select } from '../../rows/select.ts'
import { insertInto, namesOf } from '../../rows/table.ts'
import { selectWire } from '../../rows/wire-row.ts'
import { type Bar, bars, extremesRow, minuteRow, savedBars } from '../../schema/market-table.ts'
import type { Opening } from '../balances.ts'
import { addBar, addMark, addTrade, newBar } from './bar.ts'

const marked = columnsOf('MarkUpdated')
const past = columnsOf('PastTold')
const traded = columnsOf('Traded')
const filled = columnsOf('Filled')
const minuteMs = 60_000

/** Lengths of the bars, shortest first. Each interval of candles consists of at most three bars of
 *  one length; weeks and months consist of days. */
export const barLengths = [1, 5, 30, 60, 240, 1_440].map((minutes) => minutes * minuteMs)

/** Index of the longest bar that divides the interval; for weeks and months, of the day. */
export function barLevelOf(interval: Interval): number {
  const days = interval === '1w' || interval === '1M'
  const length = intervalLength(days ? '1d' : interval)
  return barLengths.findLastIndex((bar) => length % bar === 0)
}

/** Each of the four is the first minute with that extreme. */
const extremeOf = (name: string, order: 'ASC' | 'DESC') =>
  `(SELECT ${name}, start FROM minutes WHERE ${name} > 0 ORDER BY ${name} ${order}, start LIMIT 1)`
const extremesSql = `FROM (WITH minutes AS MATERIALIZED
    (SELECT start, markHigh, markLow, CASE WHEN trades > 0 THEN high ELSE 0 END AS high,
       CASE WHEN trades > 0 THEN low ELSE 0 END AS low
     FROM bars WHERE level = 0 AND market = ? AND start >= ?)
  SELECT a.markHigh, a.start AS markHighAt, b.markLow, b.start AS markLowAt,
    c.high, c.start AS highAt, d.low, d.start AS lowAt
  FROM (SELECT 1) LEFT JOIN ${extremeOf('markHigh', 'DESC')} a
    LEFT JOIN ${extremeOf('markLow', 'ASC')} b
    LEFT JOIN ${extremeOf('high', 'DESC')} c LEFT JOIN ${extremeOf('low', 'ASC')} d)`

/** The current bars of a market, one per length, and whether they have to be written. */
type Current = { readonly bars: Bar[]; minuteChanged: boolean; longerChanged: boolean }

export class Bars implements Projection<null> {
  readonly reads = {
    MarkUpdated: (outcome, at) => {
      const oracle = outcome.rows[at + marked.oracle]!
      const mark = outcome.rows[at + marked.mark]!
      for (const bar of this.at(outcome, outcome.rows[at + marked.market]!))
        addMark(bar, oracle, mark)
    },
    Traded: (outcome, at) => {
      const { rows } = outcome
      const bars = this.at(outcome, rows[at + traded.market]!)
      for (const bar of bars) addTrade(bar, rows[at + traded.price]!, rows[at + traded.lots]!)
      bars[0]!.volume += rows[at + traded.value]!
      for (const bar of bars) bar.openInterest = rows[at + traded.openInterest]!
    },
    // A forced transfer or a settlement is not a trade of the market, but changes positions.
    Filled: (outcome, at) => {
      const { rows } = outcome
      for (const bar of this.at(outcome, rows[at + filled.market]!))
        bar.openInterest = rows[at + filled.openInterest]!
    },
    PastTold: (outcome, at) =>
      this.takePast(outcome.rows[at + past.market]!, outcome.text(outcome.rows[at + past.bars]!)!),
  } satisfies Projection['reads']
  private readonly current = new Map<number, Current>()
  private readonly put
  private readonly newest
  private readonly since
  private readonly between
  private readonly before
  private readonly best
  private readonly keep
  private readonly saved
  private readonly cut
  private readonly restore
  private readonly unlisted
  private readonly unsave

  /** `opening`: prices at the beginning of a partial history. */
  constructor(database: Database, opening?: Opening) {
    this.put = insertInto(database, bars, 'INSERT OR REPLACE')
    const of = 'FROM bars WHERE level = ? AND market = ?'
    this.newest = select(database, bars.columns, `${of} ORDER BY start DESC LIMIT 1`)
    this.since = selectWire(database, minuteRow, `${of} AND start >= ? ORDER BY start`)
    const between = `${of} AND start >= ? AND start < ? ORDER BY start`
    this.between = select(database, bars.columns, between)
    const before = `${of} AND start < ? ORDER BY start DESC LIMIT 1`
    this.before = selectWire(database, minuteRow, before)
    this.best = selectWire(database, extremesRow, extremesSql)
    const names = namesOf(bars).join(', ')
    this.keep = prepare(
      database,
      `INSERT INTO saved_bars (snapshot, ${names}) SELECT ?, ${names} FROM bars b
       WHERE level = 0 AND start =
         (SELECT max(start) FROM bars WHERE level = 0 AND market = b.market)
       AND market IN (SELECT DISTINCT market FROM bars WHERE level = 0)`,
    )
    const saved = pick(savedBars, 'market', 'start')
    this.saved = select(database, saved, 'FROM saved_bars WHERE snapshot = ?')
    this.cut = prepare(database, 'DELETE FROM bars WHERE level = ? AND market = ? AND start >= ?')
    this.restore = prepare(
      database,
      `INSERT INTO bars (${names}) SELECT ${names} FROM saved_bars WHERE snapshot = ?`,
    )
    this.unlisted = prepare(
      database,
      `DELETE FROM bars WHERE market NOT IN
         (SELECT market FROM saved_bars WHERE snapshot = ?)`,
    )
    this.unsave = prepare(database, 'DELETE FROM saved_bars WHERE snapshot > ?')
    for (const { market, oracle, mark, openInterest } of opening?.markets ?? []) {
      if (this.newest.get(0, market) !== undefined) continue
      const start = Math.floor(opening!.atMs / minuteMs) * minuteMs
      const bar = { ...newBar(0, market, start), openInterest }
      addMark(bar, oracle, mark)
      this.put(bar)
      this.addUpAt(market, bar.start)
    }
  }

  /** Returns the market's current bars at this time. */
  private at({ atMs }: FedOutcome, market: number): readonly Bar[] {
    const current = this.current.get(market) ?? this.load(market, atMs)
    current.minuteChanged = true
    current.longerChanged = true
    const { bars } = current
    // A longer bar never ends before the shorter ones.
    for (let level = 0; level < bars.length; level++) {
      const bar = bars[level]!
      const length = barLengths[level]!
      if (atMs < bar.start + length) break
      this.put(bar)
      bars[level] = newBar(level, market, Math.floor(atMs / length) * length, bar)
    }
    return bars
  }

  /** Loads the bars of the newest minute. */
  private load(market: number, atMs: number): Current {
    const found = this.newest.get(0, market)
    const minute = found?.start ?? Math.floor(atMs / minuteMs) * minuteMs
    const bars = barLengths.map((length, level) =>
      level === 0 && found !== undefined
        ? found
        : this.addedUp(level, market, Math.floor(minute / length) * length),
    )
    const loaded = { bars, minuteChanged: false, longerChanged: false }
    this.current.set(market, loaded)
    return loaded
  }

  private addedUp(level: number, market: number, start: number): Bar {
    const bar = newBar(level, market, start)
    const end = start + barLengths[level]!
    for (const minute of this.between.all(0, market, start, end)) addBar(bar, minute)
    return bar
  }

  /** Writes the longer bars of this moment, summed from their minutes. */
  private addUpAt(market: number, atMs: number): void {
    for (let level = 1; level < barLengths.length; level++) {
      const length = barLengths[level]!
      this.put(this.addedUp(level, market, Math.floor(atMs / length) * length))
    }
  }

  /** Stores late minutes from before the market began. Longer bars that contain any of them are
   *  recomputed. */
  private takePast(market: number, text: string): void {
    this.flush()
    this.writeLonger(market)
    this.current.delete(market)
    const bars = pastBarsOf(text)
    for (const bar of bars) this.put({ level: 0, market, openInterest: 0, ...bar })
    for (let level = 1; level < barLengths.length; level++) {
      const length = barLengths[level]!
      const starts = new Set(bars.map(({ start }) => Math.floor(start / length) * length))
      for (const start of starts) this.put(this.addedUp(level, market, start))
    }
  }

  /** Returns the minutes from this one on, and the one before it, if any; oldest first. */
  minutesSince(market: number, minute: number): Cells[] {
    const start = minute * minuteMs
    return [...this.before(0, market, start), ...this.since(0, market, start)]
  }

  /** Extremes of the minutes that begin at this time or later. */
  extremes(market: number, sinceMs: number): Cells[] {
    return this.best(market, sinceMs)
  }

  /** Writes the current longer bars of a market. */
  writeLonger(market: number): void {
    const current = this.current.get(market)
    if (current?.longerChanged !== true) return
    for (let level = 1; level < barLengths.length; level++) this.put(current.bars[level]!)
    current.longerChanged = false
  }

  flush(): void {
    for (const current of this.current.values()) {
      if (current.minuteChanged) this.put(current.bars[0]!)
      current.minuteChanged = false
    }
  }

  finish(): void {
    for (const market of this.current.keys()) this.writeLonger(market)
  }

  save(snapshot: number): void {
    this.flush()
    this.keep.run(snapshot)
  }

  mark() {
    return null
  }

  resume(): void {
    this.current.clear()
  }

  revert(_mark: null, snapshot: number): void {
    this.unlisted.run(snapshot)
    for (const { market, start } of this.saved.all(snapshot))
      barLengths.forEach((length, level) => {
        this.cut.run(level, market, Math.floor(start / length) * length)
      })
    this.restore.run(snapshot)
    for (const { market, start } of this.saved.all(snapshot)) this.addUpAt(market, start)
    this.unsave.run(snapshot)
  }
}
