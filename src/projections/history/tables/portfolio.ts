// What an account was worth at past moments: nothing is sampled while the exchange runs. The newest
// ledger rows before a moment say which money and positions there were, the minutes what the mark
// was; some twenty seeks a moment, however long the history is.

import type { EquityQuery } from '../history.ts'
import { type Cells, type Database, prepare } from '../projection.ts'
import type { Accounts } from './accounts.ts'
import type { Balances } from './balances.ts'
import { TimeIndex } from './time-index.ts'

const minuteMs = 60_000

type Parts = Readonly<{ accounts: Accounts; balances: Balances; marketIds(): readonly number[] }>

export class Portfolio {
  private readonly parts
  private readonly times
  private readonly first
  private readonly purse
  private readonly holding
  private readonly mark

  constructor(database: Database, parts: Parts) {
    this.parts = parts
    this.times = new TimeIndex(database, 'balances', 'id')
    this.first = prepare(
      database,
      'SELECT id, at FROM balances WHERE account = ? ORDER BY id LIMIT 1',
    )
    this.purse = prepare(
      database,
      `SELECT cash, flow FROM balances WHERE account = ? AND id <= ? ORDER BY id DESC LIMIT 1`,
    )
    this.holding = prepare(
      database,
      `SELECT lots, cost FROM balances WHERE account = ? AND market = ? AND id <= ?
       ORDER BY id DESC LIMIT 1`,
    )
    this.mark = prepare(
      database,
      `SELECT mark FROM bars WHERE level = 0 AND market = ? AND start <= ?
       ORDER BY start DESC LIMIT 1`,
    )
  }

  /** Oldest first: moment, equity, profit since the account began. Moments before it had anything
   *  are left out. */
  curve(address: string, { startMs, endMs, stepMs }: EquityQuery): Cells[] {
    const account = this.parts.accounts.idOf(address)
    const first = this.first.get(account) as number[] | undefined
    if (first === undefined) return []
    const points: Cells[] = []
    const start = Math.max(startMs, first[1]!)
    for (let at = Math.ceil(start / stepMs) * stepMs; at < endMs; at += stepMs)
      points.push(this.pointAt(account, at))
    if (first[1]! <= endMs) points.push(this.pointAt(account, endMs))
    return points
  }

  /** When the account's history begins; nothing: it has none. */
  beginning(address: string): Cells[] {
    const first = this.first.get(this.parts.accounts.idOf(address)) as number[] | undefined
    return first === undefined ? [] : [[first[1]!]]
  }

  private pointAt(account: number, atMs: number): Cells {
    const { balances, marketIds } = this.parts
    const { top } = this.times.range(null, atMs, balances.lastId)
    const [cash = 0, flow = 0] = (this.purse.get(account, top) as number[] | undefined) ?? []
    let equity = cash
    for (const market of marketIds()) {
      const held = this.holding.get(account, market, top) as number[] | undefined
      if (held === undefined || held[0] === 0) continue
      equity += held[0]! * this.markAt(market, atMs) * balances.unitValueOf(market) - held[1]!
    }
    return [atMs, equity, equity - flow]
  }

  /** On a full minute, what the minute before it ended with; else what the minute has. */
  private markAt(market: number, atMs: number): number {
    const at = atMs % minuteMs === 0 ? atMs - 1 : atMs
    return (this.mark.get(market, at) as number[] | undefined)?.[0] ?? 0
  }
}
