// Changing a listed market (MARKET-2). What may raise someone's requirement takes effect a day
// later; of an immediate change, what it asks for maintenance an hour later.

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
import { isChangeable, type MarketChange, type PendingChange } from './market-params.ts'
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
  if (command.immediate === true) changeAtOnce(state, log, market, change)
  else changeInTime(state, log, market, change)
  return null
}

function changeInTime(state: State, log: EventLog, market: Market, change: MarketChange): void {
  const later = mayRaiseRequirement(market, change)
  const at = state.atMs + (later ? state.rules.limits.requirementNoticeMs : 0)
  tell(log, market, at, at)
  if (later) announce(state, market, { at, change, kept: null })
  else setParams(state, market, change)
}

/** Whoever holds a position has an hour to meet the new maintenance: until then the tiers of before
 *  are kept, and the milder ones count. */
function changeAtOnce(state: State, log: EventLog, market: Market, change: MarketChange): void {
  const { leverageMax, riskTiers } = market.params
  const keeps = mayRaiseMaintenance(market, change)
  const at = state.atMs + (keeps ? state.rules.limits.immediateNoticeMs : 0)
  tell(log, market, state.atMs, at)
  if (keeps) announce(state, market, { at, change: {}, kept: { leverageMax, riskTiers } })
  setParams(state, market, change)
}

function tell(log: EventLog, market: Market, effectiveAt: number, maintenanceAt: number): void {
  log.write({ type: 'MarketChanged', market: market.id, effectiveAt, maintenanceAt })
}

function announce(state: State, market: Market, pending: PendingChange): void {
  market.changes.push(pending)
  schedule(state, { at: pending.at, kind: DUE_CHANGE, id: market.id })
}

function mayRaiseRequirement(market: Market, change: MarketChange): boolean {
  return (
    mayRaiseMaintenance(market, change) ||
    change.openInterestLower !== undefined ||
    change.openInterestUpper !== undefined
  )
}

function mayRaiseMaintenance(
  { params }: Market,
  { leverageMax, riskTiers }: MarketChange,
): boolean {
  return riskTiers !== undefined || (leverageMax ?? params.leverageMax) < params.leverageMax
}

export function applyPendingChange(state: State, log: EventLog, market: Market, at: number): void {
  const pending = market.changes.find((each) => each.at === at)
  if (pending === undefined) return
  market.changes = market.changes.filter((each) => each !== pending)
  const { change, kept } = pending
  if (kept === null && !stillFits(state, market, change)) return
  setParams(state, market, change)
  tell(log, market, at, at)
}

function stillFits(state: State, market: Market, change: MarketChange): boolean {
  return (
    paramsFault({ ...market.params, ...change }, market.rules) === null &&
    isWiderGrid(market, change) &&
    overburdened(state, market, change.tickMax ?? 0) === 0
  )
}

/** Every holder's liquidation trigger may have moved. */
function setParams(state: State, market: Market, change: MarketChange): void {
  market.setParams({ ...market.params, ...change })
  // Its price may be too old by now.
  state.nextDueAt = Math.min(state.nextDueAt, healthDueAt(market))
  for (let account = 1; account < market.rowOf.length; account++)
    if (market.rowOf[account] !== 0) touch(state, account)
}
