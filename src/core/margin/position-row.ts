// Finds or creates the row of an account in a market.

import { broken } from '../../units/invariant.ts'
import type { OnMarket } from '../commands/commands.ts'
import { grown } from '../pools/growing.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'

/** Returns the row, or 0 if the account has never used the market. */
export function findRow(market: Market, account: number): number {
  return account < market.rowOf.length ? market.rowOf[account]! : 0
}

export function rowOf(state: State, market: Market, account: number): number {
  const found = findRow(market, account)
  if (found !== 0) return found
  const { positions, accounts } = state
  if (!(account > 0 && account <= accounts.count)) broken('a row is made for no account', account)
  const row = positions.take(account, market.id)
  if (account >= market.rowOf.length) market.rowOf = grown(market.rowOf, account + 1)
  market.rowOf[account] = row
  // A backstop holds its positions as cross.
  const isolated = market.params.isolatedOnly && accounts.reserved[account] === 0
  positions.isolated[row] = isolated ? 1 : 0
  // The rows of an account are linked by rising market id, which orders sums and forced closes.
  let before = 0
  let next = accounts.rows[account]!
  while (next !== 0 && positions.market[next]! < market.id) {
    before = next
    next = positions.nextOfAccount[next]!
  }
  if (next !== 0 && positions.market[next] === market.id)
    broken('an account has two rows in one market, the other is', next)
  positions.nextOfAccount[row] = next
  if (before === 0) accounts.rows[account] = row
  else positions.nextOfAccount[before] = row
  return row
}

/** The signer of a plan: `agent` is its key (null for the account's own key). `row` returns its
 *  row, which is created when a check needs it. In copied accounts it is the row of the copy. */
export type Asking = Readonly<{ agent: string | null; row: () => number }>

export function askingOf(state: State, { account, market, proof }: OnMarket): Asking {
  return { agent: proof?.agent ?? null, row: () => rowOf(state, state.markets[market]!, account) }
}
