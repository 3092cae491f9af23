// The public leaderboard. Computed at most once a second for all callers, because it reads about a
// hundred accounts and their history.

import { type Leader, leaders } from '../../../projections/leaderboard.ts'
import { moneyText } from '../../../projections/market-text.ts'
import type { ReplyOf } from '../../../protocol/route-schemas.ts'
import { LEADERS_MAX } from '../../../protocol/schemas/account-replies.ts'
import type { Exchange } from '../../exchange.ts'
import { unsigned } from '../../operation.ts'
import { requireReader } from '../reading.ts'

const freshMs = 1_000
const dayMs = 86_400_000

type Board = ReplyOf<'get_leaderboard'>
const made = new WeakMap<object, Readonly<{ at: number; board: Promise<Board> }>>()

export const getLeaderboard = unsigned({
  name: 'get_leaderboard',
  group: 'account',
  cost: 'heavy',
  async handle(call) {
    const { request, exchange } = call
    requireReader(call, null)
    const now = performance.now()
    let latest = made.get(exchange.history)
    if (latest === undefined || now - latest.at >= freshMs) {
      latest = { at: now, board: boardOf(exchange) }
      made.set(exchange.history, latest)
    }
    const board = await latest.board
    return board.slice(0, request.limit ?? LEADERS_MAX)
  },
})

function boardOf(exchange: Exchange): Promise<Board> {
  return Promise.all(leaders(exchange.view, LEADERS_MAX).map((each) => rowOf(exchange, each)))
}

async function rowOf(exchange: Exchange, leader: Leader): Promise<Board[number]> {
  const { address, equity, openValue, volumeDollars } = leader
  const { history, view } = exchange
  const seq = exchange.seq()
  const now = view.atMs
  /** Profit of an account since its beginning; 0 before that. */
  const profitAt = async (atMs: number) => {
    const query = { startMs: atMs, endMs: atMs, stepMs: dayMs }
    return (await history.equity(seq, address, query)).at(-1)?.pnl ?? 0
  }
  const days = [0, 1, 7, 30].map((ago) => profitAt(now - ago * dayMs))
  const [all, day, week, month] = (await Promise.all(days)) as [number, number, number, number]
  return {
    address,
    username: null,
    pnl_1d: moneyText(all - day),
    pnl_7d: moneyText(all - week),
    pnl_30d: moneyText(all - month),
    pnl_all_time: moneyText(all),
    equity_current: moneyText(equity),
    oi_current: moneyText(openValue),
    volume_14d: `${volumeDollars}`,
  }
}
