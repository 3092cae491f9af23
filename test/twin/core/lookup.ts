// Finding things in the state, always by a plain search, and the small questions that every rule
// asks: whose side, which mode, does it trade.

import type { OrderRef } from '../../../src/core/commands/commands.ts'
import type { Rejection } from '../../../src/core/commands/rejections.ts'
import type { Event } from '../../../src/core/events/event-fields.ts'
import { modes, type Side } from '../../../src/words/order-words.ts'
import type { Account, Holding, Market, Naive, Order } from '../state.ts'
import { BrokenNaive, given, sameClient } from '../units/numbers.ts'

const DAY_MS = 86_400_000

export function emit(naive: Naive, event: Event): void {
  naive.events.push(event)
}

export function findAccount(naive: Naive, id: unknown): Account | undefined {
  return typeof id === 'number' ? naive.accounts[id - 1] : undefined
}

/** For an id that the state itself holds. */
export function accountOf(naive: Naive, id: number): Account {
  const account = naive.accounts[id - 1]
  if (!account) throw new BrokenNaive(`no account ${id}`)
  return account
}

export function findMarket(naive: Naive, id: unknown): Market | undefined {
  return typeof id === 'number' ? naive.markets[id - 1] : undefined
}

export function marketOf(naive: Naive, id: number): Market {
  const market = naive.markets[id - 1]
  if (!market) throw new BrokenNaive(`no market ${id}`)
  return market
}

export function holdingOf(account: Account, market: Market): Holding {
  let holding = account.holdings[market.id]
  if (!holding) {
    holding = {
      lots: 0n,
      cost: 0n,
      wallet: 0n,
      fundingPaid: 0n,
      feesPaid: 0n,
      takeProfit: [],
      stopLoss: [],
      untimed: [],
      leverage: null,
      isolated: null,
    }
    account.holdings[market.id] = holding
  }
  return holding
}

/** MARGIN-8. A reserved account can set nothing and is cross everywhere. */
export function isIsolated(account: Account, market: Market): boolean {
  if (account.reserved) return false
  return holdingOf(account, market).isolated ?? market.params.isolatedOnly
}

export function signOfSide(side: Side): bigint {
  return side === 'bid' ? 1n : -1n
}

export function otherSide(side: Side): Side {
  return side === 'bid' ? 'ask' : 'bid'
}

/** CORE-7: the stricter of the exchange's and the market's mode. */
export function modeOf(naive: Naive, market: Market): number {
  return Math.max(modes.indexOf(naive.mode), modes.indexOf(market.mode))
}

export function trades(naive: Naive, market: Market): boolean {
  const mode = modeOf(naive, market)
  return mode <= modes.indexOf('post_only') && !market.settled && market.health !== 'cancel_only'
}

export function isLively(naive: Naive, market: Market): boolean {
  const matches = modeOf(naive, market) <= modes.indexOf('reduce_only')
  return matches && trades(naive, market) && market.health === 'live'
}

/** PRICE-1 */
export function stands({ observedAt }: Market): boolean {
  return observedAt === null
}

/** PRICE-1 */
export function isFresh(naive: Naive, { observedAt, rules }: Market): boolean {
  return observedAt === null || naive.now - observedAt <= rules.observedWithinMs
}

/** CORE-7: what takeovers, deleveragings and premium samples need. */
export function isSettledDown(naive: Naive, market: Market): boolean {
  return isLively(naive, market) && !market.catchingUp
}

export function bestPrice(market: Market, side: Side): bigint | null {
  let best: bigint | null = null
  for (const order of market.book) {
    if (order.side !== side) continue
    if (best === null || (side === 'bid' ? order.price > best : order.price < best)) {
      best = order.price
    }
  }
  return best
}

/** Does a limit of this side reach a price of the other side? */
export function crosses(side: Side, limit: bigint, opposite: bigint | null): boolean {
  if (opposite === null) return false
  return side === 'bid' ? opposite <= limit : opposite >= limit
}

/** The other side's orders that this limit reaches, best price first, then in order of time. */
export function reachable(market: Market, side: Side, limit: bigint): Order[] {
  const opposite = otherSide(side)
  return market.book
    .filter((order) => order.side === opposite && crosses(side, limit, order.price))
    .sort((a, b) => Number(side === 'bid' ? a.price - b.price : b.price - a.price))
}

/** Resting and waiting orders of an account, in one market or in all. */
export function ordersOf(naive: Naive, account: Account, market: Market | null): Order[] {
  const found: Order[] = []
  for (const one of market ? [market] : naive.markets) {
    for (const order of one.book) if (order.account === account.id) found.push(order)
  }
  for (const order of naive.waiting) {
    if (order.account === account.id && (!market || order.market === market.id)) found.push(order)
  }
  return found
}

/** What rests at a price. */
export function levelLots(market: Market, side: Side, price: bigint): bigint {
  return market.book
    .filter((order) => order.side === side && order.price === price)
    .reduce((sum, order) => sum + order.remaining, 0n)
}

export function openInterest(naive: Naive, market: Market): bigint {
  let sum = 0n
  for (const account of naive.accounts) {
    const lots = account.holdings[market.id]?.lots ?? 0n
    if (lots > 0n) sum += lots
  }
  return sum
}

export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS)
}

export function byId(a: { id: number }, b: { id: number }): number {
  return a.id - b.id
}

/** A refusal as the event it becomes (CORE-4). */
export function emitRejected(naive: Naive, { name, numbers }: Rejection): void {
  const [first, second, third] = numbers
  emit(naive, {
    type: 'CommandRejected',
    rejection: name,
    first: given(first),
    second: given(second),
    third: given(third),
  })
}

/** Whether it is meant by id, by client id, or by both. */
export function refers(ref: OrderRef, one: { id: number; client: string | null }): boolean {
  const order = ref.order ?? null
  const client = ref.clientOrderId ?? null
  if (order === null && client === null) return false
  return (order === null || order === one.id) && (client === null || sameClient(client, one.client))
}
