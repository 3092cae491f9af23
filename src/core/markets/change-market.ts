// Changes of a listed market (MARKET-2). A change that may raise a requirement takes effect a day
// later unless it is cancelled; an immediate change raises maintenance an hour later.

import { changeableNames, parameterOf } from '../../words/market-parameters.ts'
import { marketRefusal } from '../admission/admit.ts'
import type { CommandOf } from '../commands/commands.ts'
import type { MarketChange, PendingChange } from '../commands/market-params.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { boundSamples } from '../funding/sample-premium.ts'
import { DUE_CHANGE } from '../queues/due-queue.ts'
import { touch } from '../solvency/update-index.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { schedule } from '../timing/schedule.ts'
import { healthDueAt } from './feed-health.ts'
import { isWiderGrid, overburdened } from './grid.ts'
import { paramsFault } from './params-fault.ts'

/** Maximum announced changes of a market, and maximum tier tables that it keeps. */
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
  if (!hasRoom(market, command)) return refuse('LIMIT_REACHED', changesPending)
  if (
    !Object.keys(change).every((name) => changeable.has(name)) ||
    !isWiderGrid(market, change) ||
    paramsFault({ ...market.params, ...change }, market.rules) !== null
  )
    return refuse('INVALID_PARAMETER', 0)
  const burdened = overburdened(state, market, change.tickMax ?? 0)
  if (burdened !== 0) return refuse('INVALID_PARAMETER', burdened)
  if (command.immediate === true) changeNow(state, log, market, change)
  else changeInTime(state, log, market, change)
  return null
}

/** An immediate change that keeps no tiers needs no slot. */
function hasRoom(market: Market, { change, immediate }: CommandOf<'ChangeMarket'>): boolean {
  const keeps = immediate === true
  const waits = keeps ? mayRaiseMaintenance(market, change) : mayRaiseRequirement(market, change)
  if (!waits) return true
  const alike = market.changes.filter((pending) => (pending.kept !== null) === keeps)
  return alike.length < changesPending
}

function changeInTime(state: State, log: EventLog, market: Market, change: MarketChange): void {
  const later = mayRaiseRequirement(market, change)
  const at = state.atMs + (later ? state.rules.limits.requirementNoticeMs : 0)
  if (later) market.announced += 1
  const id = later ? market.announced : 0
  logChange(log, market, { id, effectiveAt: at, maintenanceAt: at })
  if (later) announce(state, market, { id, at, change, kept: null })
  else setParams(state, market, change)
}

/** Positions have an hour to meet the new maintenance. The previous tiers are kept until then, and
 *  the milder of the two applies. */
function changeNow(state: State, log: EventLog, market: Market, change: MarketChange): void {
  const { leverageMax, riskTiers } = market.params
  const keeps = mayRaiseMaintenance(market, change)
  const at = state.atMs + (keeps ? state.rules.limits.immediateNoticeMs : 0)
  logChange(log, market, { id: 0, effectiveAt: state.atMs, maintenanceAt: at })
  if (keeps) announce(state, market, { id: 0, at, change: {}, kept: { leverageMax, riskTiers } })
  setParams(state, market, change)
}

type ChangeTimes = Readonly<{ id: number; effectiveAt: number; maintenanceAt: number }>

function logChange(log: EventLog, market: Market, { id, ...times }: ChangeTimes): void {
  log.write({ type: 'MarketChanged', market: market.id, change: id, ...times })
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

/** Rejects the cancellation of a change that overrides an earlier one: the earlier change would
 *  remain, at a time other than the announced one. */
export function cancelMarketChange(
  state: State,
  log: EventLog,
  { market: id, change }: CommandOf<'CancelMarketChange'>,
): Rejection | null {
  const refusal = marketRefusal(state, id)
  if (refusal !== null) return refusal
  const market = state.markets[id]!
  if (market.settled) return refuse('UNSUPPORTED_OPERATION')
  const announced = market.changes.filter(({ kept }) => kept === null)
  const pending = announced.find((each) => each.id === change)
  if (pending === undefined)
    return refuse('CHANGE_NOT_FOUND', Number.isSafeInteger(change) ? change : 0)
  const hidden = announced.find((each) => each.id < change && overrides(pending, each))
  if (hidden !== undefined) return refuse('INVALID_PARAMETER', hidden.id)
  market.changes = market.changes.filter((each) => each !== pending)
  log.write({ type: 'MarketChangeCancelled', market: id, change, effectiveAt: pending.at })
  return null
}

const changeable: ReadonlySet<string> = new Set(changeableNames)
const noticed = changeableNames.filter((name) => parameterOf(name).changes === 'with notice')

function overrides({ change }: PendingChange, { change: earlier }: PendingChange): boolean {
  return noticed.some((field) => change[field] !== undefined && earlier[field] !== undefined)
}

/** Applies all changes that are due then, in the order in which they were made. */
export function applyPendingChanges(state: State, log: EventLog, market: Market, at: number): void {
  for (const pending of market.changes.filter((each) => each.at === at)) {
    market.changes = market.changes.filter((each) => each !== pending)
    const { id, change, kept } = pending
    if (kept === null && !stillFits(state, market, change)) continue
    logChange(log, market, { id, effectiveAt: at, maintenanceAt: at })
    setParams(state, market, change)
  }
}

function stillFits(state: State, market: Market, change: MarketChange): boolean {
  return (
    paramsFault({ ...market.params, ...change }, market.rules) === null &&
    isWiderGrid(market, change) &&
    overburdened(state, market, change.tickMax ?? 0) === 0
  )
}

/** The liquidation triggers of all holders may have moved. */
function setParams(state: State, market: Market, change: MarketChange): void {
  market.setParams({ ...market.params, ...change })
  boundSamples(market)
  // With the new parameters the price may already be too old.
  state.nextDueAt = Math.min(state.nextDueAt, healthDueAt(market))
  for (let account = 1; account < market.rowOf.length; account++)
    if (market.rowOf[account] !== 0) touch(state, account)
}
