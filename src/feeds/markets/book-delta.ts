// Sends the complete book once, then the changed levels. Each payload names the previous one and
// has a checksum of the top of the book, so that a reader detects missing and misapplied changes. A
// new reader starts with the last sent book, so that the next change is the same for all readers.

import type { MarketParams } from '../../core/index.ts'
import { priceText, sizeText } from '../../projections/market-text.ts'
import { crc32 } from '../../protocol/streams/crc32.ts'
import type { FeedContext } from '../feed-context.ts'
import type { Payload } from '../topic.ts'

/** Maximum levels per side. Levels beyond it are sent as removed. */
const deltaLevels = 1_000
const checkedLevels = 25

/** Prices, sizes and numbers of orders, best first. */
type Side = { count: number; prices: Int32Array; lots: Float64Array; orders: Int32Array }

const emptySide = (): Side => ({
  count: 0,
  prices: new Int32Array(deltaLevels),
  lots: new Float64Array(deltaLevels),
  orders: new Int32Array(deltaLevels),
})

export class BookDelta {
  private readonly context: FeedContext
  private readonly market: number
  private bids = emptySide()
  private asks = emptySide()
  /** Spare buffers for reading the book. */
  private nextBids = emptySide()
  private nextAsks = emptySide()
  private li = 0
  private atMs = 0

  constructor(context: FeedContext, market: number) {
    this.context = context
    this.market = market
    this.load()
  }

  whole(): Payload {
    const params = this.context.view.markets.paramsOf(this.market)
    const all = (side: Side) => rowsOf(params, side, Array.from(side.prices.keys()))
    const l = `[${all(this.bids)},${all(this.asks)}]`
    return { data: this.dataOf(params, l, null), li: this.li }
  }

  /** Returns the changes since the last call; `null` if there are none. */
  changes(): Payload | null {
    const params = this.context.view.markets.paramsOf(this.market)
    this.read()
    const bidRows = changedRows(params, this.bids, this.nextBids, 1)
    const askRows = changedRows(params, this.asks, this.nextAsks, -1)
    if (bidRows.length + askRows.length === 0) return null
    const prev = this.li
    this.swap()
    const l = `[[${bidRows.join()}],[${askRows.join()}]]`
    return { data: this.dataOf(params, l, prev), li: this.li }
  }

  /** Reloads the book, as after a revert. */
  load(): void {
    if (this.context.view.markets.get(this.market) === undefined) return
    this.read()
    this.swap()
  }

  private swap(): void {
    const { bids, asks } = this
    this.bids = this.nextBids
    this.asks = this.nextAsks
    this.nextBids = bids
    this.nextAsks = asks
    this.li = this.context.seq()
    this.atMs = this.context.view.atMs
  }

  private read(): void {
    const { books } = this.context.view
    this.nextBids.count = books.readLevels(this.market, 'bid', this.nextBids)
    this.nextAsks.count = books.readLevels(this.market, 'ask', this.nextAsks)
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

/** Finds added, removed and changed levels in one pass. Both sides are sorted, best first. */
function changedRows(params: MarketParams, from: Side, to: Side, sign: number): string[] {
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
