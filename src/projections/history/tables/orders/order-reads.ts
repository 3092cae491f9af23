// Reads pages of orders, the events of an order, and the order or algo with a client id.

import { algoKinds } from '../../../../words/order-words.ts'
import type { Sight } from '../../../sight.ts'
import type { AfterQuery, Page } from '../../history.ts'
import type { Database } from '../../projection.ts'
import { type Cells, computed, int } from '../../rows/column.ts'
import { pick, select } from '../../rows/select.ts'
import { selectWire } from '../../rows/wire-row.ts'
import {
  orderEventRow,
  orderEvents,
  orderIdRow,
  orderRow,
  orderSeqRow,
  orderStepRow,
  orders,
} from '../../schema/order-table.ts'
import type { Accounts } from '../accounts.ts'
import { bySeq, TimeIndex } from '../time-index.ts'

const TWAP = algoKinds.indexOf('twap')
const named = 'account = ?1 AND client = ?2 COLLATE NOCASE AND id < ?3'

/** Orders that other readers may see, except waiting ones, which only the state knows. A level is
 *  visible if its order is, which has the lower id. */
const released = `AND unreleased = 0 AND (stopPrice IS NULL OR parent IS NULL OR
  parent > orders.id OR parent NOT IN (SELECT came.ord FROM order_events AS came
    WHERE came.ord = order_events.parent AND came.unreleased = 1))`
const seenBy: Readonly<Record<Sight, string>> = {
  all: '',
  released,
  resting: 'AND unreleased = 0 AND stopPrice IS NULL AND oco IS NULL',
}

const newestOf = (order: string, upTo: string) =>
  `(SELECT id FROM order_events AS each WHERE each.ord = ${order} AND each.id ${upTo}
    ORDER BY id DESC LIMIT 1)`

const places = 'step, late, seq, event, newest, turn'

/** Steps of an account's orders, and their releases, each placed after the step that was the
 *  newest at that time. */
const stepsAfter = `FROM (
    SELECT ${places} FROM (
      SELECT id AS step, 0 AS late, seq, event, id AS newest, 0 AS turn FROM order_events
      WHERE account = ?1 AND id >= ?2 ORDER BY id DESC LIMIT ?4)
    UNION ALL
    SELECT ${places} FROM (
      SELECT ${newestOf('order_releases.ord', '<= newest')} AS step, 1 AS late, seq,
        (SELECT event FROM order_events AS each WHERE each.ord = order_releases.ord
         ORDER BY id LIMIT 1) AS event, newest, turn FROM order_releases
      WHERE account = ?1 AND seq > ?3 ORDER BY seq DESC LIMIT ?4)
  ) AS place
  JOIN order_events ON order_events.id = step JOIN orders ON orders.id = order_events.ord
  LEFT JOIN order_events AS before
    ON before.id = ${newestOf('order_events.ord', '< order_events.id')}
  ORDER BY place.seq DESC, newest DESC, late DESC, turn DESC`

/** The commands of an order or algo, of what placed it, of what it placed, and of the other leg of
 *  an OCO; of an algo that placed it, the first. */
const commandsOf = `FROM (WITH related(id) AS (SELECT ?1
      UNION SELECT placedBy FROM orders WHERE id = ?1 AND placedBy IS NOT NULL
      UNION SELECT id FROM orders WHERE placedBy = ?1
      UNION SELECT oco FROM order_events WHERE ord = ?1 AND oco IS NOT NULL)
    SELECT seq, account FROM order_events WHERE ord IN related
    UNION SELECT seq, account FROM algo_events WHERE algo = ?1
    UNION SELECT min(seq), account FROM algo_events WHERE algo IN related GROUP BY algo
  ) AS order_events ORDER BY seq LIMIT ?2`
const commandsMax = 20_000

export class OrderReads {
  private readonly accounts
  private readonly times
  private readonly pages
  private readonly steps
  private readonly byClient
  private readonly value
  private readonly commands
  private readonly last
  private readonly seqs
  private readonly newer
  private readonly lastEvent

  constructor(database: Database, accounts: Accounts) {
    this.accounts = accounts
    this.times = new TimeIndex(database, orders, orders.columns.id)
    const pageOf = (market: string, seen: string) =>
      selectWire(
        database,
        orderRow,
        `FROM orders JOIN order_events ON order_events.id =
           (SELECT id FROM order_events WHERE ord = orders.id ORDER BY id DESC LIMIT 1)
         WHERE orders.account = ?1 ${market} AND orders.id <= ?3 AND orders.id >= ?4 ${seen}
         ORDER BY orders.id DESC LIMIT ?5`,
      )
    const pagesOf = (sight: Sight) => ({
      all: pageOf('', seenBy[sight]),
      ofMarket: pageOf('AND market = ?2', seenBy[sight]),
    })
    this.pages = {
      all: pagesOf('all'),
      released: pagesOf('released'),
      resting: pagesOf('resting'),
    } satisfies Record<Sight, unknown>
    this.steps = selectWire(
      database,
      orderEventRow,
      `FROM order_events JOIN orders ON orders.id = ord
       WHERE ord = ? ORDER BY order_events.id DESC`,
    )
    this.commands = selectWire(database, orderSeqRow, commandsOf)
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
    const { id, account } = orderEvents.columns
    this.seqs = new TimeIndex(database, bySeq(orderEvents), id, account)
    this.newer = selectWire(database, orderStepRow, stepsAfter)
    const lastEvent = { id: computed(int, 'coalesce(max(id), 0)') }
    this.lastEvent = select(database, lastEvent, 'FROM order_events')
  }

  page(account: string, { market, startMs, endMs, limit, before, sight = 'all' }: Page): Cells[] {
    const id = this.accounts.idOf(account)
    if (id === 0) return []
    const { low, top } = this.times.range(startMs, endMs, this.last.get()!.id)
    const from = before === null ? top : Math.min(top, before - 1)
    const statement = this.pages[sight][market === null ? 'all' : 'ofMarket']
    return statement(id, market ?? 0, from, low, limit)
  }

  events(order: number): Cells[] {
    return this.steps(order)
  }

  commandsOf(order: number): Cells[] {
    return this.commands(order, commandsMax)
  }

  /** Steps and releases of an account's orders after this seq, newest first: up to `limit` of
   *  each. */
  after(address: string, { seq, limit }: AfterQuery): Cells[] {
    const id = this.accounts.idOf(address)
    const { low } = this.seqs.range(seq + 1, null, this.lastEvent.get()!.id, id)
    return this.newer(id, low, seq, limit)
  }

  ofClientId(account: string, clientOrderId: string, before: number | null = null): Cells[] {
    const end = before ?? Number.MAX_SAFE_INTEGER
    return this.byClient(this.accounts.idOf(account), clientOrderId, end)
  }

  /** Values of the fills of each order, in micro-dollars; 0 if the order does not exist. */
  filledValues(orders: readonly number[]): Cells[] {
    return orders.map((order) => [this.value.get(order)?.value ?? 0])
  }
}
