// The best bid and ask of a market with their sizes, as last sent.

import type { FeedContext } from '../feed-context.ts'
import { priceText, sizeText } from '../market-text.ts'
import type { Payload } from '../topic.ts'

export class TopOfBook {
  private readonly context: FeedContext
  private readonly market: number
  private shown: string
  /** The order that last touched the book; 0: none since this is read. */
  private order = 0

  constructor(context: FeedContext, market: number) {
    this.context = context
    this.market = market
    this.shown = this.now()
  }

  /** The book is another one after this order; true: so are its best prices. */
  changedBy(order: number): boolean {
    this.order = order
    const now = this.now()
    if (now === this.shown) return false
    this.shown = now
    return true
  }

  restart(): void {
    this.order = 0
    this.shown = this.now()
  }

  payload(li: number): Payload {
    const { state } = this.context
    const s = JSON.stringify(state.markets[this.market]!.params.symbol)
    const data = `{"s":${s},"i":${this.order},"t":${state.atMs},${this.shown},"li":${li}}`
    return { data, li }
  }

  private now(): string {
    const { markets, levels } = this.context.state
    const market = markets[this.market]
    if (market === undefined) return '"b":null,"B":null,"a":null,"A":null'
    const { bids, asks, params } = market
    const side = ({ bestLevel, bestPrice }: typeof bids, price: string, size: string) => {
      if (bestLevel === 0) return `"${price}":null,"${size}":null`
      const lots = levels.lots[bestLevel]!
      return `"${price}":"${priceText(params, bestPrice)}","${size}":"${sizeText(params, lots)}"`
    }
    return `${side(bids, 'b', 'B')},${side(asks, 'a', 'A')}`
  }
}
