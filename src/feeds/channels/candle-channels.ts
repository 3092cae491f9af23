// Channels of the candle of the current interval: of trades, and of mark prices.

import { declared } from '../../protocol/streams/channels.ts'
import type { MarketPublisher } from '../markets/market-publisher.ts'
import { RunningCandle } from '../markets/running-candle.ts'
import { marketChannel } from './channel.ts'

export const candleChannels = {
  candle: marketChannel(declared.candle, (parts, { market, interval }) => {
    const candle = new RunningCandle(parts, { market, interval, kind: 'trade' })
    return {
      ...publisherOf(candle),
      traded: ({ seq, atMs, price, lots }) => candle.add({ seq, atMs, price, lots }),
    }
  }),

  markCandle: marketChannel(declared.markCandle, (parts, { market, interval }) => {
    const candle = new RunningCandle(parts, { market, interval, kind: 'mark' })
    return {
      ...publisherOf(candle),
      marked: (price, { seq, atMs }) => candle.add({ seq, atMs, price, lots: 0 }),
    }
  }),
}

function publisherOf(candle: RunningCandle): MarketPublisher {
  return {
    snapshot: () => candle.payload(),
    batchEnded: () => candle.batchEnded(),
    // Minutes that arrive late may belong to the current interval.
    pastChanged: () => candle.load(),
    reverted: () => candle.load(),
    throttle: candle.throttle,
  }
}
