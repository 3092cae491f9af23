// Lists a new market with its own backstop account (MARKET-1).

import { divFloor } from '../../units/rounding.ts'
import { endProvisional } from '../admission/bindings.ts'
import type { CommandOf } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { limits } from '../rules/limits.ts'
import { Market, NEVER, STANDS } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { BY_MARK } from '../state/trigger.ts'
import { logMark } from './oracle-tick.ts'
import { oracleFault, paramsFault } from './params-fault.ts'

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
  if (taken || paramsFault(params, state.rules) !== null || oracleFault(params, oracle) !== null)
    return refuse('INVALID_PARAMETER', 0)
  const existing = state.symbols.get(params.symbol)
  if (existing !== undefined) return refuse('MARKET_EXISTS', existing)
  const address = params.backstopAddress
  endProvisional(state, log, address, 'address_in_use')
  const backstop = accounts.open(address, 0, state.atMs)
  accounts.reserved[backstop] = 1
  log.write({ type: 'AccountOpened', account: backstop, main: backstop, address })
  const { atMs, rules } = state
  const observedAt = state.pricesMayStand ? STANDS : NEVER
  const listing = { id: markets.length, backstop, params, oracle, atMs, observedAt, rules }
  const market = new Market(listing)
  market.evaluated[BY_MARK] = 2 * market.mark
  markets.push(market)
  state.symbols.set(params.symbol, market.id)
  if (state.feesHour === 0) state.feesHour = divFloor(atMs, rules.fees.shareMs)
  state.nextDueAt = Math.min(state.nextDueAt, state.atMs)
  const { id, unitValue } = market
  log.write({ type: 'MarketListed', market: id, backstop, unitValue, symbol: params.symbol })
  logMark(log, market)
  return null
}
