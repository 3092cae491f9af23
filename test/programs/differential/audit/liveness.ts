// Which markets act on their price, seen in events alone: the feed is live and neither the market
// nor the exchange is in a mode that stops matching (CORE-7).

import type { Event } from '../../../../src/core/index.ts'

const strictness = ['open', 'reduce_only', 'post_only', 'cancel_only', 'halted']
const postOnly = strictness.indexOf('post_only')

export class Liveness {
  private readonly hasPrice: boolean[] = []
  private readonly modes: number[] = []
  private exchange = 0

  hear(event: Event): void {
    switch (event.type) {
      case 'MarketListed':
        this.hasPrice[event.market] = true
        this.modes[event.market] = 0
        break
      case 'FeedHealthChanged':
        this.hasPrice[event.market] = event.health === 'live'
        break
      case 'MarketModeSet':
        this.modes[event.market] = strictness.indexOf(event.mode)
        break
      case 'ExchangeModeSet':
        this.exchange = strictness.indexOf(event.mode)
        break
    }
  }

  private modeOf(market: number): number {
    return Math.max(this.exchange, this.modes[market]!)
  }

  isLively(market: number): boolean {
    return this.hasPrice[market]! && this.modeOf(market) < postOnly
  }

  /** Takers there must only reduce. */
  isReducing(market: number): boolean {
    return this.modeOf(market) === strictness.indexOf('reduce_only')
  }
}
