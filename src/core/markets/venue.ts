// Operator settings of the whole exchange: fees, the clock.

import type { CommandOf, FeeTier } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { forgetTiers } from '../margin/fee-tier.ts'
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

/** FEE-2: volumes rise from 0, and no rebate exceeds the lowest taker rate. */
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

export function setClockFrozen(
  state: State,
  log: EventLog,
  { frozen }: CommandOf<'SetClockFrozen'>,
): Rejection | null {
  state.clockFrozen = frozen
  log.write({ type: 'ClockFrozenSet', frozen })
  return null
}
