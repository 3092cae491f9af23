// The public tape: one row per match, of which the newest of each market are kept.

import { columnsOf, takerKindOf } from '../../../core/index.ts'
import { causes, fillKinds, sides } from '../../../words/order-words.ts'
import type { FedOutcome, Trade } from '../chunk.ts'
import type { TapeQuery, TradedQuery } from '../history.ts'
import {
  type Database,
  type NewestRow,
  type Projection,
  prepare,
  type Retention,
} from '../projection.ts'
import type { Cells } from '../rows/column.ts'
import { pick, select } from '../rows/select.ts'
import { insertInto } from '../rows/table.ts'
import { selectWire } from '../rows/wire-row.ts'
import { tradedRow, tradeRow, trades } from '../schema/market-table.ts'
import { TimeIndex } from './time-index.ts'

const listed = columnsOf('MarketListed')
const { columns: trade } = trades

/** Trades that one query reads. */
const countedMax = 100_000

type Mark = NewestRow & Readonly<{ markets: number }>

export class Trades implements Projection<Mark> {
  readonly reads = {
    MarketListed: (outcome, at) => {
      this.markets = outcome.rows[at + listed.market]!
    },
    Traded: (outcome, at) => this.add(outcome, outcome.traded(at)),
  } satisfies Projection['reads']
  private last = 0
  /** Maximum market id. */
  private markets = 0
  private frozen = 0
  private pruneDue = false
  private readonly retention
  private readonly insert
  private readonly newest
  private readonly sum
  private readonly times
  private readonly window
  private readonly drop
  private readonly cut

  /** `markets`: number of markets before the first outcome. */
  constructor(database: Database, retention: Retention, markets = 0) {
    this.markets = markets
    this.retention = retention
    this.insert = insertInto(database, trades)
    this.newest = selectWire(
      database,
      tradeRow,
      `FROM trades WHERE market = ? AND history >= ? AND history <= ?
       ORDER BY history DESC LIMIT ?`,
    )
    this.sum = selectWire(
      database,
      tradedRow,
      `FROM (SELECT coalesce(sum(price = ?4), 0) AS trades,
         coalesce(sum(CASE WHEN price = ?4 THEN lots END), 0) AS lots, count(*) < ?3 AS whole
         FROM (SELECT price, lots FROM trades WHERE market = ?1 AND history >= ?2
               ORDER BY history DESC LIMIT ?3))`,
    )
    this.times = new TimeIndex(database, trades, trade.history, trade.market)
    this.window = select(
      database,
      pick(trades, 'history'),
      'FROM trades WHERE market = ? ORDER BY history DESC LIMIT 1 OFFSET ?',
    )
    this.drop = prepare(
      database,
      'DELETE FROM trades WHERE market = ? AND history > ? AND history < ?',
    )
    this.cut = prepare(database, 'DELETE FROM trades WHERE market = ? AND history > ?')
  }

  private add({ seq, atMs: at }: FedOutcome, trade: Trade): void {
    const { history, market, price, lots } = trade
    const kind = fillKinds.indexOf(takerKindOf(trade))
    const side = sides.indexOf(trade.side)
    const cause = causes.indexOf(trade.cause)
    this.insert({ market, history, seq, at, kind, side, cause, price, lots })
    const { every } = this.retention
    if (Math.floor(history / every) > Math.floor(this.last / every)) this.pruneDue = true
    this.last = history
  }

  settle(): void {
    if (!this.pruneDue) return
    this.pruneDue = false
    for (let market = 1; market <= this.markets; market++) {
      const found = this.window.get(market, this.retention.trades - 1)
      if (found !== undefined) this.drop.run(market, this.frozen, found.history)
    }
  }

  /** Newest first. */
  tape(market: number, { limit, startMs, endMs, before }: TapeQuery): Cells[] {
    const { low, top } = this.times.range(startMs, endMs, this.last, market)
    return this.newest(market, low, before === null ? top : Math.min(top, before - 1), limit)
  }

  /** Counts among the newest trades of the period. */
  tradedAt({ market, price, sinceMs }: TradedQuery): Cells[] {
    const { low } = this.times.range(sinceMs, null, this.last, market)
    return this.sum(market, low, countedMax, price)
  }

  marketIds(): number[] {
    return Array.from({ length: this.markets }, (_, index) => index + 1)
  }

  mark() {
    return { last: this.last, markets: this.markets }
  }

  resume({ last, markets }: Mark): void {
    this.last = last
    this.markets = markets
  }

  freeze({ last }: NewestRow): void {
    this.frozen = last
  }

  revert({ last }: Mark): void {
    for (let market = 1; market <= this.markets; market++) this.cut.run(market, last)
  }
}
