// The maximum position of one owner in a market (ORDER-13). An owner is a main account with all its
// subaccounts. Checked when an order enters or is released, not for fills.

import { accountRefusal, marketRefusal } from '../admission/admit.ts'
import type { CommandOf } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { Draft } from '../drafts/draft.ts'
import type { EventLog } from '../events/event-log.ts'
import { worstLots } from '../margin/margin.ts'
import { findRow } from '../margin/position-row.ts'
import { limits } from '../rules/limits.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'

/** The value in the event if the market's own limit applies. */
const NONE = -1

/** Checks the limit for an order that is not reduce-only. */
export function ownerRefusal(state: State, draft: Draft): Rejection | null {
  const { market, account, row, side } = draft
  const { accounts } = state.exchange
  if (accounts.reserved[account] === 1) return null
  const owner = accounts.main[account]!
  const extra = draft.size - draft.freed
  const own = worstLots(
    state.positions.lots[row]!,
    state.positions.buys[row]! + (side === 0 ? extra : 0),
    state.positions.sells[row]! + (side === 0 ? 0 : extra),
  )
  const sum = own + ownerReach(state, market, owner, account)
  const most = ownerLimitOf(market, owner)
  return sum > most ? refuse('POSITION_LIMIT_EXCEEDED', sum, most) : null
}

/** Worst-case open lots of all accounts of an owner, except one of them (0: none). */
export function ownerReach(state: State, market: Market, owner: number, except: number): number {
  const { accounts, positions } = state.exchange
  let sum = 0
  const add = (member: number) => {
    const row = member === except ? 0 : findRow(market, member)
    if (row !== 0)
      sum += worstLots(positions.lots[row]!, positions.buys[row]!, positions.sells[row]!)
  }
  add(owner)
  for (const member of accounts.records[owner]!.subaccounts) add(member)
  return sum
}

export function ownerLimitOf(market: Market, owner: number): number {
  return market.ownerLimits.get(owner) ?? market.params.ownerInterestMax
}

export function setOwnerLimit(
  state: State,
  log: EventLog,
  { owner, market: id, lots }: CommandOf<'SetOwnerLimit'>,
): Rejection | null {
  const unknown = accountRefusal(state, owner)
  if (unknown !== null) return unknown
  if (state.accounts.main[owner] !== owner) return refuse('NOT_MAIN_ACCOUNT')
  const refusal = marketRefusal(state, id)
  if (refusal !== null) return refusal
  const market = state.markets[id]!
  if (market.settled || state.accounts.reserved[owner] === 1) return refuse('UNSUPPORTED_OPERATION')
  if (lots !== null && !(Number.isSafeInteger(lots) && lots >= 0 && lots <= limits.moneyMax))
    return refuse('INVALID_PARAMETER', 0)
  if (lots === null) market.ownerLimits.delete(owner)
  else market.ownerLimits.set(owner, lots)
  market.setSureLots()
  log.write({ type: 'OwnerLimitSet', owner, market: id, lots: lots ?? NONE })
  return null
}
