// What the feeds read of the running exchange.

import type { FeedContext } from '../../feeds/feed-context.ts'
import type { OpenHistory } from '../../projections/history/create-history.ts'
import type { Exchange } from '../exchange.ts'

export function feedContextOf(exchange: Exchange, history: Pick<OpenHistory, 'asOf'>): FeedContext {
  return {
    get view() {
      return exchange.view
    },
    seq: () => exchange.seq(),
    statistics: exchange.statistics,
    namesAccounts: exchange.settings.reads !== 'owner',
    history: {
      async candle(seq, { market, kind, interval, atMs }) {
        const query = { kind, interval, startMs: atMs, endMs: atMs, limit: 1 }
        const answer = await history.asOf(seq, 'candles', market, query)
        const row = answer.rows[0]
        if (row === undefined) return { seq: answer.seq, value: null }
        const { startMs: start, endMs: end, ...numbers } = row
        return { seq: answer.seq, value: { start, end, ...numbers } }
      },
      async filledValues(seq, orders) {
        const { seq: asOf, rows: value } = await history.asOf(seq, 'filledValues', orders)
        return { seq: asOf, value }
      },
    },
  }
}
