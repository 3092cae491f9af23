// Pages of orders, the events of one order, and the order of a client id.

import { sides } from '../../../core/events/event-fields.ts'
import { orderEventNames, orderStatuses, orderTypes } from '../../../protocol/words.ts'
import type { Page } from '../history.ts'
import { type Cells, type Database, prepare } from '../projection.ts'
import type { Accounts } from './accounts.ts'
import { reasonText } from './order-words.ts'
import { TimeIndex } from './time-index.ts'

type Row = (number | string | null)[]

export class OrderReads {
  private readonly accounts
  private readonly times
  private readonly pages
  private readonly steps
  private readonly byClient
  private readonly value
  private readonly last

  constructor(database: Database, accounts: Accounts) {
    this.accounts = accounts
    this.times = new TimeIndex(database, 'orders', 'id')
    this.pages = ['', 'AND o.market = ?2'].map((market) =>
      prepare(
        database,
        `SELECT o.id, o.client, o.account, o.market, o.side, o.type, o.price, e.price,
           coalesce(e.lots, o.lots), e.filled, e.cancelled, e.value, e.status, o.stop_price,
           e.parent, o.reduce_only, e.reason, o.at, e.at
         FROM orders o JOIN order_events e
           ON e.id = (SELECT id FROM order_events WHERE ord = o.id ORDER BY id DESC LIMIT 1)
         WHERE o.account = ?1 ${market} AND o.id <= ?3 AND o.id >= ?4
         ORDER BY o.id DESC LIMIT ?5`,
      ),
    )
    this.steps = prepare(
      database,
      `SELECT e.id, e.event, e.at, o.id, o.client, o.account, o.market, o.side, o.type, e.price,
         coalesce(e.lots, o.lots), e.filled, e.cancelled, e.status, o.stop_price, e.parent,
         o.reduce_only, e.value
       FROM order_events e JOIN orders o ON o.id = e.ord WHERE e.ord = ? ORDER BY e.id DESC`,
    )
    this.byClient = prepare(
      database,
      `SELECT id FROM orders WHERE account = ? AND client = ? COLLATE NOCASE
       ORDER BY id DESC LIMIT 1`,
    )
    this.value = prepare(
      database,
      'SELECT value FROM order_events WHERE ord = ? ORDER BY id DESC LIMIT 1',
    )
    this.last = prepare(database, 'SELECT coalesce(max(id), 0) FROM orders')
  }

  page(account: string, { market, startMs, endMs, limit, before }: Page): Cells[] {
    const id = this.accounts.idOf(account)
    if (id === 0) return []
    const newest = (this.last.get() as [number])[0]
    const { low, top } = this.times.range(startMs, endMs, newest)
    const from = before === null ? top : Math.min(top, before - 1)
    const statement = this.pages[market === null ? 0 : 1]!
    const rows = statement.all(id, market ?? 0, from, low, limit) as Row[]
    for (const row of rows) {
      this.name(row, { account: 2, side: 4, type: 5, status: 12 })
      row[16] = reasonText(row[16] as number)
    }
    return rows
  }

  events(order: number): Cells[] {
    const rows = this.steps.all(order) as Row[]
    for (const row of rows) {
      this.name(row, { account: 5, side: 7, type: 8, status: 13 })
      row[1] = orderEventNames[row[1] as number]!
    }
    return rows
  }

  ofClientId(account: string, clientOrderId: string): Cells[] {
    const found = this.byClient.get(this.accounts.idOf(account), clientOrderId) as Cells | undefined
    return found === undefined ? [] : [found]
  }

  /** Micro-dollars of the fills of each; 0 of an order that is not there. */
  filledValues(orders: readonly number[]): Cells[] {
    return orders.map((order) => [(this.value.get(order) as [number] | undefined)?.[0] ?? 0])
  }

  private name(
    row: Row,
    at: Readonly<{ account: number; side: number; type: number; status: number }>,
  ): void {
    row[at.account] = this.accounts.addressOf(row[at.account] as number)
    row[at.side] = sides[row[at.side] as number]!
    row[at.type] = orderTypes[row[at.type] as number]!
    row[at.status] = orderStatuses[row[at.status] as number]!
  }
}
