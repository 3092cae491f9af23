// `book_delta`: the book once, then the levels that changed. Each frame names the one before it and
// carries a checksum of the top of the book, so that a reader knows that it has missed nothing and
// applied everything right. A reader begins with the book as it was last told, not as it is now:
// the next change then fits for everyone alike.

import type { BookSide } from '../../core/book/book-side.ts'
import type { MarketParams } from '../../core/markets/market-params.ts'
import { crc32 } from '../../protocol/streams/crc32.ts'
import { priceText, sizeText } from '../market-text.ts'
import type { Sight } from '../sight.ts'
import type { Told } from '../topic.ts'
import { ThrottledTopic } from './throttled-topic.ts'

export const deltaPeriodMs = 50
/** Levels of a side that are told; what falls out of them is told as gone. */
export const deltaLevels = 1_000
export const checkedLevels = 25

/** Prices, sizes and numbers of orders, best first. */
type Side = { count: number; prices: Int32Array; lots: Float64Array; orders: Int32Array }

const emptySide = (): Side => ({
  count: 0,
  prices: new Int32Array(deltaLevels),
  lots: new Float64Array(deltaLevels),
  orders: new Int32Array(deltaLevels),
})

export class BookDeltaTopic extends ThrottledTopic {
  override readonly market: number
  private bids = emptySide()
  private asks = emptySide()
  /** Spare sides, to read the book into. */
  private nextBids = emptySide()
  private nextAsks = emptySide()
  private li = 0
  private atMs = 0

  constructor(key: string, sight: Sight, market: number) {
    super(key, sight, market, deltaPeriodMs)
    this.market = market
    this.load()
  }

  override bookChanged(): void {
    this.dirty = true
  }

  override reverted(): void {
    super.reverted()
    this.load()
  }

  first(): Told {
    const { params } = this.sight.state.markets[this.market]!
    const all = (side: Side) => rowsOf(params, side, Array.from(side.prices.keys()))
    const l = `[${all(this.bids)},${all(this.asks)}]`
    return { data: this.dataOf(params, l, null), li: this.li }
  }

  protected news(): Told | null {
    const { state } = this.sight
    const { params, bids, asks } = state.markets[this.market]!
    this.read(bids, this.nextBids)
    this.read(asks, this.nextAsks)
    const bidRows = changes(params, this.bids, this.nextBids, 1)
    const askRows = changes(params, this.asks, this.nextAsks, -1)
    if (bidRows.length + askRows.length === 0) return null
    const prev = this.li
    this.swap()
    const l = `[[${bidRows.join()}],[${askRows.join()}]]`
    return { data: this.dataOf(params, l, prev), li: this.li }
  }

  private load(): void {
    const market = this.sight.state.markets[this.market]
    if (market === undefined) return
    this.read(market.bids, this.nextBids)
    this.read(market.asks, this.nextAsks)
    this.swap()
  }

  private swap(): void {
    const { bids, asks } = this
    this.bids = this.nextBids
    this.asks = this.nextAsks
    this.nextBids = bids
    this.nextAsks = asks
    this.li = this.sight.seq()
    this.atMs = this.sight.state.atMs
  }

  private read(from: BookSide, to: Side): void {
    const { levels } = this.sight.state
    to.count = Math.min(from.count, deltaLevels)
    let level = from.bestLevel
    for (let at = 0; at < to.count; at++, level = levels.worse[level]!) {
      to.prices[at] = levels.price[level]!
      to.lots[at] = levels.lots[level]!
      to.orders[at] = levels.count[level]!
    }
  }

  private dataOf(params: MarketParams, l: string, prev: number | null): string {
    const cs = crc32(`${checkedText(params, this.bids)}|${checkedText(params, this.asks)}`)
    const s = JSON.stringify(params.symbol)
    return `{"s":${s},"l":${l},"t":${this.atMs},"li":${this.li},"prev":${prev},"cs":${cs}}`
  }
}

function checkedText(params: MarketParams, side: Side): string {
  const parts: string[] = []
  for (let at = 0; at < Math.min(side.count, checkedLevels); at++)
    parts.push(`${priceText(params, side.prices[at]!)}:${sizeText(params, side.lots[at]!)}`)
  return parts.join()
}

function rowsOf(params: MarketParams, side: Side, places: readonly number[]): string {
  return `[${places
    .slice(0, side.count)
    .map((at) => rowOf(params, side.prices[at]!, side.lots[at]!, side.orders[at]!))
    .join()}]`
}

function rowOf(params: MarketParams, price: number, lots: number, orders: number): string {
  return `{"p":"${priceText(params, price)}","a":"${sizeText(params, lots)}","n":${orders}}`
}

/** Both sides are sorted, best first: one walk finds what came, went and changed. */
function changes(params: MarketParams, from: Side, to: Side, sign: number): string[] {
  const rows: string[] = []
  let before = 0
  let after = 0
  while (before < from.count || after < to.count) {
    const old = before < from.count ? from.prices[before]! * sign : Number.NEGATIVE_INFINITY
    const now = after < to.count ? to.prices[after]! * sign : Number.NEGATIVE_INFINITY
    if (old > now) {
      rows.push(rowOf(params, from.prices[before]!, 0, 0))
      before += 1
      continue
    }
    const lots = to.lots[after]!
    const orders = to.orders[after]!
    const same = old === now && from.lots[before] === lots && from.orders[before] === orders
    if (!same) rows.push(rowOf(params, to.prices[after]!, lots, orders))
    if (old === now) before += 1
    after += 1
  }
  return rows
}
