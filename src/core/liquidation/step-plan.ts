// Computes how much of a position one liquidation step closes and how far its limit is, from the
// numbers of its scope alone (LIQ-3).

import { divCeil, divFloor, mulPpmFloor } from '../../units/rounding.ts'
import { differenceCeil, ratioFloor } from '../../units/wide.ts'
import { maintenanceOf, maintenanceTier } from '../margin/margin.ts'
import { limitFrom } from '../prices/order-prices.ts'
import type { Market } from '../state/market.ts'

/** A position of an unhealthy scope. */
export type Unhealthy = Readonly<{
  /** Signed lots. */
  lots: number
  mark: number
  /** The price that the limit starts from (PRICE-6). */
  fair: number
  /** Equity of the whole scope. */
  equity: number
  maintenance: number
  /** Consecutive steps without a fill before this one. */
  unfilled: number
}>

export type StepPlan = Readonly<{
  lots: number
  limit: number
  feePpm: number
  /** Maintenance fraction of the position's tier. */
  fractionPpm: number
  /** Lots that would make the scope healthy, and the maximum that a step closes. */
  need: number
  cap: number
  /** How far the limit is from the fair price, towards a worse price. */
  slipPpm: number
}>

export function planStep(market: Market, unhealthy: Unhealthy): StepPlan {
  const { lots, mark, fair, equity, maintenance } = unhealthy
  const { healthPercent } = market.rules.liquidation
  const lotValue = mark * market.unitValue
  const held = Math.abs(lots)
  const notional = held * lotValue
  const { fractionPpm } = maintenanceTier(market, notional)
  const feePpm = liquidationFeeOf(market, fractionPpm)
  const divisor = healthPercent * fractionPpm - 100 * feePpm
  const money = differenceCeil([healthPercent, maintenance], [100, equity], 1_000_000, divisor)
  const need = divCeil(money, lotValue)
  const cap = stepCap(market, held, lotValue)
  const closed = Math.min(need, cap, held)
  const restTooSmall = (held - closed) * lotValue < market.params.orderValueMin
  const slipPpm = slipOf(market, unhealthy, notional, feePpm)
  return {
    lots: restTooSmall ? held : closed,
    limit: limitFrom(market, lots > 0 ? -1 : 1, fair, slipPpm),
    feePpm,
    fractionPpm,
    need,
    cap,
    slipPpm,
  }
}

/** The distance of the limit: up to the bankruptcy price, at most the concession, and half of it in
 *  the first step. */
function slipOf(
  market: Market,
  { equity, maintenance, unfilled }: Unhealthy,
  notional: number,
  feePpm: number,
): number {
  const own = maintenanceOf(market, notional)
  const bankrupt = ratioFloor([own, equity, 1_000_000], [maintenance, notional]) - feePpm
  const slip = Math.min(
    bankrupt,
    ratioFloor([own, market.params.liquidationConcessionPpm], [notional]),
  )
  const half = divFloor(slip, 2)
  return unfilled === 0 && half > 0 ? half : slip
}

/** The fee rate of LIQ-3 for a liquidated side, derived from the maintenance fraction of its
 *  tier. */
export function liquidationFeeOf({ params }: Market, fractionPpm: number): number {
  const part = mulPpmFloor(fractionPpm, params.liquidationFeePartPpm)
  return Math.min(params.liquidationFeePpmMax, part)
}

/** The maximum that one step closes, for a position or a backstop's position. */
export function stepCap({ params, rules }: Market, held: number, lotValue: number): number {
  const { stepParts } = rules.liquidation
  return Math.max(divCeil(held, stepParts), divFloor(params.liquidationStepMax, lotValue))
}
