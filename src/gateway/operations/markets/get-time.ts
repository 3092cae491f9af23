import { noQuery } from '../../../protocol/schemas/lists.ts'
import { exchangeTime } from '../../../protocol/schemas/market-replies.ts'
import { read } from '../../operation.ts'

export const getTime = read({
  name: 'get_time',
  http: 'GET /time',
  ws: null,
  group: 'markets',
  summary: 'Time of the machine and of the exchange',
  cost: 'plain',
  wraps: 'envelope',
  refusals: 'rules',
  request: noQuery,
  reply: exchangeTime,
  rejects: [],
  handle({ exchange }) {
    const now = exchange.wallNow()
    // In a venue engine time is the machine's clock made monotone; a sandbox has its own.
    const venueNow = Math.max(now, exchange.state.atMs)
    return { now, engine_now: exchange.sandbox?.clock().engineNow ?? venueNow }
  },
})
