// What each market did in each minute: trades by price, volume, oracle and mark at its end. A row
// exists for minutes in which something happened. The minute a market is in is kept in memory, and
// written before anybody reads.

import { columnsOf } from '../../event-columns.ts'
import type { MatchReader, MatchSide } from '../../match-reader.ts'
import type { Told } from '../chunk.ts'
import { type Cells, type Database, type Projection, prepare } from '../projection.ts'

const marked = columnsOf('MarkUpdated')
const minuteMs = 60_000

type Minute = {
  readonly market: number
  minute: number
  volume: number
  trades: number
  first: number
  high: number
  low: number
  last: number
  oracle: number
  mark: number
  dirty: boolean
}

const columns = 'market, minute, volume, trades, first, high, low, last, oracle, mark'

export class Minutes implements Projection {
  readonly reads = {
    MarkUpdated: (told, at) => {
      const minute = this.at(told, told.rows[at + marked.market]!)
      minute.oracle = told.rows[at + marked.oracle]!
      minute.mark = told.rows[at + marked.mark]!
    },
  } satisfies Projection['reads']
  private readonly current = new Map<number, Minute>()
  private readonly put
  private readonly newest
  private readonly since
  private readonly before
  private readonly keep
  private readonly saved
  private readonly cut
  private readonly restore
  private readonly unlisted
  private readonly unsave

  constructor(database: Database) {
    const values = '?, ?, ?, ?, ?, ?, ?, ?, ?, ?'
    this.put = prepare(database, `INSERT OR REPLACE INTO minutes VALUES (${values})`)
    const of = `SELECT ${columns} FROM minutes WHERE market = ?`
    this.newest = prepare(database, `${of} ORDER BY minute DESC LIMIT 1`)
    this.since = prepare(database, `${of} AND minute >= ? ORDER BY minute`)
    this.before = prepare(database, `${of} AND minute < ? ORDER BY minute DESC LIMIT 1`)
    this.keep = prepare(
      database,
      `INSERT INTO saved_minutes SELECT ?, * FROM minutes m WHERE minute =
         (SELECT max(minute) FROM minutes WHERE market = m.market)
       AND market IN (SELECT DISTINCT market FROM minutes)`,
    )
    this.saved = prepare(database, 'SELECT market, minute FROM saved_minutes WHERE snapshot = ?')
    this.cut = prepare(database, 'DELETE FROM minutes WHERE market = ? AND minute >= ?')
    this.restore = prepare(
      database,
      `INSERT INTO minutes SELECT ${columns} FROM saved_minutes WHERE snapshot = ?`,
    )
    this.unlisted = prepare(
      database,
      `DELETE FROM minutes WHERE market NOT IN
         (SELECT market FROM saved_minutes WHERE snapshot = ?)`,
    )
    this.unsave = prepare(database, 'DELETE FROM saved_minutes WHERE snapshot > ?')
  }

  matched(told: Told, match: MatchReader, side: MatchSide): void {
    if (side !== 'taker') return
    const { price } = match
    const minute = this.at(told, match.market)
    if (minute.trades === 0) {
      minute.first = price
      minute.high = price
      minute.low = price
    }
    minute.volume += match.value
    minute.trades += 1
    minute.high = Math.max(minute.high, price)
    minute.low = Math.min(minute.low, price)
    minute.last = price
  }

  /** The market's minute at this time; a new one begins with the prices of the one before. */
  private at(told: Told, market: number): Minute {
    const now = Math.floor(told.atMs / minuteMs)
    const current = this.current.get(market) ?? this.load(market, now)
    if (current.minute !== now) {
      this.write(current)
      Object.assign(current, { minute: now, volume: 0, trades: 0 })
      Object.assign(current, { first: 0, high: 0, low: 0, last: 0 })
    }
    current.dirty = true
    return current
  }

  private load(market: number, now: number): Minute {
    const found = (this.newest.get(market) as number[] | undefined) ?? [market, now]
    const [, minute = now, volume = 0, trades = 0, first = 0, high = 0, low = 0, last = 0] = found
    const [oracle = 0, mark = 0] = found.slice(8)
    const prices = { first, high, low, last, oracle, mark }
    const loaded: Minute = { market, minute, volume, trades, ...prices, dirty: false }
    this.current.set(market, loaded)
    return loaded
  }

  private write(row: Minute): void {
    if (!row.dirty) return
    const { market, minute, volume, trades, first, high, low, last, oracle, mark } = row
    this.put.run(market, minute, volume, trades, first, high, low, last, oracle, mark)
    row.dirty = false
  }

  /** Rows from this minute on, and the one before it, if there is one; oldest first. */
  rowsSince(market: number, minute: number): Cells[] {
    const before = this.before.all(market, minute) as Cells[]
    return [...before, ...(this.since.all(market, minute) as Cells[])]
  }

  flush(): void {
    for (const minute of this.current.values()) this.write(minute)
  }

  save(snapshot: number): void {
    this.flush()
    this.keep.run(snapshot)
  }

  mark() {
    return []
  }

  resume(): void {
    this.current.clear()
  }

  revert(_mark: readonly number[], snapshot: number): void {
    this.unlisted.run(snapshot)
    for (const [market, minute] of this.saved.all(snapshot) as [number, number][])
      this.cut.run(market, minute)
    this.restore.run(snapshot)
    this.unsave.run(snapshot)
  }
}
