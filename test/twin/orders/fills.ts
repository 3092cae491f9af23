// What a fill or a forced transfer does to one account: position, fee, money, the record of it
// (UNITS-2, ORDER-6, MARGIN-6), and afterwards its reduce-only orders and levels (ORDER-7).

import type { EventOf } from '../../../src/core/events/event-fields.ts'
import { noteClosing } from '../accounts/brake.ts'
import {
  accountOf,
  byId,
  emit,
  holdingOf,
  isIsolated,
  levelLots,
  marketOf,
  openInterest,
  ordersOf,
} from '../core/lookup.ts'
import { feeAt, ratesOf } from '../fees/fees.ts'
import { clearDebt, income } from '../liquidation/insurance.ts'
import { costShare, movedMargin } from '../margin/entry.ts'
import { valueAtMark } from '../margin/margin.ts'
import { type Account, FEES, type Market, type Naive, type Order } from '../state.ts'
import { abs, floorDiv, max, min, num, signOf } from '../units/numbers.ts'
import { endOrder, endStop } from './endings.ts'

export type Filling = {
  account: Account
  market: Market
  sign: bigint
  order: number
  counterparty: number
  role: EventOf<'Filled'>['role']
  cause: EventOf<'Filled'>['cause']
  price: bigint
  /** `normal`: by role and tier. A number of ppm: a liquidation's, for the insurance fund. */
  fee: 'normal' | 'none' | bigint
  /** MARGIN-6: own closes take their share out of the wallet, forced ones leave it there; a
   *  takeover leaves the wallet also of a position that is flat then. */
  wallet: 'own' | 'forced' | 'takeover'
  /** Is a wallet left below zero paid immediately, or by LIQ-5 at the end of what runs? */
  debt: 'now' | 'later'
}

/** What became of a side: what it closed, what that had cost and brought, its fee, and the money
 *  after it, before margin moved for what it opened. */
export type Settled = {
  closed: bigint
  closedCost: bigint
  gained: bigint
  fee: bigint
  balance: bigint
  wallet: bigint
}

/** One side of a fill: the closing part, then the opening part (UNITS-2). */
export function fill(naive: Naive, side: Filling, lots: bigint, value: bigint): Settled {
  const held = holdingOf(side.account, side.market).lots
  const closing = signOf(held) === -side.sign ? min(abs(held), lots) : 0n
  const opening = lots - closing
  const unit = side.price * side.market.K
  const settled = { closed: closing, closedCost: 0n, gained: 0n, fee: 0n, balance: 0n, wallet: 0n }
  if (closing > 0n) closePart(naive, side, closing, opening > 0n ? closing * unit : value, settled)
  if (opening > 0n) openPart(naive, side, opening, closing > 0n ? opening * unit : value, settled)
  return settled
}

function chargeFee(naive: Naive, side: Filling, value: bigint): bigint {
  if (side.fee === 'none') return 0n
  if (side.fee !== 'normal') {
    const fee = feeAt(value, side.fee)
    income(naive, fee)
    return fee
  }
  const rates = ratesOf(naive, side.account)
  const fees = accountOf(naive, FEES)
  // FEE-1: a rebate is never more than the fee account holds at that moment.
  const fee = max(feeAt(value, side.role === 'maker' ? rates.maker : rates.taker), -fees.balance)
  fees.balance += fee
  return fee
}

function closePart(
  naive: Naive,
  side: Filling,
  lots: bigint,
  value: bigint,
  settled: Settled,
): void {
  const { account, market, sign } = side
  const holding = holdingOf(account, market)
  const size = abs(holding.lots)
  const share = costShare(holding, lots)
  const realised = -sign * value - share
  const fee = chargeFee(naive, side, value)
  const isolated = isIsolated(account, market)
  if (!isolated) {
    account.balance += realised - fee
  } else if (side.wallet === 'own') {
    const part = floorDiv(holding.wallet * lots, size)
    const out = part + realised - fee
    account.balance += max(0n, out)
    holding.wallet -= part - min(0n, out)
  } else {
    holding.wallet += realised - fee
  }
  holding.feesPaid += fee
  holding.cost -= share
  holding.lots += sign * lots
  const flat = holding.lots === 0n
  if (flat) holding.untimed = [] // CORE-6: also in the middle of a flip
  if (flat && isolated && side.wallet !== 'takeover' && holding.wallet > 0n) {
    account.balance += holding.wallet
    holding.wallet = 0n
  }
  settled.closedCost = share
  settled.gained = realised - fee
  settled.fee += fee
  settled.balance = account.balance
  settled.wallet = holding.wallet
  noteClosing(naive, account, market.id, realised - fee)
  const direction = sign < 0n ? 'close_long' : 'close_short'
  emitFilled(naive, side, {
    kind: side.wallet === 'own' ? direction : `force_${direction}`,
    lots,
    value,
    pnl: realised - fee,
    entryCost: share,
    entryLots: -sign * lots,
  })
  if (flat && isolated && side.debt === 'now') clearDebt(naive, account, market.id)
}

function openPart(
  naive: Naive,
  side: Filling,
  lots: bigint,
  value: bigint,
  settled: Settled,
): void {
  const { account, market, sign } = side
  const holding = holdingOf(account, market)
  const fee = chargeFee(naive, side, value)
  // MARGIN-6: margin and fee go to the wallet, and the fee is paid from there.
  const isolated = isIsolated(account, market)
  const held = valueAtMark(market, holding.lots)
  const margin = isolated ? movedMargin(account, market, held, { sign, lots, value }) : 0n
  account.balance -= fee
  if (holding.lots === 0n) {
    holding.fundingPaid = 0n
    holding.feesPaid = 0n
  }
  holding.feesPaid += fee
  holding.lots += sign * lots
  holding.cost += sign * value
  settled.fee += fee
  settled.balance = account.balance
  settled.wallet = holding.wallet
  emitFilled(naive, side, {
    kind: sign > 0n ? 'open_long' : 'open_short',
    lots,
    value,
    pnl: -fee,
    entryCost: holding.cost,
    entryLots: holding.lots,
  })
  if (margin === 0n) return
  account.balance -= margin
  holding.wallet += margin
  emit(naive, {
    type: 'IsolatedMarginMoved',
    account: account.id,
    market: market.id,
    amount: num(margin),
    wallet: num(holding.wallet),
    balance: num(account.balance),
    lots: num(holding.lots),
    cost: num(holding.cost),
  })
}

type Part = {
  kind: EventOf<'Filled'>['kind']
  lots: bigint
  value: bigint
  pnl: bigint
  entryCost: bigint
  entryLots: bigint
}

/** ORDER-6: each part has an id; those of a match are in its event. */
function emitFilled(naive: Naive, side: Filling, part: Part): void {
  const history = naive.nextHistory
  naive.nextHistory += 1
  if (side.order !== 0) return
  const holding = holdingOf(side.account, side.market)
  emit(naive, {
    type: 'Filled',
    history,
    account: side.account.id,
    counterparty: side.counterparty,
    market: side.market.id,
    kind: part.kind,
    role: side.role,
    cause: side.cause,
    lots: num(part.lots),
    price: num(side.price),
    value: num(part.value),
    pnl: num(part.pnl),
    entryCost: num(part.entryCost),
    entryLots: num(part.entryLots),
    positionLots: num(holding.lots),
    positionCost: num(holding.cost),
    balance: num(side.account.balance),
    wallet: num(holding.wallet),
    openInterest: num(openInterest(naive, side.market)),
  })
}

/** ORDER-7: the account's position in the market has just gone from `before` to what it is now. */
export function followPosition(
  naive: Naive,
  account: Account,
  market: Market,
  before: bigint,
): void {
  if (endFollowers(naive, account, market, before)) return
  cutFollowers(naive, account, market)
}

/** When a position closes or flips, its reduce-only orders and levels end. */
export function endFollowers(
  naive: Naive,
  account: Account,
  market: Market,
  before: bigint,
  arriving: Order | null = null,
): boolean {
  const now = holdingOf(account, market).lots
  if (before === 0n || signOf(before) === signOf(now)) return false
  for (const order of reducing(naive, account, market, arriving))
    endOrder(naive, order, 'reduce_only')
  // A level armed by the very fill that flipped the position is the new position's.
  const closingSide = now > 0n ? 'ask' : 'bid'
  for (const level of levelsOf(naive, account, market)) {
    if (now === 0n || level.side !== closingSide) endStop(naive, level, 'reduce_only')
  }
  return true
}

/** Of a position that has become smaller, whatever is larger than it is cut. */
export function cutFollowers(
  naive: Naive,
  account: Account,
  market: Market,
  arriving: Order | null = null,
): void {
  const held = abs(holdingOf(account, market).lots)
  for (const order of reducing(naive, account, market, arriving)) cutOrder(naive, order, held)
  for (const level of levelsOf(naive, account, market)) {
    if (level.size <= held) continue
    level.size = held
    const size = num(held)
    emit(naive, {
      type: 'StopReduced',
      order: level.id,
      account: account.id,
      market: market.id,
      size,
    })
  }
}

export function cutOrder(naive: Naive, order: Order, held: bigint): void {
  if (order.remaining <= held) return
  const market = marketOf(naive, order.market)
  const cancelled = order.remaining - held
  order.remaining = held
  const rests = market.book.includes(order)
  emit(naive, {
    type: 'OrderReduced',
    order: order.id,
    account: order.account,
    market: market.id,
    side: order.side,
    price: num(order.price),
    cancelled: num(cancelled),
    remaining: num(order.remaining),
    levelLots: rests ? num(levelLots(market, order.side, order.price)) : -1,
  })
}

function reducing(naive: Naive, account: Account, market: Market, arriving: Order | null): Order[] {
  const orders = ordersOf(naive, account, market)
  if (arriving && arriving.account === account.id && arriving.remaining > 0n && !arriving.ended) {
    orders.push(arriving)
  }
  return orders.filter((order) => order.reduceOnly).sort(byId)
}

/** How many orders and levels ORDER-7 ends or cuts at most. */
export function followersOf(
  naive: Naive,
  account: Account,
  market: Market,
  arriving: Order | null = null,
): number {
  const orders = reducing(naive, account, market, arriving)
  return orders.length + levelsOf(naive, account, market).length
}

function levelsOf(naive: Naive, account: Account, market: Market) {
  const { takeProfit, stopLoss } = holdingOf(account, market)
  return [...takeProfit, ...stopLoss]
    .map((id) => naive.stops.find((stop) => stop.id === id))
    .filter((stop) => stop !== undefined)
}
