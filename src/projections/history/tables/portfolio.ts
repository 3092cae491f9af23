// Equity of an account at past times; nothing is sampled while the exchange runs. The newest ledger
// rows before a time have the money and the positions, and the bars of that minute have the marks.
// This takes about twenty searches per time, regardless of the length of history.

import { openProfit } from '../../../core/index.ts'
import type { EquityQuery } from '../history.ts'
import type { Database } from '../projection.ts'
import type { Cells } from '../rows/column.ts'
import { pick, select } from '../rows/select.ts'
import { cellsOf, selectWire } from '../rows/wire-row.ts'
import {
  beginningRow,
  type EquityRow,
  equityRow,
  balances as ledger,
} from '../schema/balance-table.ts'
import { bars } from '../schema/market-table.ts'
import type { Accounts } from './accounts.ts'
import type { Balances } from './balances.ts'
import { TimeIndex } from './time-index.ts'

const minuteMs = 60_000

type Parts = Readonly<{ accounts: Accounts; balances: Balances; marketIds(): readonly number[] }>

export class Portfolio {
  private readonly parts
  private readonly times
  private readonly first
  private readonly firstAsWire
  private readonly money
  private readonly holding
  private readonly mark

  constructor(database: Database, parts: Parts) {
    this.parts = parts
    this.times = new TimeIndex(database, ledger, ledger.columns.id)
    const first = 'FROM balances WHERE account = ? ORDER BY id LIMIT 1'
    this.first = select(database, pick(ledger, 'at'), first)
    this.firstAsWire = selectWire(database, beginningRow, first)
    this.money = select(
      database,
      pick(ledger, 'balance', 'flow'),
      'FROM balances WHERE account = ? AND id <= ? ORDER BY id DESC LIMIT 1',
    )
    this.holding = select(
      database,
      pick(ledger, 'lots', 'cost', 'wallet'),
      `FROM balances WHERE account = ? AND market = ? AND id <= ? ORDER BY id DESC LIMIT 1`,
    )
    this.mark = select(
      database,
      pick(bars, 'mark'),
      `FROM bars WHERE level = 0 AND market = ? AND start <= ? ORDER BY start DESC LIMIT 1`,
    )
  }

  /** Returns equity and the profit since the account began, oldest first. Times before that are
   *  omitted. */
  curve(address: string, { startMs, endMs, stepMs }: EquityQuery): Cells[] {
    const account = this.parts.accounts.idOf(address)
    const first = this.first.get(account)
    if (first === undefined) return []
    const points: EquityRow[] = []
    const start = Math.max(startMs, first.at)
    for (let at = Math.ceil(start / stepMs) * stepMs; at < endMs; at += stepMs)
      points.push(this.pointAt(account, at))
    if (first.at <= endMs) points.push(this.pointAt(account, endMs))
    return points.map((point) => cellsOf(equityRow, point))
  }

  /** Time at which the account's history begins; empty if it has none. */
  beginning(address: string): Cells[] {
    return this.firstAsWire(this.parts.accounts.idOf(address))
  }

  private pointAt(account: number, atMs: number): EquityRow {
    const { balances, marketIds } = this.parts
    const { top } = this.times.range(null, atMs, balances.ledger.last)
    const { balance, flow } = this.money.get(account, top) ?? { balance: 0, flow: 0 }
    let equity = balance
    for (const market of marketIds()) {
      const held = this.holding.get(account, market, top)
      if (held === undefined) continue
      equity += held.wallet
      if (held.lots === 0) continue
      const unitValue = balances.unitValueOf(market)
      equity += openProfit(held.lots, held.cost, this.markAt(market, atMs), { unitValue })
    }
    return { atMs, equity, pnl: equity - flow }
  }

  /** The mark at a time: at a full minute that of the end of the previous minute, otherwise that
   *  of the current minute. */
  markAt(market: number, atMs: number): number {
    const at = atMs % minuteMs === 0 ? atMs - 1 : atMs
    return this.mark.get(market, at)?.mark ?? 0
  }
}
