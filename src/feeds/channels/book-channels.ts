// Channels of a market's book: its best levels, its best prices, and the complete book with
// changes.

import type { DepthLevel } from '../../core/index.ts'
import { priceText, sizeText } from '../../projections/market-text.ts'
import { declared } from '../../protocol/streams/channels.ts'
import { BookDelta } from '../markets/book-delta.ts'
import type { MarketPublisher } from '../markets/market-publisher.ts'
import { Throttle } from '../markets/throttle.ts'
import { TopOfBook } from '../markets/top-of-book.ts'
import type { Payload } from '../topic.ts'
import type { TopicIdOf } from '../topic-id.ts'
import { type MarketParts, marketChannel } from './channel.ts'

const bookPeriodMs = 100
const bookLevels = 10
const deltaPeriodMs = 50

export const bookChannels = {
  book: marketChannel(declared.book, bestLevels),

  bookDelta: marketChannel(declared.bookDelta, ({ context }, { market }) => {
    const book = new BookDelta(context, market)
    const throttle = new Throttle(deltaPeriodMs, () => book.changes())
    return {
      snapshot: () => book.whole(),
      bookChanged: () => throttle.mark(),
      reverted: () => book.load(),
      throttle,
    }
  }),

  /** All changes of a journal batch become visible together. */
  bbo: marketChannel(declared.bbo, ({ topic, context }, { market }) => {
    const top = new TopOfBook(context, market)
    return {
      snapshot: () => top.payload({ seq: context.seq(), atMs: context.view.atMs }),
      bookChanged(change) {
        if (top.changedBy(change.order)) topic.queue(top.payload(change))
      },
      reverted: () => top.restart(),
    }
  }),
}

/** A channel that sends all best levels each time, optionally aggregated. */
function bestLevels(
  { context }: MarketParts,
  { market, gather }: TopicIdOf<'book'>,
): MarketPublisher {
  let shown = ''
  const levels = () => {
    const { view } = context
    const params = view.markets.paramsOf(market)
    const row = ({ price, lots, orders }: DepthLevel) =>
      `{"p":"${priceText(params, price)}","a":"${sizeText(params, lots)}","n":${orders}}`
    const { bids, asks } = view.books.depth(market, bookLevels, gather)
    return `[[${bids.map(row).join()}],[${asks.map(row).join()}]]`
  }
  const payload = (): Payload => {
    const { view } = context
    const li = context.seq()
    const s = JSON.stringify(view.markets.paramsOf(market).symbol)
    return { data: `{"s":${s},"l":${shown},"t":${view.atMs},"li":${li}}`, li }
  }
  const throttle = new Throttle(bookPeriodMs, () => {
    const now = levels()
    if (now === shown) return null
    shown = now
    return payload()
  })
  return {
    snapshot() {
      shown = levels()
      return payload()
    },
    bookChanged: () => throttle.mark(),
    throttle,
  }
}
