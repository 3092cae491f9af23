// `book`: the best levels of a market, as they are or gathered on a coarser grid, whole each time.

import { bookDepth, type DepthLevel } from '../../projections/current/book-depth.ts'
import { priceText, sizeText } from '../market-text.ts'
import type { Sight } from '../sight.ts'
import type { Told } from '../topic.ts'
import { ThrottledTopic } from './throttled-topic.ts'

export const bookPeriodMs = 100
export const bookLevels = 10

export class BookTopic extends ThrottledTopic {
  override readonly market: number
  private readonly gather: number
  private shown = ''

  constructor(key: string, sight: Sight, market: number, gather: number) {
    super(key, sight, market, bookPeriodMs)
    this.market = market
    this.gather = gather
  }

  override bookChanged(): void {
    this.dirty = true
  }

  first(): Told {
    this.shown = this.levels()
    return this.told()
  }

  protected news(): Told | null {
    const levels = this.levels()
    if (levels === this.shown) return null
    this.shown = levels
    return this.told()
  }

  private told(): Told {
    const { state } = this.sight
    const { symbol } = state.markets[this.market]!.params
    const li = this.sight.seq()
    const s = JSON.stringify(symbol)
    return { data: `{"s":${s},"l":${this.shown},"t":${state.atMs},"li":${li}}`, li }
  }

  private levels(): string {
    const { state } = this.sight
    const { params } = state.markets[this.market]!
    const row = ({ price, lots, orders }: DepthLevel) =>
      `{"p":"${priceText(params, price)}","a":"${sizeText(params, lots)}","n":${orders}}`
    const { bids, asks } = bookDepth(state, this.market, bookLevels, this.gather)
    return `[[${bids.map(row).join()}],[${asks.map(row).join()}]]`
  }
}
