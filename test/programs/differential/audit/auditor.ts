// The invariants that only events show (docs/rules/invariants.md 4, 6, 7, 9): both engines could
// break them alike, so a third pair of eyes follows the events and knows nothing of either.

import type { Event, EventOf } from '../../../../src/core/events/event-fields.ts'
import { type FillPart, fillsOf } from '../../../../src/core/events/fills-of.ts'
import { mayTake } from '../../../twin/orders/times-in-force.ts'
import { Chases } from './chases.ts'
import { Pairs } from './pairs.ts'
import { Trails } from './trails.ts'

type Followed = {
  account: number
  side: 'bid' | 'ask'
  price: number
  size: number
  tif: EventOf<'OrderPlaced'>['tif']
  reduceOnly: boolean
  goesOn: boolean
  filled: number
  cut: number
  expireTime: number
  market: number
  /** Of a maker whose protection was tripped, or not (ORDER-18). */
  protects: boolean
  isCancelDue: boolean
}

export class Auditor {
  private readonly owners = new Map<number, number>()
  private readonly orders = new Map<number, Followed>()
  /** Σ payments by `market:epoch`. */
  private readonly payments = new Map<string, number>()
  private lastOrder = 0
  /** Of the order or stop that the next event is about. */
  private expireTime = Number.POSITIVE_INFINITY
  private protects = false
  /** Of the command before: no work of this one is done at an earlier time. */
  private lastAtMs = 0
  private lastHistory = 0
  private readonly pairs = new Pairs()
  private readonly trails = new Trails()
  private readonly chases: Chases

  /** `ageOf`: how long an order must have had its place in that market before it counts. */
  constructor(ageOf: (market: number) => number) {
    this.chases = new Chases(ageOf)
  }

  /** The first rule these events break, or null. `reachedMs`: engine time after them. A start that
   *  changes nothing leaves it where it was. */
  check(events: readonly Event[], atMs: number, reachedMs = atMs): string | null {
    for (const event of events) {
      const broken =
        this.checkOne(event) ??
        this.pairs.check(event) ??
        this.trails.check(event) ??
        this.chases.check(event, atMs)
      if (broken !== null) return `${broken}: ${JSON.stringify(event)}`
    }
    this.pairs.rest()
    this.trails.rest()
    this.lastAtMs = reachedMs
    this.chases.rest(reachedMs)
    return null
  }

  private checkOne(event: Event): string | null {
    switch (event.type) {
      case 'AccountOpened':
        this.owners.set(event.account, event.main)
        return null
      case 'ExpirySet':
        this.expireTime = event.time
        return null
      case 'OrderPlaced':
        this.orders.set(event.order, {
          ...{ ...event, filled: 0, cut: 0, goesOn: goesOn(event), ...this.options() },
        })
        return this.newOrderId(event.order)
      case 'StopPlaced':
      case 'AlgoPlaced':
        return this.newOrderId(event.order)
      case 'ActionDeferred':
        return this.newOrderId(event.action)
      case 'Traded':
        return this.checkTrade(event) ?? this.checkFills(event)
      case 'Filled':
        return this.checkFills(event)
      case 'OrderRested': {
        // A limit may have moved while it waited; what rests says where.
        const order = this.orders.get(event.order)
        if (order !== undefined) order.price = event.price
        return this.checkRemaining(event.order, event.remaining)
      }
      case 'OrderReduced': {
        const order = this.orders.get(event.order)
        if (order !== undefined) order.cut += event.cancelled
        return this.checkRemaining(event.order, event.remaining)
      }
      case 'OrderCancelled': {
        const wrong = this.checkRemaining(event.order, event.remaining)
        this.orders.delete(event.order)
        return wrong
      }
      case 'OrderProtected':
        this.protects = true
        return null
      case 'MmpTripped':
        for (const order of this.orders.values())
          if (order.protects && order.account === event.account && order.market === event.market)
            order.isCancelDue = true
        return null
      case 'FundingPaid':
        this.addPayment(`${event.market}:${event.epoch}`, event.payment)
        return null
      case 'FundingClosed':
        return this.checkPool(event)
      default:
        return null
    }
  }

  /** Of the order that this event is about. */
  private options() {
    return { expireTime: this.expireTime, protects: this.protects, isCancelDue: false }
  }

  private newOrderId(id: number): string | null {
    const grows = id > this.lastOrder
    this.lastOrder = id
    this.expireTime = Number.POSITIVE_INFINITY
    this.protects = false
    return grows ? null : 'an order id does not grow'
  }

  private checkTrade(trade: EventOf<'Traded'>): string | null {
    if (trade.history <= this.lastHistory) return 'a history id does not grow'
    if (this.owners.get(trade.maker) === this.owners.get(trade.taker)) {
      return 'one owner on both sides'
    }
    const maker = this.orders.get(trade.makerOrder)
    const taker = this.orders.get(trade.takerOrder)
    if (maker === undefined || taker === undefined) return 'a trade of an order that is not live'
    maker.filled += trade.lots
    taker.filled += trade.lots
    if (trade.price !== maker.price) return 'not the price of the maker'
    if (taker.side === maker.side || taker.side !== trade.side) return 'not two sides'
    const worse = taker.side === 'bid' ? trade.price > taker.price : trade.price < taker.price
    if (worse && !taker.goesOn) return 'worse than the limit of the taker'
    if (!mayTake(taker.tif)) return 'an order that only makes has taken'
    const over = [maker, taker].some(({ expireTime }) => expireTime <= this.lastAtMs)
    if (over) return 'a trade of an order past its time'
    if (maker.isCancelDue) return 'a trade of a quote that is due to be cancelled'
    return (
      this.checkRemaining(trade.makerOrder, trade.makerRemaining) ??
      this.checkRemaining(trade.takerOrder, trade.takerRemaining)
    )
  }

  private checkFills(event: Event): string | null {
    for (const fill of fillsOf(event)) {
      const broken = this.checkFill(fill)
      if (broken !== null) return broken
    }
    return null
  }

  private checkFill(fill: FillPart): string | null {
    if (fill.history <= this.lastHistory) return 'a history id does not grow'
    this.lastHistory = fill.history
    const opens = fill.kind.startsWith('open')
    if (opens && this.orders.get(fill.order)?.reduceOnly) return 'a reduce-only order has added'
    const forced = fill.kind.startsWith('force')
    if (forced && fill.cause === 'normal') return 'forced by nothing'
    return fill.lots > 0 ? null : 'a fill of nothing'
  }

  private checkRemaining(id: number, remaining: number): string | null {
    const order = this.orders.get(id)
    if (order === undefined) return null
    const left = order.size - order.filled - order.cut
    return left === remaining ? null : `filled + remaining + cut is not the size (${left} left)`
  }

  private addPayment(pool: string, payment: number): void {
    this.payments.set(pool, (this.payments.get(pool) ?? 0) + payment)
  }

  private checkPool({ market, epoch, remainder }: EventOf<'FundingClosed'>): string | null {
    const paid = this.payments.get(`${market}:${epoch}`) ?? 0
    this.payments.delete(`${market}:${epoch}`)
    if (remainder < 0) return 'a pool is short'
    return paid + remainder === 0 ? null : `a pool does not sum to zero (${paid})`
  }
}

function goesOn({ origin, reduceOnly, orderType }: EventOf<'OrderPlaced'>): boolean {
  return origin === 'trigger' && reduceOnly && orderType === 'market'
}
