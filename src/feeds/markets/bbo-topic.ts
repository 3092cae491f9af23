// `bbo`: the top of a book, whenever its price or size changed. What happens within one batch of
// the journal becomes visible at once, and is one change.

import { priceText, sizeText } from '../market-text.ts'
import type { Sight } from '../sight.ts'
import type { Told } from '../topic.ts'
import { type BookNews, MarketTopic } from './market-topic.ts'

export class BboTopic extends MarketTopic {
  override readonly market: number
  private shown = ''
  private order = 0

  constructor(key: string, sight: Sight, market: number) {
    super(key, sight, market)
    this.market = market
    this.shown = this.top()
  }

  override bookChanged({ order, seq }: BookNews): void {
    this.order = order
    const top = this.top()
    if (top === this.shown) return
    this.shown = top
    this.tell(this.told(seq))
  }

  first(): Told {
    return this.told(this.sight.seq())
  }

  override reverted(): void {
    super.reverted()
    this.order = 0
    this.shown = this.top()
  }

  private told(li: number): Told {
    const { state } = this.sight
    const s = JSON.stringify(state.markets[this.market]!.params.symbol)
    const data = `{"s":${s},"i":${this.order},"t":${state.atMs},${this.shown},"li":${li}}`
    return { data, li }
  }

  private top(): string {
    const { markets, levels } = this.sight.state
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
