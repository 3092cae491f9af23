// Maker protection (docs/rules/orders.md, ORDER-18): every fill of a protected order is kept, and
// those of the newest ten cells are added up each time.

import type { CommandOf } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { accountOf, byId, emit, findMarket, marketOf, ordersOf } from '../core/lookup.ts'
import { isUnsupported } from '../core/texts.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Market, Naive, Order } from '../state.ts'
import { abs, given, isIntIn } from '../units/numbers.ts'
import { endOrder } from './endings.ts'
import type { Protection } from './protected.ts'

type Whose = Readonly<{ account: number; market: number }>
const sameAs = (one: Whose) => (other: Whose) =>
  one.account === other.account && one.market === other.market

function protectionOf(naive: Naive, whose: Whose): Protection | undefined {
  return naive.protections.find(sameAs(whose))
}

export function setMmp(
  naive: Naive,
  command: CommandOf<'SetMmp'>,
  account: Account,
): Rejection | null {
  const market = findMarket(naive, command.market)
  if (!market) return refuse('BOOK_NOT_FOUND', given(command.market))
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  const whose = { account: account.id, market: market.id }
  const others = naive.protections.filter((one) => !sameAs(whose)(one))
  if (command.limits === null) {
    if (others.length === naive.protections.length) return refuse('INVALID_PARAMETER', 0)
    naive.protections = others
    emit(naive, { type: 'MmpRemoved', ...whose })
    return null
  }
  const { windowMs, frozenMs, maxLots, maxNet } = command.limits
  const { mmpMsMin, mmpMsMax } = bookOf(naive).limits
  const most = Number.MAX_SAFE_INTEGER
  const good =
    isIntIn(windowMs, mmpMsMin, mmpMsMax) &&
    isIntIn(frozenMs, 0, mmpMsMax) &&
    [maxLots, maxNet].every((lots) => lots === null || isIntIn(lots, 1, most)) &&
    [maxLots, maxNet].some((lots) => lots !== null)
  if (!good) return refuse('INVALID_PARAMETER', 0)
  naive.protections = [...others, { ...whose, ...command.limits, until: null, fills: [] }]
  const limits = { maxLots: maxLots ?? 0, maxNet: maxNet ?? 0 }
  emit(naive, { type: 'MmpSet', ...whose, windowMs, frozenMs, ...limits })
  return null
}

export function resetMmp(
  naive: Naive,
  command: CommandOf<'ResetMmp'>,
  account: Account,
): Rejection | null {
  const market = findMarket(naive, command.market)
  if (!market) return refuse('BOOK_NOT_FOUND', given(command.market))
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  const whose = { account: account.id, market: market.id }
  const protection = protectionOf(naive, whose)
  if (!protection) return refuse('INVALID_PARAMETER', 0)
  Object.assign(protection, { until: null, fills: [] })
  emit(naive, { type: 'MmpReset', ...whose })
  return null
}

/** A match of a protected order, as seen by its maker. */
export function countFill(naive: Naive, order: Order, lots: bigint): void {
  const protection = order.mmp ? protectionOf(naive, order) : undefined
  if (!protection) return
  const { windowMs, maxLots, maxNet } = protection
  const cell = Math.floor(naive.now / Math.ceil(windowMs / 10))
  protection.fills.push({ cell, lots: order.side === 'bid' ? lots : -lots })
  const newest = protection.fills.filter((one) => one.cell > cell - 10)
  const all = newest.reduce((sum, one) => sum + abs(one.lots), 0n)
  const net = abs(newest.reduce((sum, one) => sum + one.lots, 0n))
  const reached = (maxLots !== null && all >= maxLots) || (maxNet !== null && net >= maxNet)
  const { account, market } = order
  if (reached && !naive.marked.some(sameAs(order))) naive.marked.push({ account, market })
}

/** The taker's order has run. */
export function tripMarked(naive: Naive): void {
  for (const whose of naive.marked) {
    const protection = protectionOf(naive, whose)
    if (!protection) continue
    const until = protection.frozenMs === 0 ? 0 : naive.now + protection.frozenMs
    Object.assign(protection, { until, fills: [] })
    if (!naive.tripQueue.some(sameAs(whose))) naive.tripQueue.push(whose)
    emit(naive, { type: 'MmpTripped', ...whose, until })
  }
  naive.marked = []
}

export function isTripped(naive: Naive, order: Order): boolean {
  return order.mmp && naive.tripQueue.some(sameAs(order))
}

export function tripTurn(naive: Naive, whose: Whose): void {
  const account = accountOf(naive, whose.account)
  const orders = ordersOf(naive, account, marketOf(naive, whose.market)).sort(byId)
  for (const order of orders) if (order.mmp) endOrder(naive, order, 'mmp')
}

export function frozenRefusal(naive: Naive, account: Account, market: Market): Rejection | null {
  const until = protectionOf(naive, { account: account.id, market: market.id })?.until ?? null
  if (until === null || (until > 0 && naive.now >= until)) return null
  return refuse('MMP_FROZEN', until)
}

export function crowdRefusal(naive: Naive, account: Account, market: Market): Rejection | null {
  const most = bookOf(naive).limits.mmpOrders
  const count = ordersOf(naive, account, market).filter(({ mmp }) => mmp).length
  return count + 1 > most ? refuse('OPEN_ORDER_LIMIT_REACHED', count, most) : null
}
