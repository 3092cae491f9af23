// A generated day at an embedded exchange, the same every time: several accounts quote, cancel,
// edit and trade on three markets, and prices move. Commands are made as in a backtest, one at a
// time from the last replies of the exchange.

import type { Command } from '../../src/core/commands/commands.ts'
import type { AccountId, MarketId, OrderId } from '../../src/core/commands/ids.ts'
import type { MarketView } from '../../src/core/index.ts'
import type { EmbeddedExchange } from '../../src/embed/embed.ts'
import { RandomStream } from '../../src/sources/random.ts'
import { type Lots, MICRO_PER_TICK, type MicroTicks, type Ticks } from '../../src/units/units.ts'
import { stateBehind } from '../../test/support/opened-state.ts'

const symbols = ['BTC', 'ETH', 'SOL']
const accounts = 12
const openMax = 40
const noMore = { proof: null, clientOrderId: null, takeProfit: null, stopLoss: null } as const

export class DirectFlow {
  readonly exchange: EmbeddedExchange
  private readonly random = new RandomStream('direct flow')
  private readonly traders: AccountId[] = []
  private readonly markets: readonly MarketView[]
  private readonly centres: number[]
  /** Orders of each account that may rest, oldest first, with their markets. */
  private readonly open: { market: number; order: number }[][] = []

  constructor(exchange: EmbeddedExchange) {
    this.exchange = exchange
    this.markets = symbols.map((symbol) => exchange.market(symbol))
    this.centres = this.markets.map(({ mark }) => mark)
    for (let at = 0; at < accounts; at++) {
      this.traders.push(exchange.trader(`trader ${at}`).id)
      this.open.push([])
    }
  }

  static readonly symbols: readonly string[] = symbols

  next(): Command {
    const { random } = this
    const who = random.below(accounts)
    const which = random.below(this.markets.length)
    const dice = random.below(100)
    const orders = this.open[who]!
    if (dice < 1) return this.price(which)
    if (orders.length >= openMax || (dice < 38 && orders.length > 0)) return this.cancel(who)
    if (dice < 88) return this.quote(who, which)
    return this.take(who, which)
  }

  private price(which: number): Command {
    const market = this.markets[which]!
    const step = Math.max(1, Math.floor(this.centres[which]! / 5_000))
    const start = market.oracle / MICRO_PER_TICK
    const home = this.centres[which]!
    // Pulled back to the start, so that the flow can have any length.
    const pull = start > home ? -1 : 1
    const ticks = Math.floor(start) + pull * this.random.below(step) + this.random.below(3) - 1
    const price = (ticks * MICRO_PER_TICK) as MicroTicks
    return { type: 'OracleTick', market: market.id, price, observedAtMs: null, jump: false }
  }

  private cancel(who: number): Command {
    const { market, order } = this.open[who]!.shift()!
    return {
      type: 'CancelOrder',
      account: this.traders[who]!,
      market: market as MarketId,
      order: order as OrderId,
      proof: null,
      clientOrderId: null,
    }
  }

  private quote(who: number, which: number): Command {
    const market = this.markets[which]!
    const side = this.random.below(2) === 0 ? 'bid' : 'ask'
    const away = 1 + this.random.below(40)
    const step = Math.max(1, Math.floor(market.mark / 10_000))
    const price = market.mark + (side === 'bid' ? -1 : 1) * away * step
    this.open[who]!.push({ market: market.id, order: stateBehind(this.exchange.state).nextOrderId })
    return this.limit(who, market, { side, price, tif: 'ALO' })
  }

  /** Against its own position, if it has one: positions stay small. */
  private take(who: number, which: number): Command {
    const market = this.markets[which]!
    const lots = this.exchange.state.positions.lotsOf(this.traders[who]!, market.id)
    const buys = lots === 0 ? this.random.below(2) === 0 : lots < 0
    const reach = Math.floor(market.mark / 100)
    const price = market.mark + (buys ? reach : -reach)
    return this.limit(who, market, { side: buys ? 'bid' : 'ask', price, tif: 'IOC' })
  }

  private limit(
    who: number,
    market: MarketView,
    { side, price, tif }: { side: 'bid' | 'ask'; price: number; tif: 'ALO' | 'IOC' },
  ): Command {
    const dollars = 200 + this.random.below(800)
    const size = Math.max(1, Math.floor((dollars * 1_000_000) / market.lotValue))
    return {
      type: 'PlaceOrder',
      account: this.traders[who]!,
      market: market.id as MarketId,
      side,
      price: price as Ticks,
      size: size as Lots,
      tif,
      reduceOnly: false,
      ...noMore,
    }
  }
}
