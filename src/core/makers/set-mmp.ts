// Sets, removes and resets the protection of a maker in a market (ORDER-18).

import { marketAdmissionRefusal } from '../admission/admit.ts'
import type { CommandOf, MmpLimits } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { rowOf } from '../margin/position-row.ts'
import type { RuleLimits } from '../rules/rule-book.ts'
import { Protection } from '../state/protection.ts'
import type { State } from '../state/state.ts'

/** `limits` null removes the protection. Setting new limits ends a freeze and clears the counts. */
export function setMmp(
  state: State,
  log: EventLog,
  command: CommandOf<'SetMmp'>,
): Rejection | null {
  const refusal = marketAdmissionRefusal(state, log, command, 'mmp')
  if (refusal !== null) return refusal
  const { account, market, limits } = command
  const row = rowOf(state, state.markets[market]!, account)
  if (limits === null) {
    if (!state.protections.delete(row)) return refuse('INVALID_PARAMETER', 0)
    log.write({ type: 'MmpRemoved', account, market })
    return null
  }
  if (!isGood(state.rules.limits, limits)) return refuse('INVALID_PARAMETER', 0)
  const { windowMs, frozenMs, maxLots, maxNet } = limits
  state.protections.set(row, new Protection({ windowMs, frozenMs, maxLots, maxNet }))
  const maxima = { maxLots: maxLots ?? 0, maxNet: maxNet ?? 0 }
  log.write({ type: 'MmpSet', account, market, windowMs, frozenMs, ...maxima })
  return null
}

function isGood(bounds: RuleLimits, { windowMs, frozenMs, maxLots, maxNet }: MmpLimits): boolean {
  const { mmpMsMin, mmpMsMax } = bounds
  const isIn = (value: number, min: number, max: number) =>
    Number.isSafeInteger(value) && value >= min && value <= max
  const isLots = (lots: number | null) => lots === null || isIn(lots, 1, Number.MAX_SAFE_INTEGER)
  return (
    isIn(windowMs, mmpMsMin, mmpMsMax) &&
    isIn(frozenMs, 0, mmpMsMax) &&
    isLots(maxLots) &&
    isLots(maxNet) &&
    (maxLots !== null || maxNet !== null)
  )
}

export function resetMmp(
  state: State,
  log: EventLog,
  command: CommandOf<'ResetMmp'>,
): Rejection | null {
  const refusal = marketAdmissionRefusal(state, log, command, 'mmp')
  if (refusal !== null) return refusal
  const { account, market } = command
  const protection = state.protections.get(rowOf(state, state.markets[market]!, account))
  if (protection === undefined) return refuse('INVALID_PARAMETER', 0)
  protection.until = null
  protection.empty()
  log.write({ type: 'MmpReset', account, market })
  return null
}
