// Every reason to reject an order, in the order of precedence (ORDER-1). Writes only to the draft:
// the price of a TOB order, the limit of a reduce-only order, and `change`, the values of the
// margin check.

import { PPM } from '../../units/units.ts'
import { textRefusal } from '../admission/text-refusal.ts'
import { amountRefusal, type Rejection, refuse } from '../commands/rejections.ts'
import { findClientId, repeatsClientId } from '../drafts/client-ids.ts'
import {
  bringsLevels,
  type Draft,
  FROM_ALGO,
  FROM_TRIGGER,
  FROM_USER,
  RUNS_NEXT,
  RUNS_NOW,
  waits,
} from '../drafts/draft.ts'
import { areCompatible, isProtected, stpOf } from '../drafts/order-options.ts'
import { timeInForceOf } from '../drafts/times-in-force.ts'
import { attachedRefusal } from '../levels/attached-checks.ts'
import {
  firstRefusal,
  kindCountRefusal,
  trailCountRefusal,
  watchPrices,
} from '../levels/level-checks.ts'
import { frozenRefusal, protectedRefusal } from '../makers/check-mmp.ts'
import { takerPpmOf } from '../margin/fee-tier.ts'
import { worstLots } from '../margin/margin.ts'
import { Close, carryRefusal, reducingLimit } from '../margin/margin-checks.ts'
import { CollectedFills } from '../matching/collect-fills.ts'
import { fitsWhole } from '../matching/fits-whole.ts'
import { policyRefusal } from '../policies/check-policy.ts'
import { priceRefusal, worstPrice } from '../prices/order-prices.ts'
import { trades } from '../prices/trading.ts'
import { limits } from '../rules/limits.ts'
import type { State } from '../state/state.ts'
import { timeRefusal } from '../timing/expiry.ts'
import { fitsPosition, modeRefusal, silenceRefusal } from './may-take.ts'
import { crosses, entryLoss, hasRoom } from './order-life.ts'
import { ownerRefusal } from './owner-limit.ts'
import { matchTime } from './runs-next.ts'

/** Which checks apply: a new order, an order released from the speed bump, or the new order of an
 *  edit. */
export const NEW = 0
export const RELEASE = 1
export const EDIT = 2

const collected = new CollectedFills()
const close = new Close()

export function orderRefusal(state: State, draft: Draft, phase: number): Rejection | null {
  if (!trades(state, draft.market) || state.exchange.accounts.frozen[draft.account] === 1)
    return refuse('TRADING_DISABLED')
  return (
    (phase === NEW ? shapeRefusal(state, draft) : stepAside(draft)) ??
    modeRefusal(state, draft) ??
    silenceRefusal(state, draft) ??
    (isProtected(draft.options) ? frozenRefusal(state, draft) : null) ??
    valueRefusal(state, draft) ??
    (phase === NEW ? countRefusal(state, draft) : null) ??
    (isProtected(draft.options) && phase !== RELEASE ? protectedRefusal(state, draft) : null) ??
    (draft.reduceOnly ? reduceOnlyRefusal(state, draft) : null) ??
    (phase === NEW && bringsLevels(draft) ? levelsRefusal(draft) : null) ??
    (draft.mustRest ? takeRefusal(draft) : null) ??
    bookRefusal(state, draft, phase) ??
    marginRefusal(state, draft) ??
    depthRefusal(state, draft) ??
    levelRefusal(state, draft) ??
    (phase === NEW ? textsRefusal(draft) : null)
  )
}

export function shapeRefusal(state: State, draft: Draft): Rejection | null {
  const refusal =
    (draft.isMarket ? null : priceRefusal(draft.market, draft.price)) ??
    (waits(draft) ? null : stepAside(draft)) ??
    amountRefusal(draft.size, Number.MAX_SAFE_INTEGER)
  if (refusal !== null) return refusal
  const { slippagePpm } = draft
  if (!(Number.isSafeInteger(slippagePpm) && slippagePpm >= 0 && slippagePpm <= PPM))
    return refuse('INVALID_AMOUNT', Number.isSafeInteger(slippagePpm) ? slippagePpm : 0)
  if (draft.side < 0 || draft.tif < 0) return refuse('INVALID_ORDER_TYPE')
  if (!areCompatible(draft.options, timeInForceOf(draft.tif).takes))
    return refuse('INVALID_ORDER_TYPE')
  if (!watchPrices(draft.takeProfits, draft.stopLosses)) return refuse('INVALID_ORDER_TYPE')
  const untimely = draft.origin === FROM_USER ? expiryRefusal(state, draft) : null
  if (untimely !== null) return untimely
  if (draft.isMarket && draft.origin !== FROM_TRIGGER)
    draft.price = worstPrice(draft.market, draft.sign, slippagePpm)
  if (draft.releaseAt === RUNS_NOW) draft.releaseAt = matchTime(state, draft)
  return null
}

/** Checks the expiry (ORDER-14). An order of a stop keeps the expiry of the stop, even if it has
 *  passed. */
function expiryRefusal(state: State, { tif, expireTime }: Draft): Rejection | null {
  if (expireTime !== null && !timeInForceOf(tif).rests) return refuse('INVALID_ORDER_TYPE')
  return timeRefusal(state, expireTime)
}

/** Moves the price one tick off the best opposite price if the order would cross and must not
 *  (ORDER-4). */
function stepAside(draft: Draft): Rejection | null {
  if (!timeInForceOf(draft.tif).stepsAside || draft.side < 0) return null
  const best = (draft.side === 0 ? draft.market.asks : draft.market.bids).bestPrice
  if (best === 0 || (draft.price - best) * draft.sign < 0) return null
  draft.price = best - draft.sign
  return priceRefusal(draft.market, draft.price)
}

function valueRefusal(state: State, draft: Draft): Rejection | null {
  const { market, size } = draft
  const { orderValueMin, orderValueMax } = market.params
  const price = draft.isMarket ? market.mark : draft.price
  const value = size * price * market.unitValue
  if (value < orderValueMin && !mayBeSmall(state, draft))
    return refuse('ORDER_AMOUNT_TOO_LOW', value, orderValueMin)
  if (value > orderValueMax && !mayBeLarge(draft))
    return refuse('ORDER_AMOUNT_TOO_HIGH', Math.min(value, Number.MAX_SAFE_INTEGER), orderValueMax)
  if (!draft.reduceOnly) {
    const exposure = exposureWith(state, draft)
    if (exposure > limits.moneyMax)
      return refuse(
        'ORDER_AMOUNT_TOO_HIGH',
        Math.min(exposure, Number.MAX_SAFE_INTEGER),
        limits.moneyMax,
      )
  }
  return draft.isMarket ? null : bandRefusal(draft)
}

/** Whether the order may be below the minimum size: dust must be closable, the size of a trigger or
 *  slice is not chosen freely, and a remainder was large enough as a whole. */
function mayBeSmall(state: State, draft: Draft): boolean {
  if (draft.origin === FROM_ALGO || draft.isPart) return true
  if (!draft.reduceOnly) return false
  return (
    draft.origin === FROM_TRIGGER || state.positions.lots[draft.row] === -draft.sign * draft.size
  )
}

/** Whether the order may exceed the maximum size: a stop or a TWAP closes its position, however
 *  large that is. */
function mayBeLarge({ reduceOnly, origin, isMarket }: Draft): boolean {
  return reduceOnly && (origin === FROM_TRIGGER || (origin === FROM_ALGO && isMarket))
}

/** Σ worst × tickMax × K with the whole order open (UNITS-4). */
function exposureWith(state: State, draft: Draft): number {
  const { accounts, positions } = state
  let exposure = 0
  let row = accounts.rows[positions.account[draft.row]!]!
  while (row !== 0) {
    const market = state.markets[positions.market[row]!]!
    const extra = row === draft.row ? draft.size - draft.freed : 0
    const worst = worstLots(
      positions.lots[row]!,
      positions.buys[row]! + (draft.side === 0 ? extra : 0),
      positions.sells[row]! + (draft.side === 0 ? 0 : extra),
    )
    exposure += worst * market.params.tickMax * market.unitValue
    row = positions.nextOfAccount[row]!
  }
  return exposure
}

function bandRefusal({ market, price, side }: Draft): Rejection | null {
  const min = side === 0 ? market.bidMin : market.askMin
  const max = side === 0 ? market.bidMax : market.askMax
  if (price >= min && price <= max) return null
  return refuse('PRICE_TOO_FAR_FROM_MARK', price, min, max)
}

/** The checks of an order of a resting algo that do not depend on the book. */
export function plannedOrderRefusal(state: State, draft: Draft): Rejection | null {
  const { account, clientOrderId } = draft
  const named = clientOrderId === null ? 0 : findClientId(state.exchange, account, clientOrderId)
  return (
    valueRefusal(state, draft) ??
    (named === 0 ? null : refuse('DUPLICATE_CLIENT_ORDER_ID')) ??
    (draft.reduceOnly ? reduceOnlyRefusal(state, draft) : null)
  )
}

function countRefusal({ exchange, rules }: State, draft: Draft): Rejection | null {
  const { account, clientOrderId } = draft
  if (draft.origin === FROM_TRIGGER || draft.origin === FROM_ALGO) return null
  const attached = draft.takeProfits.length + draft.stopLosses.length
  if (clientOrderId !== null || attached !== 0) {
    const ids = clientIdsOf(draft)
    const { otherLeg } = draft
    if (repeatsClientId(otherLeg === null ? ids : [...ids, otherLeg.clientOrderId]))
      return refuse('DUPLICATE_CLIENT_ORDER_ID')
    for (const id of ids)
      if (id !== null && findClientId(exchange, account, id) !== 0)
        return refuse('DUPLICATE_CLIENT_ORDER_ID')
  }
  const open = exchange.accounts.openCount[account]! + (draft.otherLeg === null ? 0 : 1)
  if (open + 1 + attached > rules.limits.ordersPerAccount)
    return refuse('OPEN_ORDER_LIMIT_REACHED', open, rules.limits.ordersPerAccount)
  if (attached === 0) return null
  return (
    trailCountRefusal(exchange, account, draft.stopLosses, []) ??
    kindCountRefusal(exchange, draft.takeProfits, draft.stopLosses)
  )
}

/** Client ids of the order and of its levels. */
function clientIdsOf({ clientOrderId, takeProfits, stopLosses }: Draft): (string | null)[] {
  const ids = [...takeProfits, ...stopLosses].map((level) => level.clientOrderId)
  return [clientOrderId, ...ids]
}

export function reduceOnlyRefusal(state: State, draft: Draft): Rejection | null {
  const lots = state.positions.lots[draft.row]!
  if (lots === 0) return refuse('NO_POSITION_FOR_REDUCE_ONLY_ORDER')
  if (lots * draft.sign > 0) return refuse('INVALID_REDUCE_ONLY_ORDER_SIDE')
  if (draft.size > Math.abs(lots))
    return refuse('INVALID_REDUCE_ONLY_ORDER_AMOUNT', draft.size, Math.abs(lots))
  return null
}

/** Checks the levels. Those of a market order must lie on either side of the mark, because its
 *  limit is only a worst price. */
function levelsRefusal(draft: Draft): Rejection | null {
  const { market, sign, size, reduceOnly, takeProfits, stopLosses } = draft
  const price = draft.isMarket ? market.mark : draft.price
  return attachedRefusal({ market, sign, price, size, reduceOnly, takeProfits, stopLosses })
}

function takeRefusal({ market, side, price }: Draft): Rejection | null {
  if (!crosses(market, side, price)) return null
  return refuse('WOULD_TAKE', price, (side === 0 ? market.asks : market.bids).bestPrice)
}

/** Collects the fills. A FOK order also pays for its whole-fill checks (CORE-5). */
function lookAt(state: State, draft: Draft, size: number): void {
  const { market, row, side, price, options } = draft
  const { exchange, rules } = state
  const { unitsUsed } = exchange
  collected.run(state, market, row, side, price, size, rules.limits.ordersWalked, stpOf(options))
  if (timeInForceOf(draft.tif).whole) exchange.unitsUsed += 2 * (exchange.unitsUsed - unitsUsed)
}

/** NO_REASONABLE_PRICE and the open interest limit, both from the collected fills. */
function bookRefusal(state: State, draft: Draft, phase: number): Rejection | null {
  const { market, side, price, size } = draft
  const isWaiting = waits(draft)
  const seeksPrice = draft.isMarket && phase === NEW && draft.origin !== FROM_TRIGGER
  if (collected.count !== 0 || collected.cut) collected.clear()
  if (seeksPrice || (!isWaiting && timeInForceOf(draft.tif).takes)) {
    const best = (side === 0 ? market.asks : market.bids).bestPrice
    if (best !== 0 && (price - best) * draft.sign >= 0) lookAt(state, draft, isWaiting ? 1 : size)
  }
  if (seeksPrice && collected.lots === 0 && !collected.cut)
    return refuse('NO_REASONABLE_PRICE', price)
  if (collected.count === 0) return null
  if (isWaiting) collected.clear()
  else if (
    collected.firstInterest > market.params.openInterestMax &&
    collected.firstInterest > market.openInterest
  )
    return refuse(
      'OPEN_INTEREST_LIMIT_EXCEEDED',
      collected.firstInterest,
      market.params.openInterestMax,
    )
  return null
}

function marginRefusal(state: State, draft: Draft): Rejection | null {
  const { positions } = state
  const { market, row, side, size } = draft
  const isWaiting = waits(draft)
  draft.onlyReduces = draft.reduceOnly || fitsPosition(state, draft)
  const over = draft.onlyReduces ? null : ownerRefusal(state, draft)
  if (over !== null) return over
  const limited = draft.agent === null ? null : policyRefusal(state, draft)
  if (limited !== null) return limited
  if (draft.onlyReduces) return isWaiting ? null : reducingRefusal(state, draft)
  const { rests, whole } = timeInForceOf(draft.tif)
  // `depthRefusal` rejects it, so its margin does not matter (CORE-5).
  if (whole && draft.releaseAt === RUNS_NEXT) return null
  const mustFill = whole && !isWaiting
  if (mustFill && collected.lots < size) return null
  // Orders behind the last visited one are unknown. They are checked when the order meets them, and
  // the remainder when it rests.
  const stays = isWaiting || (rests && !collected.cut)
  const rest = stays ? size - collected.lots : 0
  if (rest === 0 && collected.lots === 0) return null
  const { change } = draft
  change.sign = draft.sign
  change.lots = collected.lots
  change.value = collected.value
  change.openLots = collected.openLots
  change.openValue = collected.openValue
  change.rest = rest
  change.restLosses = rest * entryLoss(market, side, draft.price)
  change.freed = draft.freed
  change.freedLosses = draft.freedLosses
  change.feePpm = takerPpmOf(state, positions.account[row]!)
  const refusal = carryRefusal(state, market, row, change)
  if (refusal === null || !mustFill) return refusal
  // An order that will not fill expires, so its margin does not matter.
  const { account, price } = draft
  const most = collected.most
  const wish = { account, row, side, price, size, most, stp: stpOf(draft.options), checked: false }
  return fitsWhole(state, market, wish) ? refusal : null
}

function reducingRefusal(state: State, draft: Draft): Rejection | null {
  const { market, row, sign, size } = draft
  const limit = reducingLimit(state, market, row, sign, size, draft.price, close)
  if (limit === 0) return { ...refuse('INSUFFICIENT_BALANCE', 0, close.scope.equity), of: 'close' }
  draft.price = limit
  return null
}

/** ORDER-2: rejects a FOK order that needs more orders of the book than the checks visit. */
function depthRefusal(state: State, draft: Draft): Rejection | null {
  const { size } = draft
  if (!timeInForceOf(draft.tif).whole) return null
  if (draft.releaseAt === RUNS_NEXT) return refuse('TOO_MANY_ORDERS_TO_CHECK', 0, 0, size)
  if (!collected.cut) return null
  // The limit can only have moved to where fewer orders are within it.
  if (draft.onlyReduces) {
    const { unitsUsed } = state.exchange
    lookAt(state, draft, size)
    state.exchange.unitsUsed = unitsUsed
    if (!collected.cut) return null
  }
  return refuse('TOO_MANY_ORDERS_TO_CHECK', collected.most, collected.lots, size)
}

/** The level limit of ORDER-12, for an order that would rest now. */
function levelRefusal(state: State, draft: Draft): Rejection | null {
  const { market, side, price, tif } = draft
  if (!timeInForceOf(tif).rests || crosses(market, side, price)) return null
  if (hasRoom(state, market, side, price, draft.frees)) return null
  return refuse('BOOK_SIDE_FULL', state.rules.limits.levelsPerSide)
}

function textsRefusal(draft: Draft): Rejection | null {
  if (draft.origin !== FROM_USER) return null
  if (draft.clientOrderId === null && !bringsLevels(draft)) return null
  return firstRefusal(clientIdsOf(draft), textRefusal)
}
