// Orders and their steps. `orders` has the properties that never change. Each event has the state
// of the order after it, so that the newest event has the current state, and deleting events
// restores an earlier one.

import { bitsOf, columnsOf, wordAt } from '../../../../core/index.ts'
import type { OrderEventName } from '../../../../protocol/words.ts'
import { orderTypeNames, origins, sides } from '../../../../words/order-words.ts'
import { wholeSize } from '../../../whole-position.ts'
import type { FedOutcome } from '../../chunk.ts'
import {
  type Database,
  type NewestRow,
  type Projection,
  prepare,
  type Retention,
} from '../../projection.ts'
import { insertInto } from '../../rows/table.ts'
import { orders } from '../../schema/order-table.ts'
import { marketsMax } from '../account-money.ts'
import type { Accounts } from '../accounts.ts'
import { Levels } from './levels.ts'
import { OcoLegs } from './oco-legs.ts'
import { LiveOrder, OrderEvents } from './order-events.ts'
import {
  endedUnreleased,
  endingOf,
  endStatusOf,
  firstEventOf,
  isStop,
  isTurned,
  MARKET,
  reasonNumber,
} from './order-words.ts'

const expirySet = columnsOf('ExpirySet')
const placed = columnsOf('OrderPlaced')
const placedAs = bitsOf('OrderPlaced')
const rested = columnsOf('OrderRested')
const reduced = columnsOf('OrderReduced')
const cancelled = columnsOf('OrderCancelled')
const cancelledFor = bitsOf('OrderCancelled').reason
const stopPlaced = columnsOf('StopPlaced')
const stopAs = bitsOf('StopPlaced')
const stopSized = columnsOf('StopReduced')
const triggered = columnsOf('StopTriggered')
const armed = columnsOf('StopArmed')
const trailSet = columnsOf('TrailSet')
const orderProtected = columnsOf('OrderProtected')
const linked = columnsOf('OcoLinked')
const filled = columnsOf('Filled')
const traded = columnsOf('Traded')

type Trail = Readonly<Record<'trailDistance' | 'trailPpm' | 'trailActivation', number | null>>
const untrailed: Trail = { trailDistance: null, trailPpm: null, trailActivation: null }

const USER = origins.indexOf('user')
const TRIGGER = origins.indexOf('trigger')
const ALGO = origins.indexOf('algo')
export type OrdersParts = Readonly<{
  accounts: Accounts
  retention: Retention
  /** Signed lots of a position. */
  lotsOf(account: number, market: number): number
}>

type Mark = NewestRow & Readonly<{ lastEvent: number }>

export class Orders implements Projection<Mark> {
  readonly reads = {
    ExpirySet: ({ rows }, at) => {
      this.expiry = { order: rows[at + expirySet.order]!, time: rows[at + expirySet.time]! }
    },
    OrderProtected: ({ rows }, at) => {
      this.protectedOrder = rows[at + orderProtected.order]!
    },
    TrailSet: ({ rows }, at) => {
      this.trail = {
        order: rows[at + trailSet.order]!,
        trailDistance: rows[at + trailSet.distance]! || null,
        trailPpm: rows[at + trailSet.ppm]! || null,
        trailActivation: rows[at + trailSet.activation]! || null,
      }
    },
    OcoLinked: (outcome, at) => {
      const [first, second] = [outcome.rows[at + linked.first]!, outcome.rows[at + linked.second]!]
      this.legs.link(outcome, first, second)
      this.legs.link(outcome, second, first)
    },
    OrderPlaced: (outcome, at) => this.place(outcome, at),
    OrderRested: (outcome, at) => this.rest(outcome, at),
    OrderReduced: (outcome, at) => {
      const order = this.events.live(outcome.rows[at + reduced.order]!)
      order.cancelled += outcome.rows[at + reduced.cancelled]!
      this.addEvent(outcome, order, 'adjust')
    },
    OrderCancelled: (outcome, at) => this.end(outcome, at),
    StopPlaced: (outcome, at) => this.placeStop(outcome, at),
    StopArmed: (outcome, at) => {
      const order = this.events.live(outcome.rows[at + stopSized.order]!)
      order.cancelled = 0
      if (order.whole !== null) order.whole = { ...order.whole, armed: true }
      order.extreme = outcome.rows[at + armed.extreme]! || null
      this.addEvent(outcome, order, 'stop_parent_order_filled')
    },
    StopReduced: (outcome, at) => {
      const order = this.events.live(outcome.rows[at + stopSized.order]!)
      order.cancelled = order.lots - outcome.rows[at + stopSized.size]!
      this.addEvent(outcome, order, 'adjust')
    },
    StopTriggered: (outcome, at) => {
      const order = this.events.live(outcome.rows[at + triggered.order]!)
      // The stop is completed. Later trades belong to the order that it creates.
      order.status = 'filled'
      order.extreme = outcome.rows[at + triggered.extreme]! || null
      this.addEvent(outcome, order, 'stop_triggered')
    },
    Traded: (outcome, at) => this.trade(outcome, at),
    Filled: ({ rows }, at) => this.begin(rows[at + filled.account]!, rows[at + filled.market]!),
  } satisfies Projection['reads']
  private last = 0
  /** Properties from the previous event, which belong to the order or stop of the next event. */
  private expiry = { order: 0, time: 0 }
  private protectedOrder = 0
  private trail = { order: 0, ...untrailed }
  /** Signed lots of the positions that this command changed, as of before the command. */
  private readonly began = new Map<number, number>()
  private readonly lotsOf
  private readonly events
  private readonly legs
  private readonly insert
  private readonly levels
  private readonly cut

  constructor(database: Database, { accounts, retention, lotsOf }: OrdersParts) {
    this.lotsOf = lotsOf
    this.events = new OrderEvents(database, accounts, retention)
    this.legs = new OcoLegs(this.events, (outcome, leg) => this.addEvent(outcome, leg, 'adjust'))
    this.insert = insertInto(database, orders)
    this.levels = new Levels(database, this.events)
    this.cut = prepare(database, 'DELETE FROM orders WHERE id > ?')
  }

  private place(outcome: FedOutcome, at: number): void {
    const { rows } = outcome
    const id = rows[at + placed.order]!
    const origin = wordAt(rows, at, placedAs.origin)
    const parent = rows[at + placed.parent]!
    const price = rows[at + placed.price]!
    const lots = rows[at + placed.size]!
    const type = wordAt(rows, at, placedAs.orderType)
    // A user's order has a parent if it is an edit. Repeated edits have the same root.
    const edited = origin === USER && parent !== 0 ? this.events.live(parent) : null
    const root = edited === null ? null : (edited.root ?? parent)
    const account = rows[at + placed.account]!
    const reduceOnly = wordAt(rows, at, placedAs.reduceOnly)
    this.insert({
      id,
      at: outcome.atMs,
      account,
      market: rows[at + placed.market]!,
      side: wordAt(rows, at, placedAs.side),
      type,
      reduceOnly,
      price,
      lots,
      stopPrice: null,
      root,
      placedBy: parent || null,
      client: outcome.text(rows[at + placed.clientOrderId]!),
      expireTime: this.expireTimeOf(id),
      mmp: this.protectedOrder === id ? 1 : 0,
      ...untrailed,
      turned: 0,
      triggerBy: null,
    })
    this.last = id
    const order = new LiveOrder({ id, account, type, lots, root })
    order.goesOn = origin === TRIGGER && reduceOnly === 1 && type === MARKET
    order.released = wordAt(rows, at, placedAs.waiting) === 0 && !order.goesOn
    order.price = price
    order.expireTime = this.expireTimeOf(id)
    order.parent = edited === null && parent !== 0 ? parent : null
    if (origin === ALGO) order.source = parent
    if (edited?.reason === 'replaced') order.oco = edited.oco
    this.addEvent(outcome, this.events.keep(order), firstEventOf(origins[origin]!, type === MARKET))
    if (origin === TRIGGER) order.levelsAfter = parent
    else if (edited !== null) order.levelsAfter = edited.levelsAfter
    if (origin === TRIGGER || edited?.reason === 'replaced')
      for (const level of this.levels.moved(outcome, parent, order))
        this.addEvent(outcome, level, 'adjust')
    if (order.oco !== null) this.legs.link(outcome, order.oco, id)
  }

  private expireTimeOf(order: number): number | null {
    return this.expiry.order === order ? this.expiry.time : null
  }

  private trailOf(stop: number): Trail {
    const { order, ...trail } = this.trail
    return order === stop ? trail : untrailed
  }

  private placeStop(outcome: FedOutcome, at: number): void {
    const { rows } = outcome
    const id = rows[at + stopPlaced.order]!
    const price = rows[at + stopPlaced.limitPrice]!
    const lots = rows[at + stopPlaced.size]!
    const parent = rows[at + stopPlaced.parent]!
    const type = wordAt(rows, at, stopAs.orderType)
    const account = rows[at + stopPlaced.account]!
    const market = rows[at + stopPlaced.market]!
    const side = wordAt(rows, at, stopAs.side)
    const up = wordAt(rows, at, stopAs.up) !== 0
    this.insert({
      id,
      at: outcome.atMs,
      account,
      market,
      side,
      type,
      reduceOnly: wordAt(rows, at, stopAs.reduceOnly),
      price,
      lots,
      stopPrice: rows[at + stopPlaced.stopPrice]!,
      root: null,
      placedBy: parent || null,
      client: outcome.text(rows[at + stopPlaced.clientOrderId]!),
      expireTime: this.expireTimeOf(id),
      mmp: 0,
      ...this.trailOf(id),
      turned: isTurned({ orderType: orderTypeNames[type]!, side: sides[side]!, up }) ? 1 : 0,
      triggerBy: wordAt(rows, at, stopAs.triggerBy),
    })
    this.last = id
    const order = new LiveOrder({ id, account, type, lots, root: null })
    order.extreme = rows[at + stopPlaced.extreme]! || null
    order.price = price
    order.parent = parent === 0 ? null : parent
    if (parent !== 0) this.levels.comeWith(order, parent)
    const armed = wordAt(rows, at, stopAs.armed) !== 0
    if (lots === 0) order.whole = { market, side: sides[side]!, armed }
    this.addEvent(outcome, this.events.keep(order), 'stop_created')
  }

  private addEvent(outcome: FedOutcome, order: LiveOrder, event: OrderEventName): void {
    this.size(order)
    this.events.add(outcome, order, event)
    if (order.oco !== null && order.hasEnded()) this.legs.ended(outcome, order.oco)
  }

  /** Sets the size of a stop for the whole position: that of the position, or of the order it came
   *  with. */
  private size(order: LiveOrder): void {
    const { account, whole, parent, lots: before } = order
    if (whole === null) return
    const { market, side, armed } = whole
    if (!armed) order.lots = this.events.live(parent!).lots || before
    else {
      const now = this.lotsOf(account, market)
      const began = this.began.get(account * marketsMax + market) ?? now
      order.lots = wholeSize(side, { now, began })
    }
  }

  /** Resting is not a separate step, unless the price was adjusted (ORDER-4). */
  private rest(outcome: FedOutcome, at: number): void {
    const order = this.events.live(outcome.rows[at + rested.order]!)
    this.levels.reveal(outcome, order)
    const price = outcome.rows[at + rested.price]!
    if (order.price === price) return
    order.price = price
    this.addEvent(outcome, order, 'adjust')
  }

  private end(outcome: FedOutcome, at: number): void {
    const reason = wordAt(outcome.rows, at, cancelledFor)
    const order = this.events.live(outcome.rows[at + cancelled.order]!)
    order.unreleased = this.endsUnreleased(outcome, at, order)
    if (order.unreleased) order.released = false
    else if (!isStop(order.type)) this.levels.reveal(outcome, order)
    this.size(order)
    if (isStop(order.type)) order.cancelled = order.lots
    else order.cancelled += outcome.rows[at + cancelled.remaining]!
    order.status = endStatusOf(reason)
    order.setReason(reasonNumber(reason, outcome.rows[at + cancelled.rejection]!))
    this.addEvent(outcome, order, endingOf(reason))
  }

  /** Whether the order ended before its release. For a level this is false; reads check the order
   *  that it came with. */
  private endsUnreleased(outcome: FedOutcome, at: number, order: LiveOrder): boolean {
    const { rows, atMs } = outcome
    const [reason, levelLots] = [wordAt(rows, at, cancelledFor), rows[at + cancelled.levelLots]!]
    return !isStop(order.type) && endedUnreleased({ ...order, atMs, reason, levelLots })
  }

  /** Remembers a position as of before the command. Called before the ledger reads the event. */
  private begin(account: number, market: number): void {
    const key = account * marketsMax + market
    if (!this.began.has(key)) this.began.set(key, this.lotsOf(account, market))
  }

  private trade(outcome: FedOutcome, at: number): void {
    const { rows } = outcome
    const market = rows[at + traded.market]!
    this.begin(rows[at + traded.taker]!, market)
    this.begin(rows[at + traded.maker]!, market)
    const [taker, maker] = [rows[at + traded.takerOrder]!, rows[at + traded.makerOrder]!]
    this.fill(outcome, at, taker, rows[at + traded.takerRemaining]!)
    this.fill(outcome, at, maker, rows[at + traded.makerRemaining]!)
  }

  private fill(outcome: FedOutcome, at: number, id: number, remaining: number): void {
    const order = this.events.live(id)
    if (!order.goesOn || remaining === 0) this.levels.reveal(outcome, order)
    order.filled += outcome.rows[at + traded.lots]!
    order.value += outcome.rows[at + traded.value]!
    order.status = remaining === 0 ? 'filled' : 'partially_filled'
    this.addEvent(outcome, order, order.type === MARKET ? 'fulfill_market' : 'fulfill_limit')
  }

  settle(): void {
    this.legs.settle()
    if (this.began.size > 0) this.began.clear()
    this.events.settle()
  }

  mark() {
    return { last: this.last, lastEvent: this.events.last }
  }

  resume({ last, lastEvent }: Mark): void {
    this.last = last
    this.events.resume(lastEvent)
  }

  freeze({ last }: NewestRow): void {
    this.events.frozen = last
  }

  revert({ last, lastEvent }: Mark, snapshot: number): void {
    this.events.revert(lastEvent, snapshot)
    this.cut.run(last)
  }
}
