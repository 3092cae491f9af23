// Opens, restricts and halts trading, by an operator or after a breach (CORE-7, MARKET-3).

import { type Mode, modes } from '../../words/order-words.ts'
import { marketRefusal } from '../admission/admit.ts'
import type { CommandOf } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { modeOf, trades } from '../prices/trading.ts'
import { CANCEL_ONLY, LIVE, type Market, POSTING } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { becomeStale, stopTrading } from './feed-health.ts'

export function setMarketMode(
  state: State,
  log: EventLog,
  command: CommandOf<'SetMarketMode'>,
): Rejection | null {
  const refusal = marketRefusal(state, command.market)
  if (refusal !== null) return refusal
  const market = state.markets[command.market]!
  if (market.settled) return refuse('UNSUPPORTED_OPERATION')
  const mode = modes.indexOf(command.mode)
  if (mode < 0) return refuse('INVALID_PARAMETER', 0)
  changeMarketMode(state, log, market, mode)
  return null
}

function changeMarketMode(state: State, log: EventLog, market: Market, mode: number): void {
  const traded = trades(state, market)
  const before = modeOf(state, market)
  market.mode = mode
  noteOpening(state, market, before)
  log.write({ type: 'MarketModeSet', market: market.id, mode: modeName(mode) })
  if (traded && !trades(state, market)) stopTrading(state, log, market)
}

/** After a period without matching, resting orders start to count again (PRICE-8). */
function noteOpening(state: State, market: Market, before: number): void {
  if (before >= POSTING && modeOf(state, market) < POSTING) market.matchesSince = state.atMs
}

function modeName(mode: number): Mode {
  return modes[mode]!
}

export function setExchangeMode(
  state: State,
  log: EventLog,
  command: CommandOf<'SetExchangeMode'>,
): Rejection | null {
  const mode = modes.indexOf(command.mode)
  if (mode < 0) return refuse('INVALID_PARAMETER', 0)
  changeExchangeMode(state, log, mode)
  return null
}

function changeExchangeMode(state: State, log: EventLog, mode: number): void {
  const markets = listed(state)
  const traded = markets.filter((market) => trades(state, market))
  const modesBefore = markets.map((market) => modeOf(state, market))
  state.mode = mode
  for (const [at, market] of markets.entries()) noteOpening(state, market, modesBefore[at]!)
  log.write({ type: 'ExchangeModeSet', mode: modeName(mode) })
  for (const market of traded) if (!trades(state, market)) stopTrading(state, log, market)
}

function listed(state: State): Market[] {
  return state.markets.filter((market) => market !== undefined)
}

/** A live audit found a violated invariant: cancel-only until an operator has investigated. */
export function reportBreach(
  state: State,
  log: EventLog,
  { market: id, invariant }: CommandOf<'Breach'>,
): Rejection | null {
  const refusal = id === null ? null : marketRefusal(state, id)
  if (refusal !== null) return refusal
  if (!Number.isSafeInteger(invariant)) return refuse('INVALID_PARAMETER', 0)
  log.write({ type: 'BreachReported', market: id ?? 0, invariant })
  if (id === null) {
    if (state.mode < CANCEL_ONLY) changeExchangeMode(state, log, CANCEL_ONLY)
    return null
  }
  const market = state.markets[id]!
  if (!market.settled && market.mode < CANCEL_ONLY)
    changeMarketMode(state, log, market, CANCEL_ONLY)
  return null
}

/** After a start no account is liquidated at earlier prices, unless the price source stopped with
 *  the engine (PRICE-5). */
export function engineStarted(
  state: State,
  log: EventLog,
  { pricesStand }: CommandOf<'EngineStarted'>,
): Rejection | null {
  const markets = listed(state).filter(({ settled }) => !settled)
  log.write({ type: 'EngineStarted', markets: markets.length })
  if (pricesStand === true) return null
  for (const market of markets) {
    market.goodTicks = 0
    market.proving = true
    if (market.health === LIVE) becomeStale(state, log, market)
  }
  state.nextDueAt = Math.min(state.nextDueAt, state.atMs)
  return null
}
