// Whether an order may take now: depends on the mode of its market (CORE-7) and on the age of its
// price (PRICE-9).

import { type Rejection, refuse } from '../commands/rejections.ts'
import { type Draft, FROM_ALGO } from '../drafts/draft.ts'
import { timeInForceOf } from '../drafts/times-in-force.ts'
import { isLively, modeOf } from '../prices/trading.ts'
import { REDUCING } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { crosses } from './order-life.ts'

/** CORE-7: in a reduce-only market, an order that would open does not take. */
export function modeRefusal(state: State, draft: Draft): Rejection | null {
  const { market, side, price, tif } = draft
  if (modeOf(state, market) !== REDUCING || !timeInForceOf(tif).takes) return null
  if (draft.reduceOnly || fitsPosition(state, draft) || !crosses(market, side, price)) return null
  return refuse('TRADING_DISABLED')
}

/** PRICE-9: nothing matches on a stale price. Releases left over by an earlier command run before
 *  the feed is marked stale, so the age is checked as well. A slice is rejected even if it does not
 *  cross, and its TWAP retries it later. */
export function silenceRefusal(state: State, draft: Draft): Rejection | null {
  const { market, side, price, tif, origin } = draft
  const age = state.atMs - market.lastTickAt
  if (isLively(state, market) && age <= market.params.staleAfterMs) return null
  if (!timeInForceOf(tif).takes) return null
  if (origin !== FROM_ALGO && !crosses(market, side, price)) return null
  return refuse('ORACLE_NOT_AVAILABLE', age)
}

/** Whether the order opposes the position and, together with the other open orders of its side,
 *  does not exceed it. */
export function fitsPosition(state: State, draft: Draft): boolean {
  const { positions } = state
  const opposed = -positions.lots[draft.row]! * draft.sign
  if (opposed <= 0) return false
  const open = draft.side === 0 ? positions.buys[draft.row]! : positions.sells[draft.row]!
  return draft.size + open - draft.freed <= opposed
}
