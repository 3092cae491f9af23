// A new market, with its own backstop account (MARKET-1).

import { divCeil, divFloor, roundHalfUp } from '../../units/rounding.ts'
import { MICRO_PER_TICK, PPM } from '../../units/units.ts'
import { endProvisional } from '../accounts/bindings.ts'
import type { CommandOf } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { limits } from '../rules/limits.ts'
import type { RuleBook } from '../rules/rule-book.ts'
import type { State } from '../state/state.ts'
import { Market, unitValueOf } from './market.ts'
import type { MarketParams, Step } from './market-params.ts'
import { setMark, tellMark } from './oracle-tick.ts'

export function listMarket(
  state: State,
  log: EventLog,
  { params, oracle }: CommandOf<'ListMarket'>,
): Rejection | null {
  const { accounts, markets } = state
  if (markets.length > limits.marketsMax) return refuse('LIMIT_REACHED', limits.marketsMax)
  if (accounts.count >= limits.accountsMax) return refuse('LIMIT_REACHED', limits.accountsMax)
  const taken =
    accounts.byAddress.has(params.backstopAddress) || accounts.byAgent.has(params.backstopAddress)
  if (taken || !areValid(params, state.rules) || !isListable(params, oracle))
    return refuse('INVALID_PARAMETER', 0)
  const existing = state.symbols.get(params.symbol)
  if (existing !== undefined) return refuse('MARKET_EXISTS', existing)
  const address = params.backstopAddress
  endProvisional(state, log, address, 'address_in_use')
  const backstop = accounts.open(address, 0, state.atMs)
  accounts.reserved[backstop] = 1
  log.write({ type: 'AccountOpened', account: backstop, main: backstop, address })
  const { atMs, rules } = state
  const market = new Market({ id: markets.length, backstop, params, oracle, atMs, rules })
  markets.push(market)
  state.symbols.set(params.symbol, market.id)
  setMark(state, market)
  state.nextDueAt = Math.min(state.nextDueAt, state.atMs)
  const { id, unitValue } = market
  log.write({ type: 'MarketListed', market: id, backstop, unitValue, symbol: params.symbol })
  tellMark(log, market)
  return null
}

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most
}

function isText(text: string): boolean {
  return typeof text === 'string' && text.length >= 1 && text.length <= limits.textLength
}

function isStep({ value, scale }: Step, { limits: most }: RuleBook): boolean {
  return isWithin(value, 1, Number.MAX_SAFE_INTEGER) && isWithin(scale, 0, most.stepScaleMax)
}

function isListable({ tickMin, tickMax }: MarketParams, oracle: number): boolean {
  const most = limits.oracleTicksMax * MICRO_PER_TICK
  if (!isWithin(oracle, 1, most)) return false
  if (divFloor(oracle, MICRO_PER_TICK) < limits.oracleTicksMin) return false
  return isWithin(roundHalfUp(oracle, MICRO_PER_TICK), tickMin, tickMax)
}

/** Everything a market's parameters must be, at listing and after every change. */
export function areValid(params: MarketParams, rules: RuleBook): boolean {
  return (
    isText(params.symbol) &&
    isText(params.baseAsset) &&
    isText(params.backstopAddress) &&
    isStep(params.tickSize, rules) &&
    isStep(params.lotSize, rules) &&
    isWithin(unitValueOf(params), 1, rules.limits.unitValueMax) &&
    isWithin(params.tickMax, 1, rules.limits.tickMaxMost) &&
    isWithin(params.tickMin, 1, params.tickMax) &&
    isWithin(params.leverageMax, 1, rules.limits.leverageMax) &&
    typeof params.isolatedOnly === 'boolean' &&
    isWithin(params.speedBumpMs, 0, rules.limits.speedBumpMsMax) &&
    areBoundsValid(params) &&
    areTiersValid(params, rules)
  )
}

function areBoundsValid(params: MarketParams): boolean {
  const { moneyMax } = limits
  const lower = params.openInterestLower
  const upper = params.openInterestUpper
  const scales = isWithin(lower, 1, moneyMax) && isWithin(upper, lower + 1, moneyMax)
  return (
    isWithin(params.orderValueMax, 1, moneyMax) &&
    isWithin(params.orderValueMin, 1, params.orderValueMax) &&
    isWithin(params.bandNearPpm, 0, PPM) &&
    isWithin(params.bandFarPpm, 0, PPM) &&
    isWithin(params.openInterestMax, 1, moneyMax) &&
    ((lower === 0 && upper === 0) || scales) &&
    isWithin(params.impactValue, 1, moneyMax) &&
    isWithin(params.backstopValueMax, 0, moneyMax) &&
    isWithin(params.backstopDailyLossMax, 0, moneyMax)
  )
}

function areTiersValid(
  { maintenanceTiers, leverageMax }: MarketParams,
  { margin, limits: most }: RuleBook,
): boolean {
  if (maintenanceTiers.length > most.maintenanceTiers) return false
  let value = 0
  let fraction = divCeil(PPM, margin.maintenanceParts * leverageMax)
  for (const tier of maintenanceTiers) {
    if (!isWithin(tier.fromValue, value + 1, limits.moneyMax)) return false
    if (!isWithin(tier.fractionPpm, fraction + 1, PPM)) return false
    value = tier.fromValue
    fraction = tier.fractionPpm
  }
  return true
}
