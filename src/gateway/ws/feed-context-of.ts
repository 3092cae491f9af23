// The running exchange, as used by the feeds.

import type { FeedContext, PastQuery } from '../../feeds/feed-context.ts'
import type { OpenHistory } from '../../projections/history/create-history.ts'
import type { AfterQuery, Page } from '../../projections/history/history.ts'
import type { Exchange } from '../exchange.ts'

type After = Omit<PastQuery, 'address'>
type Ask<Row> = (query: AfterQuery) => Promise<Readonly<{ rows: readonly Row[] }>>

const newestSince = (startMs: number, { limit }: AfterQuery): Page => ({
  ...{ market: null, startMs, endMs: null, limit, before: null },
})

export function feedContextOf(exchange: Exchange, history: Pick<OpenHistory, 'asOf'>): FeedContext {
  /** Returns `null` unless the store has all of these rows. */
  async function complete<Row>(
    { from: seq, until, limit, sinceMs }: After,
    ask: Ask<Row>,
    place: 'completeAfter' | 'stepsCompleteAfter' = 'completeAfter',
  ) {
    const { rows } = await ask({ seq, limit })
    // Queried after the rows, so that a revert in between is noticed.
    const [completeAfter = null] = (await history.asOf(until, place)).rows
    const isComplete = completeAfter !== null && (sinceMs !== null || completeAfter <= seq)
    return isComplete ? rows : null
  }

  return {
    get view() {
      return exchange.view
    },
    seq: () => exchange.seq(),
    statistics: exchange.statistics,
    onCheckpoint: (listener) => exchange.receipts?.onCheckpoint(listener) ?? (() => undefined),
    namesAccounts: exchange.settings.reads !== 'owner',
    history: {
      past: {
        fillsAfter: ({ address, ...after }) =>
          complete(after, (query) =>
            after.sinceMs === null
              ? history.asOf(after.until, 'fillsAfter', address, query)
              : history.asOf(after.until, 'fills', address, newestSince(after.sinceMs, query)),
          ),
        ledgerAfter: ({ address, ...after }) =>
          complete(after, (query) => history.asOf(after.until, 'ledgerAfter', address, query)),
        orderStepsAfter: ({ address, ...after }) =>
          complete(
            after,
            (query) => history.asOf(after.until, 'orderStepsAfter', address, query),
            'stepsCompleteAfter',
          ),
        twapsAfter: ({ address, ...after }) =>
          complete(
            after,
            (query) => history.asOf(after.until, 'twapsAfter', address, query),
            'stepsCompleteAfter',
          ),
      },
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
