// Updates the liquidation indexes for accounts that changed. A cross account with k positions may
// lose its slack in any of them, so each position gets the price at which it alone would use up 1/k
// of the slack. While no trigger is reached, the total slack is not used up either.

import { divFloor } from '../../units/rounding.ts'
import { Health, sumHealth, sumScope } from '../margin/equity.ts'
import { grown } from '../pools/growing.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'

/** Above any price. A scope below maintenance is reached at every price, because a better price in
 *  one of its markets may not be enough to save it. */
const beyond = 4_000_000_000

/** Marks the account's liquidation triggers as stale: they are recomputed before the next price. */
export function touch(state: State, account: number): void {
  if (state.accounts.dirty[account] === 1) return
  state.accounts.dirty[account] = 1
  if (state.dirtyCount === state.dirty.length)
    state.dirty = grown(state.dirty, state.dirtyCount + 1)
  state.dirty[state.dirtyCount] = account
  state.dirtyCount += 1
}

/** Updates all accounts that changed since the last price. Called before a price reads the
 *  indexes. */
export function updateIndexes(state: State): void {
  while (state.dirtyCount !== 0) updateNext(state)
}

/** Updates one account after a command. The indexes are not read before the next price, so an order
 *  that met ten makers leaves most of this work to cheaper commands after it. */
export function updateNext(state: State): void {
  const { accounts } = state
  state.dirtyCount -= 1
  const account = state.dirty[state.dirtyCount]!
  accounts.dirty[account] = 0
  if (accounts.reserved[account] === 0) indexAccount(state, account)
}

const health = new Health()

/** Recomputes the triggers of all positions of the account from the current marks. */
export function indexAccount(state: State, account: number): void {
  const { positions } = state
  sumHealth(state, account, health)
  const slack = health.equity - health.maintenance
  const share = health.positions <= 1 ? slack : divFloor(slack, health.positions)
  let row = state.accounts.rows[account]!
  while (row !== 0) {
    const market = state.markets[positions.market[row]!]!
    if (positions.lots[row] === 0) leaveIndex(state, market, row)
    else if (positions.isolated[row] === 0) placeInIndex(state, market, row, share)
    else placeInIndex(state, market, row, isolatedSlack(state, row))
    row = positions.nextOfAccount[row]!
  }
}

function isolatedSlack(state: State, row: number): number {
  sumScope(state, row, health)
  return health.equity - health.maintenance
}

function leaveIndex(state: State, market: Market, row: number): void {
  const place = state.positions.indexPlace[row]!
  if (place > 0) market.longs.remove(state.positions, row)
  else if (place < 0) market.shorts.remove(state.positions, row)
}

/** The price at which the position alone uses up the slack, rounded towards the mark. */
function placeInIndex(state: State, market: Market, row: number, slack: number): void {
  const { positions } = state
  const lots = positions.lots[row]!
  const place = positions.indexPlace[row]!
  state.counters.indexUpdates += 1
  if (lots > 0) {
    if (place < 0) market.shorts.remove(positions, row)
    // Rounded up, because a long's trigger may be too high but never too low.
    const trigger = market.mark - divFloor(slack, lots * market.unitValue)
    market.longs.put(positions, row, slack < 0 ? beyond : Math.max(-1, trigger))
    return
  }
  if (place > 0) market.longs.remove(positions, row)
  market.shorts.put(positions, row, slack < 0 ? 0 : shortTrigger(market, -lots, slack))
}

/** p + u ÷ (|lots|·K·(1 + f)), with f the highest tier fraction, because a short's maintenance
 *  grows as it loses. */
function shortTrigger(market: Market, held: number, slack: number): number {
  const lotValue = held * market.unitValue
  // Dividing first rounds the slack per lot down; applying the fraction rounds down again.
  const perLot = divFloor(slack, lotValue)
  if (perLot > 2 * beyond) return beyond
  return market.mark + divFloor(perLot * 1_000_000, 1_000_000 + market.maintenanceMost)
}
