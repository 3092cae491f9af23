// How much of a market one owner may hold (ORDER-13): a main account with all its subaccounts.
// Asked when an order enters or is released, never of a fill.

import { worstLots } from '../accounts/margin.ts'
import { findRow } from '../accounts/position-row.ts'
import { accountRefusal, marketRefusal } from '../admit.ts'
import type { CommandOf } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import type { Market } from '../markets/market.ts'
import { limits } from '../rules/limits.ts'
import type { State } from '../state/state.ts'
import type { Draft } from './draft.ts'

/** In the event: the market's own limit counts. */
const NONE = -1

/** Of an order that does not only reduce. */
export function ownerRefusal(state: State, draft: Draft): Rejection | null {
  const { market, account, row, side } = draft
  const { accounts, positions } = state.exchange
  if (accounts.reserved[account] === 1) return null
  const owner = accounts.main[account]!
  const extra = draft.size - draft.freed
  let sum = worstLots(
    state.positions.lots[row]!,
    state.positions.buys[row]! + (side === 0 ? extra : 0),
    state.positions.sells[row]! + (side === 0 ? 0 : extra),
  )
  const add = (member: number) => {
    const other = member === account ? 0 : findRow(market, member)
    if (other !== 0)
      sum += worstLots(positions.lots[other]!, positions.buys[other]!, positions.sells[other]!)
  }
  add(owner)
  for (const member of accounts.records[owner]!.subaccounts) add(member)
  const most = ownerLimitOf(market, owner)
  return sum > most ? refuse('POSITION_LIMIT_EXCEEDED', sum, most) : null
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
  market.setOwnerSure()
  log.write({ type: 'OwnerLimitSet', owner, market: id, lots: lots ?? NONE })
  return null
}
