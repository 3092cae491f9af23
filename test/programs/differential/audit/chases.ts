// An order of a chase moves only to or behind the price of another account's order that could be
// hit, and never beyond its bound (ALGO-2). Checked by events and the times of commands alone: a
// command knows when an order took its place.

import type { Event, EventOf } from '../../../../src/core/events/event-fields.ts'

type Quote = Readonly<{
  owner: number
  market: number
  side: 'bid' | 'ask'
  price: number
  /** It has its place since then or later. */
  since: number
}>
type Chase = { owner: number; bound: number; moves: boolean }

export class Chases {
  private readonly owners = new Map<number, number>()
  private readonly quotes = new Map<number, Quote>()
  private readonly chases = new Map<number, Chase>()
  /** By order. */
  private readonly chaseOf = new Map<number, Chase>()
  private readonly reducing = new Set<number>()
  private lastAtMs = 0
  /** What an edit took away last, and the order that came for it. */
  private edited: Readonly<{ quote: Quote; id: number; lots: number }> | null = null
  private heir = 0
  /** By market, as they were before the command. */
  private readonly ages = new Map<number, number>()
  private readonly ageOf: (market: number) => number

  /** `ageOf`: how long an order must have had its place in that market before it counts. */
  constructor(ageOf: (market: number) => number) {
    this.ageOf = ageOf
  }

  /** What is broken, or null. */
  check(event: Event, atMs: number): string | null {
    switch (event.type) {
      case 'MarketListed':
        this.ages.set(event.market, this.ageOf(event.market))
        return null
      case 'AccountOpened':
        this.owners.set(event.account, event.main)
        return null
      case 'AlgoPlaced':
        if (event.kind === 'chase')
          this.chases.set(event.order, { ...this.by(event), bound: event.price, moves: false })
        return null
      case 'AlgoEnded':
        this.chases.delete(event.algo)
        return null
      case 'OrderPlaced':
        if (event.reduceOnly) this.reducing.add(event.order)
        this.heir = event.parent === this.edited?.id ? event.order : 0
        return this.checkChild(event, atMs)
      case 'OrderRested':
        this.take(event)
        return null
      case 'OrderCancelled': {
        const chase = this.chaseOf.get(event.order)
        const quote = this.quotes.get(event.order)
        const replaced = event.reason === 'replaced'
        if (chase !== undefined) chase.moves = replaced
        if (replaced && quote !== undefined)
          this.edited = { quote, id: event.order, lots: event.remaining }
        return this.forget(event.order)
      }
      case 'Traded':
        if (event.makerRemaining === 0) this.forget(event.makerOrder)
        if (event.takerRemaining === 0) this.forget(event.takerOrder)
        return null
      default:
        return null
    }
  }

  /** After the events of a command. */
  rest(atMs: number): void {
    this.lastAtMs = atMs
    for (const market of this.ages.keys()) this.ages.set(market, this.ageOf(market))
  }

  private by({ account }: Readonly<{ account: number }>): Readonly<{ owner: number }> {
    return { owner: this.owners.get(account) ?? account }
  }

  private forget(order: number): null {
    this.quotes.delete(order)
    this.chaseOf.delete(order)
    this.reducing.delete(order)
    return null
  }

  /** An edit to fewer lots at the same price keeps the place. */
  private take(event: EventOf<'OrderRested'>): void {
    const { order, market, side, price, remaining } = event
    if (this.reducing.has(order)) return
    const { quote, lots = 0 } = (order === this.heir ? this.edited : null) ?? {}
    const keeps = quote?.price === price && remaining < lots
    const since = keeps ? quote.since : this.lastAtMs
    this.quotes.set(order, { ...this.by(event), market, side, price, since })
  }

  private checkChild(event: EventOf<'OrderPlaced'>, atMs: number): string | null {
    const chase = event.origin === 'algo' ? this.chases.get(event.parent) : undefined
    if (chase === undefined) return null
    this.chaseOf.set(event.order, chase)
    const { market, side, price } = event
    const sign = side === 'bid' ? 1 : -1
    if ((price - chase.bound) * sign > 0) return 'an order of a chase beyond its bound'
    if (!chase.moves) return null
    chase.moves = false
    const age = Math.min(this.ageOf(market), this.ages.get(market) ?? 0)
    const leads = (quote: Quote) =>
      quote.market === market &&
      quote.side === side &&
      quote.owner !== chase.owner &&
      (quote.price - price) * sign >= 0 &&
      atMs - quote.since >= age
    const led = [...this.quotes.values()].some(leads)
    return led ? null : 'a chase went where no other order could be hit'
  }
}
