// The two checks that let lots change hands: the entry check of an order (MARGIN-4) and the check
// of one side of one fill (MARGIN-5), with the limit that an order which only reduces may have to
// take.

import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { holdingOf, isIsolated, signOfSide } from '../core/lookup.ts'
import { feeAt, ratesOf } from '../fees/fees.ts'
import { fairPrice } from '../orders/worst-price.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Holding, Market, Naive, Order } from '../state.ts'
import { abs, floorDiv, MILLION, max, min, shown, signOf } from '../units/numbers.ts'
import {
  type Exposure,
  entryLossPerLot,
  exposureOf,
  guardedEquityOf,
  guardedPrice,
  guardedUnrealised,
  initialMargin,
  largestLeverage,
  maintenanceAt,
  maintenanceOf,
  maintenanceOfScope,
  positionsOf,
  requirements,
  scopeIn,
  ungappedPrice,
  valueAtMark,
  withdrawableWith,
} from './margin.ts'

/** What is supposed to be taken, in its closing and opening part, and what then stays open. */
export type Entry = {
  sign: bigint
  closeLots: bigint
  closeValue: bigint
  closeFee: bigint
  openLots: bigint
  openValue: bigint
  openFee: bigint
  restLots: bigint
  restPrice: bigint
  /** Before it: without the arriving order, without the maker's own lots. */
  exposure: Exposure
  tested?: boolean
}

/** UNITS-2: the cost that goes with n lots of a position. */
export function costShare(holding: Holding, lots: bigint): bigint {
  const size = abs(holding.lots)
  return lots === size ? holding.cost : (holding.cost * lots) / size
}

/** MARGIN-4 */
export function entryRefusal(
  naive: Naive,
  account: Account,
  market: Market,
  entry: Entry,
): Rejection | null {
  const taken = entry.closeLots + entry.openLots
  if (taken === 0n && entry.restLots === 0n) return null
  const { sign, restLots, exposure: before } = entry
  const exposure = {
    lots: before.lots + sign * taken,
    buys: before.buys + (sign > 0n ? restLots : 0n),
    sells: before.sells + (sign < 0n ? restLots : 0n),
    losses: before.losses + restLots * entryLossPerLot(market, sign, entry.restPrice),
  }
  const required = requirements(naive, account, { market, exposure })
  if (isIsolated(account, market)) return isolatedRefusal(naive, account, market, entry, required)
  // Everything as it would be afterwards, each position at the guarded price of its sign.
  const holding = holdingOf(account, market)
  const elsewhere = guardedEquityOf(naive, account, 0) - guardedUnrealised(market, holding)
  const price = guardedPrice(market, signOf(exposure.lots))
  const paid = sign * (entry.closeValue + entry.openValue) + entry.closeFee + entry.openFee
  const equity = elsewhere + exposure.lots * price * market.K - holding.cost - paid
  if (equity < required) return refuse('INSUFFICIENT_BALANCE', shown(required), shown(equity))
  const closes = { sign, lots: entry.closeLots, value: entry.closeValue, fee: entry.closeFee }
  const isAlone = positionsOf(naive, account, 0).length === 1
  if (closes.lots === 0n || isAlone || closeAllowed(naive, account, market, closes)) return null
  return refuse('INSUFFICIENT_BALANCE', 0, shown(guardedEquityOf(naive, account, 0)))
}

function isolatedRefusal(
  naive: Naive,
  account: Account,
  market: Market,
  entry: Entry,
  required: bigint,
): Rejection | null {
  const { sign, closeLots, openLots, openValue } = entry
  const holding = holdingOf(account, market)
  let { wallet, cost } = holding
  let balance = account.balance
  if (closeLots > 0n) {
    // MARGIN-6: a closing part takes its share out of the wallet.
    const costPart = costShare(holding, closeLots)
    const realised = -sign * entry.closeValue - costPart
    const share = floorDiv(wallet * closeLots, abs(holding.lots))
    const out = share + realised - entry.closeFee
    balance += max(0n, out)
    wallet -= share - min(0n, out)
    cost -= costPart
  }
  // A flip leaves no debt behind in the wallet of what it closed.
  const closedAll = closeLots > 0n && closeLots === abs(holding.lots)
  if (openLots > 0n && closedAll && wallet < 0n) {
    return refuse('INSUFFICIENT_BALANCE', shown(-wallet), 0)
  }
  const kept = valueAtMark(market, holding.lots + sign * closeLots)
  const margin = movedMargin(account, market, kept, { sign, lots: openLots, value: openValue })
  const moved = openLots > 0n ? margin + entry.openFee : 0n
  const equity = guardedEquityOf(naive, account, 0) - account.balance + balance - moved
  if (equity < required) return refuse('INSUFFICIENT_BALANCE', shown(required), shown(equity))
  if (openLots === 0n) return null
  const available = withdrawableWith(naive, account, balance, required)
  if (moved > available) return refuse('INSUFFICIENT_BALANCE', shown(moved), shown(available))
  const lots = holding.lots + sign * (closeLots + openLots)
  const unit = guardedPrice(market, sign) * market.K
  const worth = wallet + margin + lots * unit - (cost + sign * openValue)
  const loss = max(0n, sign * (openValue - openLots * unit))
  // What of that loss the wallet was not given.
  const apart = loss - premiumOf(market, { sign, lots: openLots, value: openValue })
  // New lots count at what was paid for them where that is less.
  const opened = min(openValue, openLots * market.mark * market.K)
  const initial = initialMargin(account, market, kept + opened)
  // The list puts INSUFFICIENT_BALANCE before IMMEDIATE_LIQUIDATION (CORE-4).
  if (!entry.tested && worth + apart < initial) {
    return refuse('INSUFFICIENT_BALANCE', shown(initial), shown(worth + apart))
  }
  // No position opens below maintenance (LIQ-1).
  const maintenance = maintenanceOf(market, lots)
  if (worth >= maintenance) return null
  return refuse('IMMEDIATE_LIQUIDATION', shown(worth), shown(maintenance))
}

export type Opened = { sign: bigint; lots: bigint; value: bigint }

/** MARGIN-6: what was paid beyond the mark. */
function premiumOf(market: Market, { sign, lots, value }: Opened): bigint {
  return max(0n, sign * (value - lots * market.mark * market.K))
}

/** MARGIN-6: what opening adds to the wallet of what is held at mark. */
export function movedMargin(
  account: Account,
  market: Market,
  heldValue: bigint,
  opened: Opened,
): bigint {
  const before = initialMargin(account, market, heldValue)
  const after = initialMargin(account, market, heldValue + opened.value)
  return after - before + premiumOf(market, opened)
}

export type Close = { sign: bigint; lots: bigint; value: bigint; fee: bigint }

/** Checks that the last row of MARGIN-5 alone let pass: events do not show them. */
export const nearCloses = { count: 0 }

/** MARGIN-5, first rule: may this scope close these lots at that price? */
export function closeAllowed(naive: Naive, account: Account, market: Market, c: Close): boolean {
  const scope = scopeIn(account, market)
  const equity = guardedEquityOf(naive, account, scope)
  const maintenance = maintenanceOfScope(naive, account, scope)
  const held = holdingOf(account, market).lots
  const guarded = guardedPrice(market, signOf(held))
  const after = equity - c.sign * (c.value - c.lots * guarded * market.K) - c.fee
  const left = held + c.sign * c.lots
  const own = maintenanceOf(market, held)
  const maintenanceAfter = maintenance - own + maintenanceOf(market, left)
  const size = abs(held)
  // In the first rows the position counts as much more as the fair price is better than the mark.
  const better = abs(fairPrice(market, c.sign) - market.mark) * market.K
  const had = equity + size * better
  const has = after + (size - c.lots) * better
  const sound = (): boolean => {
    if (has * maintenance >= had * maintenanceAfter) return true
    return has * size * maintenance >= had * (size * maintenance - c.lots * own)
  }
  if (sound()) return true
  const near = nearAndHealthy(naive, account, market, c)
  if (near) nearCloses.count += 1
  return near
}

/** MARGIN-5: near the mark a scope may close that is healthy without kept gaps afterwards. */
function nearAndHealthy(naive: Naive, account: Account, market: Market, c: Close): boolean {
  const half = floorDiv(maintenanceAt(largestLeverage(market), bookOf(market)), 2n)
  const fair = c.lots * fairPrice(market, c.sign) * market.K
  if (c.sign * (c.value - fair) * MILLION > fair * half) return false
  const scope = scopeIn(account, market)
  const held = holdingOf(account, market).lots
  const loss = c.sign * (c.value - c.lots * ungappedPrice(market, signOf(held)) * market.K)
  const before = guardedEquityOf(naive, account, scope, ungappedPrice)
  const left = maintenanceOf(market, held + c.sign * c.lots) - maintenanceOf(market, held)
  return before - loss - c.fee >= maintenanceOfScope(naive, account, scope) + left
}

/** MARGIN-5: one side of a fill. `maker`: the resting order this side fills, null for a taker. */
export function sideAllowed(
  naive: Naive,
  account: Account,
  market: Market,
  fill: { sign: bigint; lots: bigint; price: bigint; maker: Order | null },
): boolean {
  const { sign, lots, price, maker } = fill
  const rates = ratesOf(naive, account)
  const rate = maker ? rates.maker : rates.taker
  const held = holdingOf(account, market).lots
  const opposed = signOf(held) === -sign
  const unit = price * market.K
  if (opposed && lots <= abs(held)) {
    const value = lots * unit
    const fee = feeAt(value, rate)
    return closeAllowed(naive, account, market, { sign, lots, value, fee })
  }
  const exposure = exposureOf(naive, account, market)
  if (maker && !maker.reduceOnly) {
    if (sign > 0n) exposure.buys -= lots
    else exposure.sells -= lots
    exposure.losses -= lots * maker.lossPerLot
  }
  const closeLots = opposed ? abs(held) : 0n
  const openLots = lots - closeLots
  const refusal = entryRefusal(naive, account, market, {
    sign,
    closeLots,
    closeValue: closeLots * unit,
    closeFee: feeAt(closeLots * unit, rate),
    openLots,
    openValue: openLots * unit,
    openFee: feeAt(openLots * unit, rate),
    restLots: 0n,
    restPrice: price,
    exposure,
    // MARGIN-5: a taker's initial margin was tested for its whole order.
    tested: maker === null,
  })
  return refusal === null
}

/** MARGIN-5: reduce-only, or it and the other open orders of its side fit in the position. */
export function onlyReduces(
  naive: Naive,
  account: Account,
  market: Market,
  order: { side: Order['side']; size: bigint; reduceOnly: boolean },
): boolean {
  if (order.reduceOnly) return true
  const { lots, buys, sells } = exposureOf(naive, account, market)
  if (signOf(lots) !== -signOfSide(order.side)) return false
  return order.size + (order.side === 'bid' ? buys : sells) <= abs(lots)
}

/** MARGIN-5: the nearest limit at which closing the whole size is allowed; null: there is none. */
export function reducingLimit(
  naive: Naive,
  account: Account,
  market: Market,
  order: { side: Order['side']; size: bigint; price: bigint },
): bigint | null {
  const sign = signOfSide(order.side)
  const { taker } = ratesOf(naive, account)
  const allowed = (price: bigint): boolean => {
    const value = order.size * price * market.K
    const fee = feeAt(value, taker)
    return closeAllowed(naive, account, market, { sign, lots: order.size, value, fee })
  }
  if (allowed(order.price)) return order.price
  // A better price never lowers what is left (a tick is worth more than its fee), so the allowed
  // prices are all on one side of a border, which halving finds.
  let bad = order.price
  let good = sign > 0n ? market.rules.tickMin : market.rules.tickMax
  if (!allowed(good)) return null
  while (abs(good - bad) > 1n) {
    const middle = (good + bad) / 2n
    if (allowed(middle)) good = middle
    else bad = middle
  }
  return good
}
