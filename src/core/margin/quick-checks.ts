// Fast versions of the two checks in margin-checks.ts for the most common account: cross, with a
// row in only one market. They say yes only when the exact check would. Otherwise the result is
// unknown and the exact check decides. They write only the counter of margin checks.

import { divFloor, mulPpmCeil } from '../../units/rounding.ts'
import * as units from '../../units/units.ts'
import { fairPrice } from '../prices/order-prices.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import type { Fill } from './fill.ts'
import { initialFraction, initialMargin, maintenanceOf, worstLots } from './margin.ts'

// Module constants are compiled into the machine code (docs/performance.md).
const { PPM } = units

export const UNSURE = 0
/** The order closes a position and then opens another, so each of its fills must be checked. */
export const FLIPS = 1
/** Any fill at the order's limit or better can be carried too. */
export const OPENS = 2
/** The order opposes the position and does not exceed it (MARGIN-5). Its fills can be carried
 *  too. */
export const REDUCES = 3
/** Like `OPENS`, and all orders of the account can be carried after each fill. */
export const AMPLE = 4

/** Whether the row is the only row of a cross account whose fees are known for today. */
function standsAlone(state: State, row: number, account: number): boolean {
  const { accounts, positions } = state
  return (
    accounts.rows[account] === row &&
    positions.nextOfAccount[row] === 0 &&
    positions.isolated[row] === 0 &&
    accounts.tierDay[account] === state.day + 1
  )
}

/** Both checks for lots that trade at most `away` ticks from mark, in fills of any size. Returns
 *  true if the account can carry its position and all its orders together, and their total value is
 *  below the start of the second tier. One initial fraction then covers the margin of any part, and
 *  it exceeds maintenance, whose fraction is half of that at a larger leverage. The check is a
 *  rough bound, but most accounts have ample margin. Rounding: each part of a fill rounds its fee
 *  up, and there are no more parts than lots; margin and the fees of open orders round up too. N
 *  rounded numbers exceed their rounded sum by at most N − 1, here lots + 1. Products above 2^53
 *  are off by half a micro-dollar in total, which fits into that margin without a fee; with a fee,
 *  the rate is charged for all lots. Guarded prices (MARGIN-3) value the position. Each traded lot
 *  is charged their distance from the mark, which covers the loss for either sign of the resulting
 *  position. */
function hasAmple(
  state: State,
  market: Market,
  row: number,
  account: number,
  lots: number,
  away: number,
  feePpm: number,
): boolean {
  const { accounts, positions } = state
  const { lotValue, unitValue, tierFrom } = market
  const held = positions.lots[row]!
  const worst = Math.abs(held) + positions.buys[row]! + positions.sells[row]! + lots
  if (worst > market.sureLots || worst * lotValue >= tierFrom) return false
  const lost = lots * (away + market.guardAway) * unitValue
  const value = held * (held > 0 ? market.longValue : market.shortValue)
  const equity = accounts.balance[account]! + value - positions.cost[row]!
  const spare = equity - positions.losses[row]! * unitValue - lost - lots - 1
  const ppm = initialFraction(market, positions.leverage[row]!) + accounts.takerPpm[account]!
  return spare * PPM >= (worst * lotValue + lost) * (ppm + feePpm)
}

/** Lots of this sign for `hasAmple`. Each closed lot may use its share of equity (MARGIN-5); equity
 *  that suffices to close all lots suffices for each of them. */
function lotsToCarry(held: number, sign: number, lots: number): number {
  const closes = -sign * held
  return closes > lots ? closes : lots
}

/** Whether a close at this price or better only needs a healthy scope afterwards (MARGIN-5). */
function isNear(market: Market, sign: number, price: number): boolean {
  const fair = fairPrice(market, sign)
  return sign * (price - fair) * PPM <= fair * divFloor(market.baseFractionPpm, 2)
}

/** Whether equity covers all current requirements (LIQ-8). */
export function surelyCovered(state: State, market: Market, row: number, account: number): boolean {
  return standsAlone(state, row, account) && hasAmple(state, market, row, account, 0, 0, 0)
}

/** UNITS-4 and MARGIN-4 for a new order at this limit, or MARGIN-5 if it only reduces. `paid` is
 *  the maximum price of a lot in ticks if the order takes, otherwise 0. The order takes at its
 *  limit or better, and the resulting position needs no more margin than a resting order would. */
export function surelyCarries(
  state: State,
  market: Market,
  row: number,
  side: number,
  price: number,
  size: number,
  paid: number,
): number {
  const { accounts, positions } = state
  const { lotValue, unitValue } = market
  const account = positions.account[row]!
  if (!standsAlone(state, row, account) || accounts.related[account] !== 0) return UNSURE
  state.counters.marginChecks += 1
  const takerPpm = accounts.takerPpm[account]!
  const limitAway = Math.abs(price - market.mark)
  const away = paid === 0 ? limitAway : Math.max(limitAway, Math.abs(paid - market.mark))
  const lots = positions.lots[row]!
  const sign = side === 0 ? 1 : -1
  const most = lotsToCarry(lots, sign, size)
  if (hasAmple(state, market, row, account, most, away, paid === 0 ? 0 : takerPpm)) return AMPLE
  // The code below assumes that the mark is also the guarded price.
  if (market.guardAway !== 0) return UNSURE
  const buys = side === 0 ? positions.buys[row]! + size : positions.buys[row]!
  const sells = side === 0 ? positions.sells[row]! : positions.sells[row]! + size
  const worst = worstLots(lots, buys, sells)
  if (Math.abs(lots) + buys + sells > market.sureLots) return UNSURE
  const value = size * price * unitValue
  const lost = side === 0 ? value - size * lotValue : size * lotValue - value
  let equity = accounts.balance[account]! + lots * lotValue - positions.cost[row]!
  // Each part of a fill pays its own fee, rounded up. There are no more parts than lots.
  if (paid !== 0) equity -= mulPpmCeil(size * paid * unitValue, takerPpm) + size - 1
  if (side === 0 ? lots < 0 && buys <= -lots : lots > 0 && sells <= lots) {
    // The remaining position needs no more margin than the present one, and near the mark only its
    // maintenance must remain (MARGIN-5).
    if (!isNear(market, sign, price)) return UNSURE
    const needed = maintenanceOf(market, (lots < 0 ? -lots : lots) * lotValue)
    if (paid === 0) equity -= mulPpmCeil(value, takerPpm)
    return equity >= needed && equity - lost >= needed ? REDUCES : UNSURE
  }
  const loss = lost > 0 ? lost : 0
  if (paid !== 0) equity -= loss
  const required =
    initialMargin(market, positions.leverage[row]!, worst * lotValue) +
    mulPpmCeil((buys > sells ? buys : sells) * lotValue, takerPpm) +
    positions.losses[row]! * unitValue +
    loss
  if (equity < required) return UNSURE
  return (side === 0 ? lots >= 0 : lots <= 0) ? OPENS : FLIPS
}

/** MARGIN-5 for one side of a match. Returns `AMPLE`, `OPENS` for any other yes, or `UNSURE`.
 *  `counted`: a maker's lots that the row's sums currently count as open, at `lossTicks` each. */
export function surelyFills(
  state: State,
  market: Market,
  row: number,
  sign: number,
  counted: number,
  lossTicks: number,
  fill: Fill,
): number {
  const { accounts, positions } = state
  const { lotValue } = market
  const { lots, value, feePpm } = fill
  const account = positions.account[row]!
  if (!standsAlone(state, row, account)) return UNSURE
  state.counters.marginChecks += 1
  const before = positions.lots[row]!
  const away = Math.abs(fill.price - market.mark)
  const most = lotsToCarry(before, sign, lots)
  if (hasAmple(state, market, row, account, most, away, feePpm > 0 ? feePpm : 0)) return AMPLE
  if (market.guardAway !== 0) return UNSURE
  const lost = sign > 0 ? value - lots * lotValue : lots * lotValue - value
  let equity = accounts.balance[account]! + before * lotValue - positions.cost[row]!
  if (feePpm > 0) equity -= mulPpmCeil(value, feePpm) + 1
  if (sign > 0 ? lots <= -before : lots <= before) {
    if (!isNear(market, sign, fill.price)) return UNSURE
    const needed = maintenanceOf(market, (before < 0 ? -before : before) * lotValue)
    return equity >= needed && equity - lost >= needed ? OPENS : UNSURE
  }
  const buys = sign > 0 ? positions.buys[row]! - counted : positions.buys[row]!
  const sells = sign > 0 ? positions.sells[row]! : positions.sells[row]! - counted
  const after = sign > 0 ? before + lots : before - lots
  const required =
    initialMargin(market, positions.leverage[row]!, worstLots(after, buys, sells) * lotValue) +
    mulPpmCeil((buys > sells ? buys : sells) * lotValue, accounts.takerPpm[account]!) +
    (positions.losses[row]! - counted * lossTicks) * market.unitValue
  return equity - lost >= required ? OPENS : UNSURE
}
