// The policy of a key, if any, and the highest equity of its account on a UTC day (ACCT-9). A count
// of keys with a policy answers most lookups.

import type { AgentPolicy } from '../commands/commands.ts'
import { wholeEquity } from '../margin/equity.ts'
import type { KeyLimit } from '../pools/account-pool.ts'
import type { State } from '../state/state.ts'

/** Returns `null` for the owner's own key and for a key without a policy. */
export function limitOf(
  { accounts }: State,
  account: number,
  agent: string | null,
): KeyLimit | null {
  if (accounts.limitedKeys === 0 || agent === null) return null
  return accounts.records[account]!.agents?.get(agent)?.limit ?? null
}

export function isExpired({ atMs }: State, { expiresAt }: AgentPolicy): boolean {
  return expiresAt !== null && expiresAt <= atMs
}

/** How far the account's equity is below its highest value of this UTC day. */
export function lossToday(state: State, account: number, limit: KeyLimit): number {
  const equity = wholeEquity(state, account)
  return limit.day === state.day ? Math.max(0, limit.high - equity) : 0
}

/** Like `lossToday`, but updates the day's high first. */
export function testedLoss(state: State, account: number, limit: KeyLimit): number {
  const equity = wholeEquity(state, account)
  if (limit.day !== state.day || equity > limit.high) limit.high = equity
  limit.day = state.day
  return limit.high - equity
}

/** Adjusts the day's high for deposits, withdrawals and transfers, which are neither profit nor
 *  loss. */
export function moveDayHighs({ accounts, day }: State, account: number, amount: number): void {
  if (accounts.limitedKeys === 0) return
  for (const { limit } of accounts.records[account]!.agents?.values() ?? [])
    if (limit !== null && limit.day === day) limit.high += amount
}
