// The trading floor of the demonstration: short ways to give a command for someone, at a price that
// moves, with one market maker who quotes around it.

import type { Level, Side } from '../core/commands.ts'
import type { Event } from '../core/events/event-fields.ts'
import type { AccountId, MarketId } from '../core/ids.ts'
import type { Lots, MicroTicks, Ppm, Quote, Ticks } from '../units/units.ts'
import { listings } from './markets.ts'
import type { Session } from './session.ts'

const MICRO = 1_000_000
const SECOND_MS = 1_000
/** How often prices come. */
const TICK_MS = 5 * SECOND_MS
const QUOTE_LEVELS = 3
/** By market id: lots the maker quotes at its best price. */
const quoteLots = [0, 200_000, 20_000, 50_000]

export class Floor {
  readonly session: Session
  private readonly maker: string
  /** By market id: the price of the world outside, in ticks. */
  private readonly prices = [0, ...listings.map(({ ticks }) => ticks)]

  constructor(session: Session, maker: string) {
    this.session = session
    this.maker = maker
  }

  deposit(address: string, amount: number): void {
    const reference = `deposit of ${address}`
    this.session.submit({ type: 'Deposit', address, amount: (amount * MICRO) as Quote, reference })
  }

  /** At the market, up to half a percent from mark. */
  take(name: string, market: number, side: Side, size: number): Event[] {
    return this.session.submit({
      type: 'PlaceMarketOrder',
      ...this.on(name, market),
      side,
      size: size as Lots,
      slippagePpm: 5_000 as Ppm,
      reduceOnly: false,
      clientOrderId: null,
      takeProfit: null,
      stopLoss: null,
    })
  }

  stop(name: string, market: number, side: Side, stopPrice: number): Event[] {
    const level = levelAt(stopPrice)
    return this.session.submit({
      type: 'PlaceStop',
      ...this.on(name, market),
      side,
      reduceOnly: true,
      level,
    })
  }

  protect(name: string, market: number, profitAt: number, lossAt: number): Event[] {
    return this.session.submit({
      type: 'SetPositionTpsl',
      ...this.on(name, market),
      side: 'bid',
      takeProfit: levelAt(profitAt),
      stopLoss: levelAt(lossAt),
    })
  }

  /** The maker leaves its old quotes and stands around the price of now. */
  quote(market: number): void {
    const named = this.on(this.maker, market)
    this.session.submit({ type: 'CancelAllOrders', ...named, excludeReduceOnly: false })
    const price = this.prices[market]!
    const step = Math.max(1, Math.round(price / 6_000))
    for (let level = 1; level <= QUOTE_LEVELS; level++)
      for (const side of ['bid', 'ask'] as const)
        this.session.submit({
          type: 'PlaceOrder',
          ...named,
          side,
          price: (side === 'bid' ? price - level * step : price + level * step) as Ticks,
          size: (quoteLots[market]! * level) as Lots,
          tif: 'GTC',
          reduceOnly: false,
          clientOrderId: null,
          takeProfit: null,
          stopLoss: null,
        })
  }

  /** Prices come every five seconds until this time; one that moved comes with the next. */
  waitUntil(atMs: number): Event[] {
    const { session } = this
    const events: Event[] = []
    while (session.atMs < atMs) {
      session.atMs = Math.min(atMs, session.atMs + TICK_MS)
      for (let market = 1; market < this.prices.length; market++)
        events.push(...session.submit(this.tick(market)))
    }
    return events
  }

  /** The world's price moves; the maker follows before the exchange hears of it. */
  move(market: number, ticks: number): Event[] {
    this.prices[market] = ticks
    this.quote(market)
    return this.wait()
  }

  /** Until prices have come once more. */
  wait(): Event[] {
    return this.waitUntil(this.session.atMs + TICK_MS)
  }

  private tick(market: number) {
    const price = (this.prices[market]! * MICRO) as MicroTicks
    return {
      type: 'OracleTick',
      market: market as MarketId,
      price,
      external: null,
      jump: false,
    } as const
  }

  private on(name: string, market: number) {
    const account = this.session.accountOf(name) as AccountId
    return { account, proof: null, market: market as MarketId }
  }
}

/** At the market, for everything, by the mark price. */
function levelAt(stopPrice: number): Level {
  return {
    stopPrice: stopPrice as Ticks,
    limitPrice: null,
    size: null,
    triggerBy: 'mark',
    clientOrderId: null,
  }
}
