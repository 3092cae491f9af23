// The steps of orders, and the orders that may have further steps. An order that is not in memory
// is read from its newest event, so that memory is limited and a start reads none.

import {
  type OrderEventName,
  type OrderStatus,
  orderEventNames,
  orderStatuses,
  orderTypes,
} from '../../../../protocol/words.ts'
import { sides } from '../../../../words/order-words.ts'
import type { FedOutcome } from '../../chunk.ts'
import { type Database, prepare, type Retention } from '../../projection.ts'
import { pick, select } from '../../rows/select.ts'
import { insertInto } from '../../rows/table.ts'
import { orderEvents, orders, waitCode } from '../../schema/order-table.ts'
import type { Accounts } from '../accounts.ts'
import { isEnded, isStop, MARKET, reasonText } from './order-words.ts'
import { Releases } from './releases.ts'

const liveMax = 50_000
const ARMED = orderEventNames.indexOf('stop_parent_order_filled')

/** Columns of an order as placed, and of its newest step. */
const newestColumns = {
  ...pick(orders, 'type', 'lots', 'root', 'account', 'market', 'side', 'expireTime'),
  ...pick(orderEvents, 'price', 'filled', 'cancelled', 'value', 'parent', 'status', 'reason'),
  ...pick(orderEvents, 'oco', 'source', 'unreleased', 'waiting'),
  reduceOnly: orders.columns.reduceOnly,
  lotsThen: orderEvents.columns.lots,
}

/** A stop for the whole position: the market, the side, and whether the order that it came with
 *  has filled. */
export type Whole = Readonly<{
  market: number
  side: 'bid' | 'ask'
  armed: boolean
}>

type Placed = Readonly<{
  id: number
  /** 0 for an order that is older than this history. */
  account: number
  type: number
  lots: number
  root: number | null
}>

export class LiveOrder {
  readonly id: number
  readonly account: number
  /** Index into orderTypes. */
  readonly type: number
  /** Size. For a stop without a fixed size, the size at its newest event. */
  lots: number
  /** `null` for an order with a fixed size. */
  whole: Whole | null = null
  /** The first order of a chain of edits; `null` if the order is not an edit. */
  readonly root: number | null
  /** Levels that came with the order have ids after this one, which is the id of the first order
   *  of the chain, or of the stop that created that order. */
  levelsAfter: number
  price = 0
  filled = 0
  cancelled = 0
  /** Value of its fills, in micro-dollars. */
  value = 0
  parent: number | null = null
  /** As stored in the row. */
  oco: number | null = null
  source: number | null = null
  status: OrderStatus = 'open'
  reasonNumber = 0
  expireTime: number | null = null
  /** Whether the order ended before its release. */
  unreleased = false
  /** Whether other readers may see the order. */
  released = true
  /** Whether this is the order of a triggered stop that stays active until its position is closed
   *  (TRIG-3). */
  goesOn = false
  /** Whether levels may have this order as their parent. */
  mayHaveLevels = false
  /** Best mark of a trailing stop, for its next event. */
  extreme: number | null = null

  constructor({ id, account, type, lots, root }: Placed) {
    this.id = id
    this.account = account
    this.type = type
    this.lots = lots
    this.root = root
    this.levelsAfter = root ?? id
  }

  get reason(): string | null {
    return reasonText(this.reasonNumber)
  }

  setReason(number: number): void {
    this.reasonNumber = number
  }

  hasEnded(): boolean {
    return isEnded(this.status)
  }
}

export class OrderEvents {
  last = 0
  /** Orders up to this id belong to a saved snapshot and are not pruned. */
  frozen = 0
  private pruneDue = false
  private readonly orders = new Map<number, LiveOrder>()
  private readonly accounts
  private readonly retention
  private readonly insert
  private readonly releases
  private readonly newest
  private readonly armed
  private readonly first
  private readonly cut
  private readonly window
  private readonly old
  private readonly dropOrder
  private readonly dropEvents

  constructor(database: Database, accounts: Accounts, retention: Retention) {
    this.accounts = accounts
    this.retention = retention
    this.insert = insertInto(database, orderEvents)
    this.releases = new Releases(database)
    this.newest = select(
      database,
      newestColumns,
      `FROM order_events JOIN orders ON orders.id = ord
       WHERE ord = ? ORDER BY order_events.id DESC LIMIT 1`,
    )
    this.armed = select(
      database,
      pick(orderEvents, 'id'),
      `FROM order_events WHERE ord = ? AND event = ${ARMED} LIMIT 1`,
    )
    const id = pick(orders, 'id')
    this.first = select(database, id, 'FROM orders ORDER BY id LIMIT 1')
    this.cut = prepare(database, 'DELETE FROM order_events WHERE id > ?')
    const window = 'FROM orders WHERE account = ? ORDER BY id DESC LIMIT 1 OFFSET ?'
    this.window = select(database, id, window)
    this.old = select(database, id, 'FROM orders WHERE account = ? AND id > ? AND id < ?')
    this.dropOrder = prepare(database, 'DELETE FROM orders WHERE id = ?')
    this.dropEvents = prepare(database, 'DELETE FROM order_events WHERE ord = ?')
  }

  /** Caches a new order. */
  keep(order: LiveOrder): LiveOrder {
    if (this.orders.size >= liveMax) this.orders.clear()
    this.orders.set(order.id, order)
    return order
  }

  live(id: number): LiveOrder {
    return this.orders.get(id) ?? this.keep(this.load(id))
  }

  /** Returns `null` if the order is older than this history, or was pruned. */
  find(id: number): LiveOrder | null {
    const known = this.orders.get(id)
    if (known !== undefined) return known
    return this.newest.get(id) === undefined ? null : this.live(id)
  }

  /** A placeholder for an order from before the beginning of a partial history. It cannot be read,
   *  and its steps are dropped. */
  private olderThanHistory(id: number): LiveOrder {
    const first = this.first.get()?.id ?? Number.POSITIVE_INFINITY
    if (id > first) throw new Error(`history: an event of order ${id}, which is not there`)
    const type = orderTypes.indexOf('limit')
    return new LiveOrder({ id, account: 0, type, lots: 0, root: null })
  }

  private load(id: number): LiveOrder {
    const newest = this.newest.get(id)
    if (newest === undefined) return this.olderThanHistory(id)
    const { type, lots, root, account, market, side, lotsThen } = newest
    const order = new LiveOrder({ id, account, type, lots, root })
    order.price = newest.price
    order.filled = newest.filled
    order.cancelled = newest.cancelled
    order.value = newest.value
    order.parent = newest.parent
    order.oco = newest.oco
    order.source = newest.source
    order.status = orderStatuses[newest.status]!
    order.reasonNumber = newest.reason
    order.expireTime = newest.expireTime
    order.unreleased = newest.unreleased === 1
    const waits = newest.waiting === waitCode('order') && !this.releases.has(id)
    order.released = !waits && !order.unreleased
    order.goesOn = type === MARKET && newest.reduceOnly === 1 && isFired(newest)
    order.mayHaveLevels = true
    const firstParent = root === null ? newest.parent : this.newest.get(root)?.parent
    order.levelsAfter = firstParent ?? order.levelsAfter
    if (isStop(type) && lots === 0) {
      order.lots = lotsThen!
      const armed = order.parent === null || this.armed.get(id) !== undefined
      order.whole = { market, side: sides[side]!, armed }
    }
    return order
  }

  add(outcome: FedOutcome, order: LiveOrder, event: OrderEventName): void {
    this.last += 1
    this.insert({
      id: this.last,
      seq: outcome.seq,
      account: order.account,
      ord: order.id,
      at: outcome.atMs,
      event: orderEventNames.indexOf(event),
      status: orderStatuses.indexOf(order.status),
      reason: order.reasonNumber,
      price: order.price,
      filled: order.filled,
      cancelled: order.cancelled,
      value: order.value,
      parent: order.parent,
      lots: order.whole === null ? null : order.lots,
      extreme: order.extreme,
      oco: order.oco,
      source: order.source,
      waiting: this.waits(order),
      unreleased: order.unreleased ? 1 : 0,
    })
    order.extreme = null
    if (order.hasEnded()) this.orders.delete(order.id)
    if (this.last % this.retention.every === 0) this.pruneDue = true
  }

  private waits({ released, type, parent }: LiveOrder): number {
    if (!released) return waitCode('order')
    if (parent === null || !isStop(type)) return waitCode('none')
    const from = this.find(parent)
    return waitCode(from === null || from.released || from.hasEnded() ? 'none' : 'parent')
  }

  /** Makes the order visible to other readers from now on. */
  reveal(outcome: FedOutcome, order: LiveOrder): void {
    order.released = true
    this.releases.add(outcome, order, this.last)
  }

  /** Prunes after an outcome, because later events of the same outcome may still concern an ended
   *  order. */
  settle(): void {
    if (this.pruneDue) this.prune()
    this.pruneDue = false
  }

  /** Deletes old ended orders of bots, with their events. */
  private prune(): void {
    for (const address of this.retention.churn) {
      const account = this.accounts.idOf(address)
      const found = this.window.get(account, this.retention.churnRows - 1)
      if (found === undefined) continue
      for (const { id } of this.old.all(account, this.frozen, found.id)) {
        if (!this.live(id).hasEnded()) continue
        this.orders.delete(id)
        this.dropEvents.run(id)
        this.releases.drop(id)
        this.dropOrder.run(id)
      }
    }
  }

  resume(last: number): void {
    this.last = last
    this.orders.clear()
  }

  revert(last: number, snapshot: number): void {
    this.cut.run(last)
    this.releases.revert(snapshot)
  }
}

type From = Readonly<{ parent: number | null; source: number | null }>

/** Whether a stop, rather than an algo, created the order. */
function isFired({ parent, source }: From): boolean {
  return parent !== null && source === null
}
