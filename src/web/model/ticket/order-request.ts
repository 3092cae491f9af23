// Converts a draft to its request. Input is sent unchanged, so that the exchange's own answer, with
// its numbers, can be shown.

import { ladderOf, type Rung } from '../../../client/ladder.ts'
import { formatGrid, type GridStep } from '../../../units/decimal.ts'
import { bodiesOf, type LevelKind, oneOrMore } from '../levels/level-rows.ts'
import { type MarketGrid, numberOnGrid, stepsOf } from '../market/market-grid.ts'
import type { TicketLimits } from '../market/markets.ts'
import { fixed, usd } from '../number-text.ts'
import type {
  ChaseBody,
  IcebergBody,
  LimitBody,
  MarketBody,
  OcoBody,
  StopBody,
  TwapBody,
} from '../wire.ts'
import { durationProblem, levelProblem, type Problem, problemOf } from './draft-problems.ts'
import { expireTimeOf } from './expiry.ts'
import {
  type Draft,
  emptyDraft,
  enteredBy,
  hasLimit,
  isTrailing,
  ownSlippage,
  rowsIn,
  triggerPrices,
  understood,
  wayOf,
} from './order-draft.ts'
import { sliceSeconds } from './order-kinds.ts'

/** Limit orders of one batch: their common fields, and the individual orders. */
export type ScaleBody = Readonly<{
  symbol: string
  side: 'bid' | 'ask'
  amount: string
  reduce_only: boolean
  /** Average price on the grid, for the preview. */
  average: string
  orders: readonly LimitBody[]
}>

export type Request =
  | Readonly<{ kind: 'limit'; body: LimitBody }>
  | Readonly<{ kind: 'market'; body: MarketBody }>
  | Readonly<{ kind: 'stop'; body: StopBody }>
  | Readonly<{ kind: 'twap'; body: TwapBody }>
  | Readonly<{ kind: 'iceberg'; body: IcebergBody }>
  | Readonly<{ kind: 'chase'; body: ChaseBody }>
  | Readonly<{ kind: 'oco'; body: OcoBody }>
  | Readonly<{ kind: 'scale'; body: ScaleBody }>

export type Built = Readonly<
  { request: Request; problem: null } | { request: null; problem: Problem }
>

export type Ordered = Readonly<{
  symbol: string
  amount: string
  grid: MarketGrid
  mark: number
  /** On the clock of the exchange. */
  now: number
  limits: TicketLimits
  /** Minimum value of an order. */
  minOrderUsd: number
}>

export function build(draft: Draft, ordered: Ordered): Built {
  const { grid, now } = ordered
  const meant = understood(draft, grid)
  const problem =
    problemOf(draft, grid, now) ??
    durationProblem(meant, ordered.limits) ??
    sliceProblem(meant, ordered) ??
    displayProblem(meant, ordered) ??
    reachedProblem(meant, ordered) ??
    levelProblem(meant, ordered.amount, grid)
  if (problem !== null) return { request: null, problem }
  if (meant.kind !== 'scale') return { request: requestOf(meant, ordered), problem: null }
  return scaleOf(meant, ordered)
}

/** Problem of an iceberg's visible size, which is at most the whole and large enough to limit the
 *  number of parts. */
function displayProblem(draft: Draft, { amount, grid, limits }: Ordered): Problem | null {
  if (draft.kind !== 'iceberg') return null
  const { iceberg_parts: partsMax } = limits
  const lots = stepsOf(amount, grid.lot) ?? 0
  const shown = stepsOf(draft.display, grid.lot) ?? 0
  const least = Math.ceil(lots / partsMax)
  if (lots === 0 || (shown >= least && shown <= lots)) return null
  const range = `${formatGrid(least, grid.lot)} to ${formatGrid(lots, grid.lot)}`
  const message = `Visible size must be from ${range} (at most ${partsMax} parts)`
  return { field: 'display', message }
}

/** Problem of a TWAP's slices, each of which needs the minimum value. A shorter TWAP has fewer
 *  slices. */
function sliceProblem(draft: Draft, ordered: Ordered): Problem | null {
  const { amount, grid, mark, limits, minOrderUsd } = ordered
  const lots = stepsOf(amount, grid.lot) ?? 0
  if (draft.kind !== 'twap' || mark === 0 || lots === 0 || minOrderUsd === 0) return null
  const lotUsd = mark * Number(stepText(grid.lot))
  const slices = slicesOf(draft)
  // A float may be slightly below its value.
  const leastLots = Math.ceil(minOrderUsd / lotUsd - 1e-9)
  const most = Math.floor(lots / leastLots)
  if (slices <= most) return null
  const worth = usd(Math.floor(lots / slices) * lotUsd)
  const least = `the minimum is ${usd(minOrderUsd)} USD`
  const message = `Each of ${slices} slices would be worth ${worth} USD, ${least}`
  const longest = (most - 1) * sliceSeconds
  if (longest >= limits.twap_seconds_min)
    return { field: 'duration', message, accepted: String(longest / 60) }
  return { field: 'amount', message }
}

/** Problem of a plain stop whose trigger price is already reached. */
function reachedProblem(draft: Draft, { mark, grid }: Ordered): Problem | null {
  if (draft.kind !== 'stop' || isTrailing(draft) || mark === 0) return null
  // The exchange knows the other prices, and checks them in its preview.
  if (draft.triggerBy !== 'mark') return null
  const [stop, rises] = [Number(draft.stop), wayOf(draft) === 'gte']
  if (stop === 0 || (rises ? stop > mark : stop < mark)) return null
  const price = (value: number) => fixed(value, grid.tickPlaces)
  const [now, other] = rises ? ['at or above', 'falls'] : ['at or below', 'rises']
  const message =
    `${price(stop)} is reached already: the mark, ${price(mark)}, is ${now} it. To wait until ` +
    `the mark ${other} to it, choose that next to the price`
  return { field: 'stop', message }
}

/** Number of slices of a TWAP. */
export const slicesOf = (draft: Draft) => Math.floor(secondsOf(draft) / sliceSeconds) + 1

const secondsOf = ({ minutes }: Draft) => Math.round(Number(minutes) * 60)

/** The common fields of a request of any kind. */
export function outlineOf({ kind, body }: Request) {
  if (kind === 'stop') {
    const { symbol, side, reduce_only, stop_order } = body
    return { symbol, side, reduce_only, amount: stop_order.amount ?? '0' }
  }
  if (kind === 'oco') {
    const { side, amount, reduce_only } = body.legs[0]!
    return { symbol: body.symbol, side, amount, reduce_only }
  }
  const { symbol, side, amount, reduce_only } = body
  return { symbol, side, amount, reduce_only }
}

function levelsOf(draft: Draft, { amount, grid, mark }: Ordered) {
  const of = (kind: LevelKind) =>
    oneOrMore(bodiesOf(rowsIn(draft, kind), kind, enteredBy(draft, amount, mark), grid))
  const take_profit = of('take_profit') as LimitBody['take_profit']
  const stop_loss = of('stop_loss')
  return {
    ...(take_profit !== undefined && { take_profit }),
    ...(stop_loss !== undefined && { stop_loss }),
  }
}

/** Options that differ from the default. */
function optionsOf(draft: Draft, now: number) {
  const expire_time = expireTimeOf(draft, now)
  return {
    timing: expire_time === null ? {} : { expire_time },
    giving: draft.stp === emptyDraft.stp ? {} : { stp: draft.stp },
  }
}

/** Trigger of a stop, and the limit price of its order. A trailing stop places a market order. */
function watchOf(draft: Draft) {
  const { trail, activation, stop, price } = draft
  if (isTrailing(draft))
    return {
      trailing_percent: trail,
      ...(activation !== '' && { activation_price: activation }),
    }
  const usual = wayOf({ way: null, side: draft.side })
  const way = draft.kind === 'stop' ? wayOf(draft) : usual
  return {
    stop_price: stop,
    ...triggerOf(draft),
    ...(way !== usual && { trigger_direction: way }),
    ...(hasLimit(draft) && { limit_price: price }),
  }
}

function triggerOf({ triggerBy }: Draft) {
  return triggerBy === 'mark' ? {} : { trigger_price_type: triggerPrices[triggerBy] }
}

function slippageOf(draft: Draft) {
  const slippage_percent = ownSlippage(draft)
  return slippage_percent === null ? {} : { slippage_percent }
}

function requestOf(draft: Draft, ordered: Ordered): Request {
  const { symbol, amount, now } = ordered
  const { kind, side, reduceOnly: reduce_only, price } = draft
  const common = { symbol, side, reduce_only }
  const { timing, giving } = optionsOf(draft, now)
  switch (kind) {
    case 'stop':
      return {
        kind,
        body: {
          ...common,
          stop_order: { ...watchOf(draft), ...slippageOf(draft), amount },
          ...levelsOf(draft, ordered),
          ...timing,
        },
      }
    case 'oco':
      return { kind, body: { symbol, legs: legsOf(draft, amount), ...timing } }
    case 'twap': {
      const duration_in_seconds = secondsOf(draft)
      const slippage_percent = draft.twapSlippage
      return { kind, body: { ...common, amount, slippage_percent, duration_in_seconds } }
    }
    case 'iceberg': {
      const display_amount = draft.display
      return { kind, body: { ...common, amount, display_amount, price, ...timing } }
    }
    case 'chase':
      return { kind, body: { ...common, amount, price, ...timing } }
    case 'market': {
      const options = { ...levelsOf(draft, ordered), ...giving }
      return { kind, body: { ...common, amount, slippage_percent: draft.slippage, ...options } }
    }
    default: {
      const tif = draft.postOnly ? ('ALO' as const) : draft.tif
      const options = { ...levelsOf(draft, ordered), ...timing, ...giving }
      return { kind: 'limit', body: { ...common, amount, price, tif, ...options } }
    }
  }
}

/** Legs of an OCO: a resting order and a stop, or a stop above and one below, with directions. */
function legsOf(draft: Draft, amount: string): OcoBody['legs'] {
  const { side, reduceOnly: reduce_only, pair, price, stop, below } = draft
  const common = { side, amount, reduce_only }
  if (pair === 'rests')
    return [
      { ...common, price },
      { ...common, ...watchOf(draft) },
    ]
  const by = { ...common, ...triggerOf(draft) }
  const [above, under] = pair === 'stops' ? [side, side] : (['bid', 'ask'] as const)
  const direction = (way: 'gte' | 'lte', usual: boolean) =>
    usual ? {} : { trigger_direction: way }
  return [
    { ...by, side: above, stop_price: stop, ...direction('gte', above === 'bid') },
    { ...by, side: under, stop_price: below, ...direction('lte', under === 'ask') },
  ]
}

const stepText = (step: GridStep) => formatGrid(1, step)

/** A scale, computed as by `openperp scale`: prices are on the grid, and sizes add up exactly. */
function scaleOf(draft: Draft, { symbol, amount, grid, now }: Ordered): Built {
  const { side, reduceOnly: reduce_only, price: from, to } = draft
  const steps = { tick_size: stepText(grid.tick), lot_size: stepText(grid.lot) }
  const shape = draft.rising ? ('rising' as const) : ('flat' as const)
  let rungs: readonly Rung[]
  try {
    rungs = ladderOf(steps, { from, to, amount, count: Number(draft.count), shape })
  } catch (error) {
    // The error message describes what the grid does not allow.
    return { request: null, problem: ladderProblem((error as Error).message, draft) }
  }
  const tif = draft.postOnly ? ('ALO' as const) : ('GTC' as const)
  const common = { symbol, side, reduce_only, tif, ...optionsOf(draft, now).timing }
  const orders = rungs.map((rung) => ({ ...common, ...rung }))
  const value = rungs.reduce((sum, rung) => sum + Number(rung.price) * Number(rung.amount), 0)
  const average = numberOnGrid(value / Number(amount), grid.tick)
  const body = { symbol, side, amount, reduce_only, average, orders }
  return { request: { kind: 'scale', body }, problem: null }
}

function ladderProblem(message: string, { price }: Draft): Problem {
  const ofPrice = message.startsWith(`price ${price} `) ? 'price' : 'to'
  const field = /^price|too few for/.test(message) ? ofPrice : 'amount'
  return { field, message: message.charAt(0).toUpperCase() + message.slice(1) }
}
