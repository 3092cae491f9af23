// The last sent best bid and ask of a market, with their sizes.

import { priceText, sizeText } from '../../projections/market-text.ts'
import type { Side } from '../../words/order-words.ts'
import type { FeedContext } from '../feed-context.ts'
import type { Payload } from '../topic.ts'
import type { Place } from './market-publisher.ts'

export class TopOfBook {
  private readonly context: FeedContext
  private readonly market: number
  private shown: string
  /** The order that last changed the book; 0 if none has since the first subscription. */
  private order = 0

  constructor(context: FeedContext, market: number) {
    this.context = context
    this.market = market
    this.shown = this.now()
  }

  /** Records that this order changed the book; returns whether the best prices changed. */
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

  /** As of the last change of the book; as of now if there was none. */
  payload({ seq: li, atMs }: Place): Payload {
    const s = JSON.stringify(this.context.view.markets.paramsOf(this.market).symbol)
    return { data: `{"s":${s},"i":${this.order},"t":${atMs},${this.shown},"li":${li}}`, li }
  }

  private now(): string {
    return `${this.best('bid', 'b', 'B')},${this.best('ask', 'a', 'A')}`
  }

  private best(side: Side, priceName: string, sizeName: string): string {
    const { books, markets } = this.context.view
    const best = books.bestPrice(this.market, side)
    if (best === 0) return `"${priceName}":null,"${sizeName}":null`
    const params = markets.paramsOf(this.market)
    const price = priceText(params, best)
    const size = sizeText(params, books.bestLots(this.market, side))
    return `"${priceName}":"${price}","${sizeName}":"${size}"`
  }
}
