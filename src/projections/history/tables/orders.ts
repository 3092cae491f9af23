// Orders and the steps of their lives. `orders` has what never changes; each event carries what
// has become of the order so far, so the newest event is the order's present, and deleting events
// brings back what was before.

import { origins, tifs } from '../../../core/events/event-fields.ts'
import type { OrderEventName } from '../../../protocol/words.ts'
import { columnsOf } from '../../event-columns.ts'
import type { MatchReader, MatchSide } from '../../match-reader.ts'
import type { Told } from '../chunk.ts'
import { type Database, type Projection, prepare, type Retention } from '../projection.ts'
import type { Accounts } from './accounts.ts'
import { LiveOrder, OrderEvents } from './order-events.ts'
import {
  endingOf,
  endStatusOf,
  isStop,
  LIMIT,
  MARKET,
  reasonNumber,
  stopTypeOf,
} from './order-words.ts'

const placed = columnsOf('OrderPlaced')
const rested = columnsOf('OrderRested')
const reduced = columnsOf('OrderReduced')
const cancelled = columnsOf('OrderCancelled')
const stopPlaced = columnsOf('StopPlaced')
const stopSized = columnsOf('StopReduced')
const triggered = columnsOf('StopTriggered')
const action = columnsOf('BatchActionStarted')

const USER = origins.indexOf('user')
const TRIGGER = origins.indexOf('trigger')
const TWAP = origins.indexOf('twap')
const IOC = tifs.indexOf('IOC')

export class Orders implements Projection {
  readonly reads = {
    BatchActionStarted: (told, at) => {
      this.actionOf = told.seq
      this.action = told.rows[at + action.index]!
    },
    OrderPlaced: (told, at) => this.place(told, at),
    OrderRested: (told, at) => this.rest(told, at),
    OrderReduced: (told, at) => {
      const order = this.events.live(told.rows[at + reduced.order]!)
      order.cancelled += told.rows[at + reduced.cancelled]!
      this.events.add(told, order, 'adjust')
    },
    OrderCancelled: (told, at) => this.end(told, at),
    StopPlaced: (told, at) => this.placeStop(told, at),
    StopArmed: (told, at) => {
      const order = this.events.live(told.rows[at + stopSized.order]!)
      order.cancelled = 0
      this.events.add(told, order, 'stop_parent_order_filled')
    },
    StopReduced: (told, at) => {
      const order = this.events.live(told.rows[at + stopSized.order]!)
      // A level for the whole position has no size of its own that could shrink.
      if (order.lots > 0) order.cancelled = order.lots - told.rows[at + stopSized.size]!
      this.events.add(told, order, 'adjust')
    },
    StopTriggered: (told, at) => {
      const order = this.events.live(told.rows[at + triggered.order]!)
      // It has done its work: what trades from now on is the order that it makes.
      order.status = 'filled'
      this.events.add(told, order, 'stop_triggered')
    },
  } satisfies Projection['reads']
  private last = 0
  private action = 0
  /** The command whose action it is. */
  private actionOf = 0
  private readonly events
  private readonly insert
  private readonly levelsOf
  private readonly cut

  constructor(database: Database, accounts: Accounts, retention: Retention) {
    this.events = new OrderEvents(database, accounts, retention)
    this.insert = prepare(
      database,
      'INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    )
    this.levelsOf = prepare(
      database,
      'SELECT id FROM orders WHERE id IN (?1 + 1, ?1 + 2) AND stop_price IS NOT NULL',
    )
    this.cut = prepare(database, 'DELETE FROM orders WHERE id > ?')
  }

  private place(told: Told, at: number): void {
    const { rows } = told
    const id = rows[at + placed.order]!
    const origin = rows[at + placed.origin]!
    const parent = rows[at + placed.parent]!
    const price = rows[at + placed.price]!
    const lots = rows[at + placed.size]!
    const type = this.typeOf(told, origin, rows[at + placed.tif]!)
    // An order of a user has a parent when it replaces one: the edit of an edit goes to the root.
    const edited = origin === USER && parent !== 0 ? this.events.live(parent) : null
    const root = edited === null ? null : (edited.root ?? parent)
    this.insert.run(
      id,
      told.atMs,
      rows[at + placed.account]!,
      rows[at + placed.market]!,
      rows[at + placed.side]!,
      type,
      rows[at + placed.reduceOnly]!,
      price,
      lots,
      null,
      root,
      told.text(rows[at + placed.clientOrderId]!),
    )
    this.last = id
    const order = new LiveOrder(id, type, lots, root)
    order.price = price
    order.parent = edited === null && parent !== 0 ? parent : null
    this.events.add(told, this.events.keep(order), firstEventOf(origin))
    if (edited?.reason === 'replaced') this.moveLevels(told, edited, id)
  }

  /** Whether it is a market order. The event says so for orders that nobody asked for: a fired
   *  market stop is IOC, a stop with a limit GTC; slices and liquidations take what is there. For a
   *  user's IOC order the command says it. */
  private typeOf(told: Told, origin: number, tif: number): number {
    if (tif !== IOC) return LIMIT
    if (origin !== USER) return MARKET
    const index = this.actionOf === told.seq ? this.action : 0
    return (told.marketOrders & (1 << index)) === 0 ? LIMIT : MARKET
  }

  /** An edit takes the levels that came with the order along (ORDER-9); they have the two ids after
   *  the first order of the chain. */
  private moveLevels(told: Told, from: LiveOrder, to: number): void {
    for (const [id] of this.levelsOf.all(from.root ?? from.id) as [number][]) {
      const level = this.events.live(id)
      if (level.parent !== from.id || level.hasEnded()) continue
      level.parent = to
      this.events.add(told, level, 'adjust')
    }
  }

  private placeStop(told: Told, at: number): void {
    const { rows } = told
    const id = rows[at + stopPlaced.order]!
    const price = rows[at + stopPlaced.limitPrice]!
    const lots = rows[at + stopPlaced.size]!
    const parent = rows[at + stopPlaced.parent]!
    const type = stopTypeOf(rows[at + stopPlaced.kind]!, price)
    this.insert.run(
      id,
      told.atMs,
      rows[at + stopPlaced.account]!,
      rows[at + stopPlaced.market]!,
      rows[at + stopPlaced.side]!,
      type,
      rows[at + stopPlaced.reduceOnly]!,
      price,
      lots,
      rows[at + stopPlaced.stopPrice]!,
      null,
      told.text(rows[at + stopPlaced.clientOrderId]!),
    )
    this.last = id
    const order = new LiveOrder(id, type, lots, null)
    order.price = price
    order.parent = parent === 0 ? null : parent
    this.events.add(told, this.events.keep(order), 'stop_created')
  }

  /** Resting is no step of its own, unless the price moved on the way (ORDER-4). */
  private rest(told: Told, at: number): void {
    const order = this.events.live(told.rows[at + rested.order]!)
    const price = told.rows[at + rested.price]!
    if (order.price === price) return
    order.price = price
    this.events.add(told, order, 'adjust')
  }

  private end(told: Told, at: number): void {
    const reason = told.rows[at + cancelled.reason]!
    const order = this.events.live(told.rows[at + cancelled.order]!)
    if (isStop(order.type)) order.cancelled = order.lots
    else order.cancelled += told.rows[at + cancelled.remaining]!
    order.status = endStatusOf(reason)
    order.setReason(reasonNumber(reason, told.rows[at + cancelled.rejection]!))
    this.events.add(told, order, endingOf(reason))
  }

  matched(told: Told, match: MatchReader, side: MatchSide): void {
    const taker = side === 'taker'
    const order = this.events.live(taker ? match.takerOrder : match.makerOrder)
    order.filled += match.lots
    order.value += match.value
    const remaining = taker ? match.takerRemaining : match.makerRemaining
    order.status = remaining === 0 ? 'filled' : 'partially_filled'
    this.events.add(told, order, order.type === MARKET ? 'fulfill_market' : 'fulfill_limit')
  }

  settle(): void {
    this.events.settle()
  }

  mark() {
    return [this.last, this.events.last]
  }

  resume([last, event]: readonly number[]): void {
    this.last = last!
    this.events.resume(event!)
  }

  freeze([last]: readonly number[]): void {
    this.events.frozen = last!
  }

  revert([last, event]: readonly number[]): void {
    this.events.revert(event!)
    this.cut.run(last!)
  }
}

function firstEventOf(origin: number): OrderEventName {
  if (origin === TRIGGER) return 'stop_upgrade'
  return origin === TWAP ? 'twap_triggered' : 'make'
}
