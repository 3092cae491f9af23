import { moneyText } from '../../../projections/market-text.ts'
import { PORTFOLIO_POINTS } from '../../../protocol/schemas/account-history.ts'
import { unsigned } from '../../operation.ts'
import { readableAddress, timesOf } from '../reading.ts'

const minuteMs = 60_000
const dayMs = 1_440 * minuteMs
/** Points are at multiples of one of these steps, or of whole days. */
const steps = [1, 2, 5, 15, 30, 60, 120, 240, 480, 720].map((minutes) => minutes * minuteMs)
const ranges = { '1d': 1, '7d': 7, '14d': 14, '30d': 30 } as const

export const getPortfolio = unsigned({
  name: 'get_portfolio',
  group: 'account',
  async handle(call) {
    const { request, exchange } = call
    const account = readableAddress(call, request.account)
    const { view, history } = exchange
    const given = timesOf(request)
    const endMs = Math.min(given.endMs ?? view.atMs, view.atMs)
    const { time_range: range } = request
    const limit = request.limit ?? PORTFOLIO_POINTS
    const beginning = await history.beginning(exchange.seq(), account)
    if (beginning === null) return []
    const reach = range === 'all' ? beginning : endMs - ranges[range] * dayMs
    const startMs = Math.max(given.startMs ?? reach, beginning)
    const stepMs = stepOf(endMs - startMs, limit)
    const points = await history.equity(exchange.seq(), account, { startMs, endMs, stepMs })
    return points.slice(-limit).map(({ equity, pnl, atMs }) => ({
      account_equity: moneyText(equity),
      pnl: moneyText(pnl),
      timestamp: atMs,
    }))
  },
})

/** The shortest step that does not exceed the maximum number of points. Both ends may add one more
 *  point. */
export function stepOf(spanMs: number, points: number): number {
  const least = Math.max(0, spanMs) / Math.max(1, points - 2)
  return steps.find((step) => step >= least) ?? Math.ceil(least / dayMs) * dayMs
}
