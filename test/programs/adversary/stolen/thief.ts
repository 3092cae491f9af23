// Carries out a plot: commands of the account are signed by the stolen key, and the core has to
// refuse those that its policy does not allow. The friend has money of its own.

import { proofOf } from '../../../support/scene.ts'
import { orderCommand, type Plain, takingCommand } from '../../../support/venue/commands.ts'
import { UNIT_VALUE } from '../../../support/venue/edition.ts'
import type { Venue } from '../../../support/venue/venue.ts'
import type { Plot, Theft } from './theft.ts'

const PPM = 1_000_000
export const KEY = 'stolen'

export type Policy = Readonly<{
  markets: readonly number[] | null
  maxSlippagePpm: number
  maxPositionValue: number
  maxDailyLoss: number
}> &
  Readonly<Record<string, unknown>>

export type Parties = Readonly<{ account: number; friend: number; policy: Policy }>

export class Thief {
  private readonly venue: Venue
  private readonly parties: Parties
  private readonly plot: Plot
  private at = 0
  private texts = 0

  constructor(venue: Venue, parties: Parties, plot: Plot) {
    this.venue = venue
    this.parties = parties
    this.plot = plot
  }

  turn(): void {
    this.make(this.plot[this.at % this.plot.length]!)
    this.at += 1
  }

  /** Signed by the key. */
  private run(plain: Plain): void {
    const proof = this.proof()
    this.venue.run({ ...plain, proof })
  }

  private proof() {
    this.texts += 1
    return proofOf(`text-${this.texts}`, this.venue.now, { agent: KEY })
  }

  private make(move: Theft): void {
    const { venue } = this
    const { account, friend } = this.parties
    const { market } = venue.feeds[move.market % venue.feeds.length]!
    const [high, low] = [this.priceOf(move, market, 1), this.priceOf(move, market, -1)]
    const lots = this.lotsOf(move, market)
    const friends = (lots: number, price: number, tif: string) =>
      venue.place(friend, { market, lots, price, tif })
    const own = (lots: number, price: number, tif: string) =>
      this.run(orderCommand(account, { market, lots, price, tif }))
    switch (move.deed) {
      case 'bid':
        return own(lots, high, 'ALO')
      case 'ask':
        return own(-lots, low, 'ALO')
      case 'buy':
        return own(lots, high, 'IOC')
      case 'sell':
        return own(-lots, low, 'IOC')
      case 'friend-bid':
        return friends(lots, low, 'ALO')
      case 'friend-ask':
        return friends(-lots, high, 'ALO')
      case 'friend-buys':
        return friends(lots, low, 'IOC')
      case 'friend-sells':
        return friends(-lots, high, 'IOC')
      case 'friend-cancels':
        return venue.cancelAll(friend, market)
      case 'friend-leads': {
        const least = Math.ceil(11_000_000 / lotAt(high))
        return friends(
          move.size % 2 === 0 ? least : -least,
          move.size % 2 === 0 ? high : low,
          'ALO',
        )
      }
      case 'wait':
        return
      default:
        return this.makeOther(move, market, lots)
    }
  }

  private makeOther(move: Theft, market: number, lots: number): void {
    const { account } = this.parties
    const [high, low] = [this.priceOf(move, market, 1), this.priceOf(move, market, -1)]
    const held = this.venue.view.positions.lotsOf(account, market)
    switch (move.deed) {
      case 'buy-market':
        return this.market(market, lots, false)
      case 'sell-market':
        return this.market(market, -lots, false)
      case 'close':
        return this.market(market, -held, true)
      case 'stop-buy':
        return this.stop(market, 'bid', { size: lots, away: 1, limitPrice: high })
      case 'stop-sell':
        return this.stop(market, 'ask', { size: lots, away: -1, limitPrice: low })
      case 'stop-close': {
        const side = held > 0 ? 'ask' : 'bid'
        return this.stop(market, side, { size: null, away: held > 0 ? -1 : 1, limitPrice: null })
      }
      case 'trail':
        return this.trail(market, held)
      case 'levels':
        return this.levels(market, held)
      case 'cancel':
        return this.run({
          ...{ type: 'CancelAllOrders', account, market, excludeReduceOnly: false },
        })
      default:
        return this.makeBatch(move, market, lots)
    }
  }

  private makeBatch(move: Theft, market: number, lots: number): void {
    const { account } = this.parties
    const own = { account, proof: null, market }
    const [high, low] = [this.priceOf(move, market, 1), this.priceOf(move, market, -1)]
    const batch = (actions: readonly Plain[]) => this.run({ type: 'Batch', account, actions })
    switch (move.deed) {
      case 'twap': {
        const { maxSlippagePpm: slippagePpm } = this.parties.policy
        const plan = { side: 'bid', size: lots, reduceOnly: false, slippagePpm }
        const rest = { durationSeconds: 60, clientOrderId: null }
        return this.run({ type: 'PlaceTwap', account, market, ...plan, ...rest })
      }
      case 'chase-buy':
        return this.work('PlaceChase', { market, side: 'bid', size: lots, price: high })
      case 'chase-sell':
        return this.work('PlaceChase', { market, side: 'ask', size: lots, price: low })
      case 'iceberg': {
        const plan = { market, side: 'bid', size: lots, price: high, display: Math.ceil(lots / 3) }
        return this.work('PlaceIceberg', plan)
      }
      case 'oco':
      case 'oto':
        return this.pair(move, market, lots)
      case 'edit': {
        const [order] = this.venue.view.orders.quotationsOf(account, market, 'bid')
        if (order === undefined) return
        const to = { order: order.order, clientOrderId: null, price: high, size: lots }
        return this.run({ type: 'EditOrder', account, market, ...to })
      }
      case 'quote': {
        const quote = { side: 'bid', price: high, size: lots, clientOrderId: 'q', mmp: false }
        return batch([{ type: 'Quote', ...own, ...quote } as unknown as Plain])
      }
      default: {
        const part = Math.max(1, Math.floor(lots / 3))
        const buy = orderCommand(account, { market, lots: part, price: high, tif: 'IOC' })
        const sell = orderCommand(account, { market, lots: -part, price: low, tif: 'IOC' })
        return batch([buy, buy, buy, sell, sell])
      }
    }
  }

  /** 95 is the last price that is allowed; what is above that is far beyond it. */
  private priceOf({ price }: Theft, market: number, way: number): number {
    const { maxSlippagePpm } = this.parties.policy
    const part = maxSlippagePpm * (price <= 95 ? price / 95 : 1 + 3 * (price - 95))
    const exact = (this.venue.markOf(market) * (PPM + way * part)) / PPM
    return way > 0 ? Math.floor(exact) : Math.ceil(exact)
  }

  private lotsOf({ size }: Theft, market: number): number {
    const { lotValue } = this.venue.view.markets.get(market)!
    const most = this.parties.policy.maxPositionValue / lotValue
    return Math.max(1, Math.floor((most * (size + 1)) / 50))
  }

  private market(market: number, lots: number, reduceOnly: boolean): void {
    if (lots === 0) return
    const { account, policy } = this.parties
    const { maxSlippagePpm: slippagePpm } = policy
    this.run({ ...takingCommand(account, { market, lots, reduceOnly }), slippagePpm })
  }

  private stop(
    market: number,
    side: 'bid' | 'ask',
    plan: Readonly<{ size: number | null; away: number; limitPrice: number | null }>,
  ): void {
    const { size, away, limitPrice } = plan
    const stopPrice = this.venue.markOf(market) + away
    const at = { stopPrice, limitPrice, size, triggerBy: 'last', clientOrderId: null }
    const { account } = this.parties
    const reduceOnly = size === null
    const level = { ...at, size: size ?? 1_000_000 }
    this.run({ type: 'PlaceStop', account, market, side, reduceOnly, level })
  }

  private work(type: 'PlaceChase' | 'PlaceIceberg', plan: Readonly<Record<string, unknown>>): void {
    const rest = { reduceOnly: false, expireTime: null, clientOrderId: null }
    this.run({ type, account: this.parties.account, ...plan, ...rest })
  }

  /** A bid that rests and a stop above it; or the stop alone, with a level that closes it
   *  immediately. */
  private pair(move: Theft, market: number, size: number): void {
    const { account } = this.parties
    const mark = this.venue.markOf(market)
    const rest = { triggerBy: 'last', clientOrderId: null }
    const limitPrice = this.priceOf(move, market, 1)
    const level = { stopPrice: mark + 1, limitPrice, size, ...rest }
    const own = { account, market }
    const stop = { side: 'bid', reduceOnly: false, level }
    if (move.deed === 'oto') {
      const stopLoss = { stopPrice: mark - 1, limitPrice: null, size: null, ...rest }
      return this.run({ type: 'PlaceStop', ...own, ...stop, takeProfit: null, stopLoss })
    }
    const order = { side: 'bid', reduceOnly: false, price: mark - 1, size, clientOrderId: null }
    this.run({ type: 'PlaceOco', ...own, legs: [order, stop] })
  }

  private trail(market: number, held: number): void {
    const { account } = this.parties
    const trail = { distance: 1, ppm: null, activation: null }
    const rest = { limitPrice: null, triggerBy: 'mark', clientOrderId: null }
    const level = { stopPrice: 0, size: Math.max(1, Math.abs(held)), trail, ...rest }
    const side = held > 0 ? 'ask' : 'bid'
    this.run({ type: 'PlaceStop', account, market, side, reduceOnly: true, level })
  }

  private levels(market: number, held: number): void {
    if (held === 0) return
    const { account } = this.parties
    const mark = this.venue.markOf(market)
    const rest = { limitPrice: null, size: null, triggerBy: 'last', clientOrderId: null }
    const way = Math.sign(held)
    const stopLoss = { stopPrice: mark - way, ...rest }
    const takeProfit = { stopPrice: mark + way, ...rest }
    const side = held > 0 ? 'bid' : 'ask'
    this.run({ type: 'SetPositionTpsl', account, market, side, stopLoss, takeProfit })
  }
}

/** One lot at this mark. */
export const lotAt = (mark: number) => mark * UNIT_VALUE
