// The modes of the exchange and its markets (CORE-7, MARKET-3) and what closing ends.

import type { CommandOf } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { limits } from '../../../src/core/rules/limits.ts'
import { type Mode, modes } from '../../../src/words/order-words.ts'
import { emit, findMarket, isLively, trades } from '../core/lookup.ts'
import { endAll } from '../orders/endings.ts'
import { forget } from '../orders/unplaced.ts'
import { twinBooks } from '../rule-books.ts'
import type { Market, Naive } from '../state.ts'
import { given, isInt } from '../units/numbers.ts'

/** CORE-7: a market has just stopped trading. */
export function closeToTrading(naive: Naive, market: Market): void {
  const waiting = naive.waiting.filter(({ market: id, goesOn }) => {
    return id === market.id && goesOn === null
  })
  endAll(naive, waiting, 'market_closed')
  forget(naive, 'market_closed', ({ action }) => action.market === market.id)
}

/** Makes a change of mode, then ends what waits in the markets that stopped trading by it. Those in
 *  which orders can be hit again are so from now on (PRICE-8). */
function change(naive: Naive, make: () => void): void {
  const trading = naive.markets.filter((market) => trades(naive, market))
  const still = naive.markets.filter((market) => !isLively(naive, market))
  make()
  for (const market of still) if (isLively(naive, market)) market.livelySince = naive.now
  for (const market of trading) if (!trades(naive, market)) closeToTrading(naive, market)
}

export function setMarketMode(naive: Naive, command: CommandOf<'SetMarketMode'>): Rejection | null {
  const market = findMarket(naive, command.market)
  if (!market) return refuse('BOOK_NOT_FOUND', given(command.market))
  if (market.settled) return refuse('UNSUPPORTED_OPERATION')
  if (!modes.includes(command.mode)) return refuse('INVALID_PARAMETER', 0)
  change(naive, () => putMarketMode(naive, market, command.mode))
  return null
}

function putMarketMode(naive: Naive, market: Market, mode: Mode): void {
  market.mode = mode
  emit(naive, { type: 'MarketModeSet', market: market.id, mode })
}

function putExchangeMode(naive: Naive, mode: Mode): void {
  naive.mode = mode
  emit(naive, { type: 'ExchangeModeSet', mode })
}

export function setExchangeMode(
  naive: Naive,
  command: CommandOf<'SetExchangeMode'>,
): Rejection | null {
  if (!modes.includes(command.mode)) return refuse('INVALID_PARAMETER', 0)
  change(naive, () => putExchangeMode(naive, command.mode))
  return null
}

export function breach(naive: Naive, command: CommandOf<'Breach'>): Rejection | null {
  const wanted = command.market ?? null
  const market = findMarket(naive, wanted) ?? null
  if (wanted !== null && !market) return refuse('BOOK_NOT_FOUND', given(wanted))
  if (!isInt(command.invariant)) return refuse('INVALID_PARAMETER', 0)
  const id = market?.id ?? 0
  emit(naive, { type: 'BreachReported', market: id, invariant: command.invariant })
  change(naive, () => {
    const milder = (mode: Mode): boolean => !['cancel_only', 'halted'].includes(mode)
    if (market && !market.settled && milder(market.mode))
      putMarketMode(naive, market, 'cancel_only')
    if (!market && milder(naive.mode)) putExchangeMode(naive, 'cancel_only')
  })
  return null
}

export function setRulesVersion(
  naive: Naive,
  command: CommandOf<'SetRulesVersion'>,
): Rejection | null {
  const { version } = command
  if (!isInt(version) || version <= naive.rulesVersion || !twinBooks.has(version)) {
    return refuse('INVALID_PARAMETER', given(version))
  }
  naive.rulesVersion = version
  for (const market of naive.markets) market.rulesVersion = version
  emit(naive, { type: 'RulesVersionSet', version })
  return null
}

/** MARKET-6. */
export function keepNote(naive: Naive, command: CommandOf<'KeepNote'>): Rejection | null {
  const { name, text } = command
  if (!isWriting(name, limits.textLength)) return refuse('INVALID_PARAMETER', 0)
  if (text === null) naive.notes.delete(name)
  else if (!isWriting(text, limits.noteLength)) return refuse('INVALID_PARAMETER', 0)
  else if (!naive.notes.has(name) && naive.notes.size === limits.notes)
    return refuse('LIMIT_REACHED', limits.notes)
  else naive.notes.set(name, text)
  emit(naive, { type: 'NoteKept', name })
  return null
}

/** MARKET-6. */
export function publishPast(naive: Naive, command: CommandOf<'TellPast'>): Rejection | null {
  const { market, bars } = command
  if (!findMarket(naive, market)) return refuse('BOOK_NOT_FOUND', given(market))
  if (!isWriting(bars, limits.noteLength)) return refuse('INVALID_PARAMETER', 0)
  emit(naive, { type: 'PastTold', market, bars })
  return null
}

function isWriting(text: unknown, most: number): boolean {
  return typeof text === 'string' && text !== '' && text.length <= most
}

export function setClockFrozen(naive: Naive, command: CommandOf<'SetClockFrozen'>): null {
  naive.clockFrozen = command.frozen === true
  emit(naive, { type: 'ClockFrozenSet', frozen: naive.clockFrozen })
  return null
}
