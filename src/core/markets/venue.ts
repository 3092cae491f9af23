// What the operator decides about the exchange as a whole: fees, reserves, the clock.

import { INSURANCE } from '../accounts/account-pool.ts'
import { forgetTiers } from '../accounts/fee-tier.ts'
import { AccountSums, sumAccount } from '../accounts/margin.ts'
import { marketRefusal } from '../admit.ts'
import type { CommandOf, FeeTier } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import type { RuleBook } from '../rules/rule-book.ts'
import type { State } from '../state/state.ts'

export function setFeeTiers(
  state: State,
  log: EventLog,
  { tiers }: CommandOf<'SetFeeTiers'>,
): Rejection | null {
  if (!areTiers(tiers, state.rules)) return refuse('INVALID_PARAMETER', 0)
  state.feeTiers = tiers.map(({ volumeDollars, makerPpm, takerPpm }) => ({
    volumeDollars,
    makerPpm,
    takerPpm,
  }))
  forgetTiers(state)
  log.write({ type: 'FeeTiersSet', count: tiers.length })
  return null
}

/** FEE-2: volumes rise from 0, and no rebate is above the lowest taker rate. */
export function areTiers(tiers: readonly FeeTier[], { limits: most }: RuleBook): boolean {
  if (tiers.length < 1 || tiers.length > most.feeTiers || tiers[0]!.volumeDollars !== 0)
    return false
  const lowest = Math.min(...tiers.map(({ takerPpm }) => takerPpm))
  return tiers.every(({ volumeDollars, makerPpm, takerPpm }, at) => {
    const below = at === 0 ? -1 : tiers[at - 1]!.volumeDollars
    return (
      Number.isSafeInteger(volumeDollars) &&
      volumeDollars > below &&
      Number.isSafeInteger(takerPpm) &&
      takerPpm >= 0 &&
      takerPpm <= most.feePpmMax &&
      Number.isSafeInteger(makerPpm) &&
      makerPpm <= most.feePpmMax &&
      makerPpm >= -lowest
    )
  })
}

const sums = new AccountSums()

export function moveReserve(
  state: State,
  log: EventLog,
  { market: id, amount }: CommandOf<'MoveReserve'>,
): Rejection | null {
  const refusal = marketRefusal(state, id)
  if (refusal !== null) return refusal
  if (!Number.isSafeInteger(amount) || amount === 0) return refuse('INVALID_AMOUNT', 0)
  const market = state.markets[id]!
  const { balance } = state.accounts
  sumAccount(state, market.backstop, 0, sums)
  const held = Math.max(0, Math.min(balance[market.backstop]!, sums.equity))
  const available = amount > 0 ? balance[INSURANCE]! : held
  if (Math.abs(amount) > available) return refuse('FUND_TOO_SMALL', Math.abs(amount), available)
  balance[INSURANCE] = balance[INSURANCE]! - amount
  balance[market.backstop] = balance[market.backstop]! + amount
  market.backstopDayEquity += amount
  log.write({
    type: 'ReserveMoved',
    market: id,
    amount,
    fund: balance[INSURANCE]!,
    backstop: balance[market.backstop]!,
  })
  return null
}

export function setClockFrozen(
  state: State,
  log: EventLog,
  { frozen }: CommandOf<'SetClockFrozen'>,
): Rejection | null {
  state.clockFrozen = frozen
  log.write({ type: 'ClockFrozenSet', frozen })
  return null
}
