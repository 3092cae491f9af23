// Changing a listed market (MARKET-2). What may raise someone's requirement takes effect a day
// later.

import { marketRefusal } from '../admit.ts'
import type { CommandOf } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import { DUE_CHANGE } from '../due/due-queue.ts'
import { schedule } from '../due/schedule.ts'
import type { EventLog } from '../events/event-log.ts'
import { touch } from '../liquidation/update-index.ts'
import type { State } from '../state/state.ts'
import { healthDueAt } from './feed-health.ts'
import { isWiderGrid, overburdened } from './grid.ts'
import type { Market } from './market.ts'
import { isChangeable, type MarketChange } from './market-params.ts'
import { paramsFault } from './params-fault.ts'

const changesPending = 8

export function changeMarket(
  state: State,
  log: EventLog,
  command: CommandOf<'ChangeMarket'>,
): Rejection | null {
  const refusal = marketRefusal(state, command.market)
  if (refusal !== null) return refusal
  const market = state.markets[command.market]!
  const { change } = command
  if (market.settled) return refuse('UNSUPPORTED_OPERATION')
  if (market.changes.length >= changesPending) return refuse('LIMIT_REACHED', changesPending)
  if (
    !Object.keys(change).every(isChangeable) ||
    !isWiderGrid(market, change) ||
    paramsFault({ ...market.params, ...change }, market.rules) !== null
  )
    return refuse('INVALID_PARAMETER', 0)
  const burdened = overburdened(state, market, change.tickMax ?? 0)
  if (burdened !== 0) return refuse('INVALID_PARAMETER', burdened)
  const later = mayRaiseRequirement(market, change)
  const effectiveAt = state.atMs + (later ? state.rules.limits.requirementNoticeMs : 0)
  log.write({ type: 'MarketChanged', market: market.id, effectiveAt })
  if (later) {
    market.changes.push({ change, at: effectiveAt })
    schedule(state, { at: effectiveAt, kind: DUE_CHANGE, id: market.id })
  } else setParams(state, market, change)
  return null
}

function mayRaiseRequirement(market: Market, change: MarketChange): boolean {
  return (
    (change.leverageMax !== undefined && change.leverageMax < market.params.leverageMax) ||
    change.riskTiers !== undefined ||
    change.openInterestLower !== undefined ||
    change.openInterestUpper !== undefined
  )
}

export function applyPendingChange(state: State, log: EventLog, market: Market, at: number): void {
  const pending = market.changes[0]
  if (pending === undefined || pending.at !== at) return
  market.changes.shift()
  const { change } = pending
  if (paramsFault({ ...market.params, ...change }, market.rules) !== null) return
  if (!isWiderGrid(market, change) || overburdened(state, market, change.tickMax ?? 0) !== 0) return
  setParams(state, market, change)
  log.write({ type: 'MarketChanged', market: market.id, effectiveAt: at })
}

/** Every holder's liquidation trigger may have moved. */
function setParams(state: State, market: Market, change: MarketChange): void {
  market.setParams({ ...market.params, ...change })
  // Its price may be too old by now.
  state.nextDueAt = Math.min(state.nextDueAt, healthDueAt(market))
  for (let account = 1; account < market.rowOf.length; account++)
    if (market.rowOf[account] !== 0) touch(state, account)
}
