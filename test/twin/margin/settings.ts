// Leverage, margin mode and isolated margin of an account in a market (MARGIN-6, MARGIN-8).

import type { CommandOf } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { emit, findMarket, holdingOf, isIsolated, ordersOf } from '../core/lookup.ts'
import { isUnsupported } from '../core/texts.ts'
import type { Account, Market, Naive } from '../state.ts'
import { abs, given, isInt, isIntIn, max, min, num, shown } from '../units/numbers.ts'
import * as margin from './margin.ts'

export function setLeverage(
  naive: Naive,
  command: CommandOf<'SetLeverage'>,
  account: Account,
): Rejection | null {
  const market = findMarket(naive, command.market)
  if (!market) return refuse('BOOK_NOT_FOUND', given(command.market))
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  if (account.frozen || market.settled) return refuse('TRADING_DISABLED')
  const { leverage } = command
  const holding = holdingOf(account, market)
  const present = num(margin.leverageOf(account, market))
  const most = num(market.rules.leverageMax)
  if (!isIntIn(leverage, 1, most)) {
    return refuse('INVALID_LEVERAGE', given(leverage), 1, most)
  }
  const before = holding.leverage
  holding.leverage = BigInt(leverage)
  const refusal = leverage < present ? fallRefusal(naive, account, market) : null
  if (refusal !== null) {
    holding.leverage = before
    return refusal
  }
  emit(naive, { type: 'LeverageSet', account: account.id, market: market.id, leverage })
  return null
}

/** MARGIN-8: with the smaller leverage in force, is there enough for it? */
function fallRefusal(naive: Naive, account: Account, market: Market): Rejection | null {
  const required = margin.requirements(naive, account, null)
  const equity = margin.guardedEquityOf(naive, account, 0)
  if (required > equity) return refuse('INSUFFICIENT_BALANCE', shown(required), shown(equity))
  if (!isIsolated(account, market) || holdingOf(account, market).lots === 0n) return null
  const { initial, backing } = isolatedMargin(account, market)
  return backing < initial ? refuse('INSUFFICIENT_BALANCE', shown(initial), shown(backing)) : null
}

export function setMarginMode(
  naive: Naive,
  command: CommandOf<'SetMarginMode'>,
  account: Account,
): Rejection | null {
  const market = findMarket(naive, command.market)
  if (!market) return refuse('BOOK_NOT_FOUND', given(command.market))
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  if (account.frozen || market.settled) return refuse('TRADING_DISABLED')
  const isolated = command.isolated === true
  const impossible = !isolated && market.params.isolatedOnly
  if (
    isolated !== isIsolated(account, market) &&
    (impossible || isActive(naive, account, market))
  ) {
    return refuse('CANNOT_UPDATE_MARGIN')
  }
  holdingOf(account, market).isolated = isolated
  emit(naive, { type: 'MarginModeSet', account: account.id, market: market.id, isolated })
  return null
}

/** Has it a position, order, stop, level or TWAP there? */
function isActive(naive: Naive, account: Account, market: Market): boolean {
  const here = (one: { account: number; market: number }): boolean => {
    return one.account === account.id && one.market === market.id
  }
  return (
    holdingOf(account, market).lots !== 0n ||
    ordersOf(naive, account, market).length > 0 ||
    naive.stops.some(here) ||
    naive.algos.some(here)
  )
}

/** MARGIN-6 */
export function moveIsolatedMargin(
  naive: Naive,
  command: CommandOf<'MoveIsolatedMargin'>,
  account: Account,
): Rejection | null {
  const market = findMarket(naive, command.market)
  if (!market) return refuse('BOOK_NOT_FOUND', given(command.market))
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  if (account.frozen) return refuse('TRADING_DISABLED')
  const { amount } = command
  if (!isInt(amount) || amount === 0) return refuse('INVALID_AMOUNT', given(amount))
  const holding = holdingOf(account, market)
  if (holding.lots === 0n) return refuse('POSITION_NOT_FOUND')
  if (!isIsolated(account, market)) return refuse('CANNOT_UPDATE_MARGIN')
  if (amount < 0 && market.health !== 'live') {
    return refuse('WITHDRAWAL_BLOCKED')
  }
  const money = BigInt(amount)
  const most = amount > 0 ? margin.withdrawable(naive, account) : freeMargin(account, market)
  if (abs(money) > most) return refuse('INSUFFICIENT_BALANCE', shown(abs(money)), shown(most))
  holding.wallet += money
  account.balance -= money
  emit(naive, {
    type: 'IsolatedMarginMoved',
    account: account.id,
    market: market.id,
    amount,
    wallet: num(holding.wallet),
    balance: num(account.balance),
    lots: num(holding.lots),
    cost: num(holding.cost),
  })
  return null
}

function freeMargin(account: Account, market: Market): bigint {
  const { initial, backing } = isolatedMargin(account, market)
  return max(0n, backing - initial)
}

/** What an isolated position needs, and what it has: its wallet less its guarded loss. */
function isolatedMargin(
  account: Account,
  market: Market,
): Readonly<{ initial: bigint; backing: bigint }> {
  const holding = holdingOf(account, market)
  const value = margin.valueAtMark(market, holding.lots)
  const initial = margin.initialMargin(account, market, value)
  const loss = min(0n, margin.guardedUnrealised(market, holding))
  return { initial, backing: holding.wallet + loss }
}
