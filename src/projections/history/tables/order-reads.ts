// Pages of orders, the events of one order, and the order or algo of a client id.

import { algoKinds } from '../../../core/index.ts'
import type { Page } from '../history.ts'
import type { Database } from '../projection.ts'
import { type Cells, computed, int } from '../rows/column.ts'
import { pick, select } from '../rows/select.ts'
import { selectWire } from '../rows/wire-row.ts'
import { orderEventRow, orderEvents, orderIdRow, orderRow, orders } from '../schema/order-table.ts'
import type { Accounts } from './accounts.ts'
import { TimeIndex } from './time-index.ts'

const TWAP = algoKinds.indexOf('twap')
const named = 'account = ?1 AND client = ?2 COLLATE NOCASE'

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
    this.times = new TimeIndex(database, orders, orders.columns.id)
    this.pages = ['', 'AND market = ?2'].map((market) =>
      selectWire(
        database,
        orderRow,
        `FROM orders JOIN order_events ON order_events.id =
           (SELECT id FROM order_events WHERE ord = orders.id ORDER BY id DESC LIMIT 1)
         WHERE account = ?1 ${market} AND orders.id <= ?3 AND orders.id >= ?4
         ORDER BY orders.id DESC LIMIT ?5`,
      ),
    )
    this.steps = selectWire(
      database,
      orderEventRow,
      `FROM order_events JOIN orders ON orders.id = ord
       WHERE ord = ? ORDER BY order_events.id DESC`,
    )
    this.byClient = selectWire(
      database,
      orderIdRow,
      `FROM (SELECT id, 0 AS twap FROM orders WHERE ${named}
             UNION ALL SELECT id, kind = ${TWAP} FROM algos WHERE ${named}) AS orders
       ORDER BY twap, id DESC LIMIT 1`,
    )
    this.value = select(
      database,
      pick(orderEvents, 'value'),
      'FROM order_events WHERE ord = ? ORDER BY id DESC LIMIT 1',
    )
    this.last = select(database, { id: computed(int, 'coalesce(max(id), 0)') }, 'FROM orders')
  }

  page(account: string, { market, startMs, endMs, limit, before }: Page): Cells[] {
    const id = this.accounts.idOf(account)
    if (id === 0) return []
    const { low, top } = this.times.range(startMs, endMs, this.last.get()!.id)
    const from = before === null ? top : Math.min(top, before - 1)
    const statement = this.pages[market === null ? 0 : 1]!
    return statement(id, market ?? 0, from, low, limit)
  }

  events(order: number): Cells[] {
    return this.steps(order)
  }

  ofClientId(account: string, clientOrderId: string): Cells[] {
    return this.byClient(this.accounts.idOf(account), clientOrderId)
  }

  /** Micro-dollars of the fills of each; 0 of an order that is not there. */
  filledValues(orders: readonly number[]): Cells[] {
    return orders.map((order) => [this.value.get(order)?.value ?? 0])
  }
}
