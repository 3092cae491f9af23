// The checks of a new order (ORDER-1), in the order of the list of refusals, for commands and for
// what becomes an order later: releases, triggers, TWAP slices and edits.

import type { Level } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { limits } from '../../../src/core/rules/limits.ts'
import { modes, type Side, type Tif } from '../../../src/words/order-words.ts'
import { policyRefusal } from '../accounts/policies.ts'
import {
  bestPrice,
  crosses,
  holdingOf,
  isLively,
  modeOf,
  ordersOf,
  otherSide,
  signOfSide,
  trades,
} from '../core/lookup.ts'
import { unitsAreUsed } from '../core/units.ts'
import { feeAt, ratesOf } from '../fees/fees.ts'
import { entryRefusal, onlyReduces, reducingLimit } from '../margin/entry.ts'
import { exposureOf, guardedEquityOf, scopeIn, worstCase } from '../margin/margin.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Market, Naive, Order } from '../state.ts'
import { levelSizes, levelSlips, levelTicks } from '../triggers/attached-checks.ts'
import { kindLimit, trailLimit } from '../triggers/trailing.ts'
import {
  abs,
  asBytes,
  ceilDiv,
  floorDiv,
  isInt,
  isText,
  MILLION,
  max,
  shown,
  signOf,
} from '../units/numbers.ts'
import { collectFills, nothingTaken, type Taken, tooMuchInterest } from './collect-fills.ts'
import { liveCount } from './endings.ts'
import type { Options } from './options.ts'
import { ownerRefusal } from './owner-limit.ts'
import { crowdRefusal, frozenRefusal } from './protection.ts'
import { mayRest, mayTake, mustFill } from './times-in-force.ts'

/** Where an order comes from decides which of the checks it is excepted from. */
export type Stage = 'command' | 'release' | 'trigger' | 'slice' | 'edit'

/** An order that is not one yet: its fields are known to be good, its rights are not. */
export type Draft = {
  account: Account
  market: Market
  side: Side
  price: bigint
  size: bigint
  tif: Tif
  reduceOnly: boolean
  isMarket: boolean
  slippage: bigint
  stage: Stage
  /** Made by a trigger or TWAP, now or before it waited. */
  origin: Order['origin']
  waits: boolean
  client: string | null
  takeProfit: readonly Level[]
  stopLoss: readonly Level[]
  /** TRIG-14: it may not take. */
  mustRest?: boolean
  /** What is left of an order that is filled in part (ORDER-1). */
  isPart?: boolean
  expireTime: number | null
  /** The account whose policy it must keep to; null: none. */
  agent: string | null
} & Options

/** Allowed: at this price, and (FOK) does running it fill it? */
export type Verdict = { price: bigint; onlyReduces: boolean; fillable: boolean }
/** Checked only for a FOK order, and only when everything before its margin is in order. */
export type WouldFill = (price: bigint) => boolean

export function isRefusal(x: Verdict | Rejection): x is Rejection {
  return 'name' in x
}

export function tradingRefusal(naive: Naive, account: Account, market: Market): Rejection | null {
  const disabled = account.frozen || !trades(naive, market)
  return disabled ? refuse('TRADING_DISABLED') : null
}

/** CORE-7: in reduce_only an order that would take from the book has to reduce alone. */
function modeRefusal(naive: Naive, d: Draft, reduces: boolean): Rejection | null {
  if (modeOf(naive, d.market) !== modes.indexOf('reduce_only') || reduces) return null
  const meets = crosses(d.side, d.price, bestPrice(d.market, otherSide(d.side)))
  return meets && mayTake(d.tif) ? refuse('TRADING_DISABLED') : null
}

/** PRICE-9: in a market that trades and is not lively, or has too old a price, nothing matches. */
function silenceRefusal(naive: Naive, d: Draft): Rejection | null {
  const tooOld = naive.now - d.market.lastTickAt > d.market.rules.staleAfterMs
  if ((isLively(naive, d.market) && !tooOld) || !mayTake(d.tif)) return null
  const meets = crosses(d.side, d.price, bestPrice(d.market, otherSide(d.side)))
  if (!meets && d.origin !== 'algo') return null
  return refuse('ORACLE_NOT_AVAILABLE', naive.now - d.market.lastTickAt)
}

/** Everything from ORACLE_NOT_AVAILABLE on. */
export function checkDraft(naive: Naive, d: Draft, wouldFill: WouldFill): Verdict | Rejection {
  const reduces = onlyReduces(naive, d.account, d.market, d)
  const early =
    modeRefusal(naive, d, reduces) ??
    silenceRefusal(naive, d) ??
    (d.mmp ? frozenRefusal(naive, d.account, d.market) : null) ??
    valueRefusal(naive, d) ??
    bandRefusal(d) ??
    clientRefusal(naive, d) ??
    (d.mmp && d.stage !== 'release' ? crowdRefusal(naive, d.account, d.market) : null) ??
    reduceOnlyRefusal(d.account, d.market, d) ??
    attachedRefusal(d) ??
    takeRefusal(d)
  if (early) return early
  const unreasonable = d.isMarket && (d.stage === 'command' || d.stage === 'slice')
  const late = isTooLate(naive, d)
  const looks = mayTake(d.tif) && (!d.waits || unreasonable) && !late
  const real = looks ? collectFills(naive, d) : nothingTaken
  if (unreasonable && !real.first && !real.cut) return refuse('NO_REASONABLE_PRICE', shown(d.price))
  const taken = d.waits ? nothingTaken : real
  const verdict = { price: d.price, onlyReduces: reduces, fillable: true }
  return (
    interestRefusal(naive, d, taken) ??
    marginRefusal(naive, d, taken, verdict, late ? () => false : wouldFill) ??
    (late ? refuse('TOO_MANY_ORDERS_TO_CHECK', 0, 0, shown(d.size)) : null) ??
    depthRefusal(naive, d, taken, verdict) ??
    fullRefusal(naive, d, verdict.price) ??
    textRefusal(d) ??
    verdict
  )
}

/** CORE-5: a FOK order that would match now, and the units are used. */
function isTooLate(naive: Naive, d: Draft): boolean {
  const meets = crosses(d.side, d.price, bestPrice(d.market, otherSide(d.side)))
  return mustFill(d.tif) && !d.waits && meets && unitsAreUsed(naive)
}

export function valueRefusal(naive: Naive, d: Draft): Rejection | null {
  const { rules, mark, K } = d.market
  const value = (d.isMarket ? mark : d.price) * d.size * K
  const held = holdingOf(d.account, d.market).lots
  const closesAll = d.reduceOnly && d.size * signOfSide(d.side) === -held
  const follows = d.origin === 'algo' || (d.reduceOnly && d.origin === 'trigger')
  const excepted = closesAll || follows || d.isPart === true
  if (!excepted && value < rules.orderValueMin) {
    return refuse('ORDER_AMOUNT_TOO_LOW', shown(value), shown(rules.orderValueMin))
  }
  // A position that has grown must not be left without its stop.
  const closes = d.reduceOnly && (d.origin === 'trigger' || (d.origin === 'algo' && d.isMarket))
  if (!closes && value > rules.orderValueMax) {
    return refuse('ORDER_AMOUNT_TOO_HIGH', shown(value), shown(rules.orderValueMax))
  }
  if (d.reduceOnly) return null
  // UNITS-4
  const exposure = exposureOf(naive, d.account, d.market)
  if (d.side === 'bid') exposure.buys += d.size
  else exposure.sells += d.size
  const sum = worstCase(naive, d.account, { market: d.market, exposure })
  if (sum <= BigInt(limits.moneyMax)) return null
  return refuse('ORDER_AMOUNT_TOO_HIGH', shown(sum), limits.moneyMax)
}

export function bandRefusal(d: Draft): Rejection | null {
  if (d.isMarket) return null
  const { rules, mark } = d.market
  const below = d.side === 'bid' ? rules.far : rules.near
  const above = d.side === 'bid' ? rules.near : rules.far
  const low = ceilDiv(mark * (MILLION - below), MILLION)
  const high = floorDiv(mark * (MILLION + above), MILLION)
  if (d.price >= low && d.price <= high) return null
  return refuse('PRICE_TOO_FAR_FROM_MARK', shown(d.price), shown(low), shown(high))
}

/** Client ids of everything live of an account, as `asBytes` has them. */
export function liveClients(naive: Naive, account: Account): string[] {
  const stops = naive.stops.filter((stop) => stop.account === account.id)
  const algos = naive.algos.filter((one) => one.account === account.id && one.kind !== 'twap')
  return [...ordersOf(naive, account, null), ...stops, ...algos]
    .map((one) => one.client)
    .filter((client) => client !== null)
    .map(asBytes)
}

function levelsOf(d: Draft): Level[] {
  return [...d.takeProfit, ...d.stopLoss]
}

function clientsOf(d: Draft): string[] {
  return [d.client, ...levelsOf(d).map((level) => level.clientOrderId ?? null)].filter(
    (client) => client !== null,
  )
}

function clientRefusal(naive: Naive, d: Draft): Rejection | null {
  if (d.stage !== 'command') return null
  const ids = clientsOf(d).map(asBytes)
  const live = liveClients(naive, d.account)
  if (ids.some((id, at) => live.includes(id) || ids.indexOf(id) !== at)) {
    return refuse('DUPLICATE_CLIENT_ORDER_ID')
  }
  const open = liveCount(naive, d.account)
  if (open + 1 + levelsOf(d).length > bookOf(naive).limits.ordersPerAccount)
    return refuse('OPEN_ORDER_LIMIT_REACHED', open, bookOf(naive).limits.ordersPerAccount)
  return (
    trailLimit(naive, d.account, d.stopLoss) ??
    kindLimit(naive, d.takeProfit) ??
    kindLimit(naive, d.stopLoss)
  )
}

/** Of orders and TWAPs alike. */
export function reduceOnlyRefusal(
  account: Account,
  market: Market,
  wish: { side: Side; size: bigint; reduceOnly: boolean },
): Rejection | null {
  if (!wish.reduceOnly) return null
  const held = holdingOf(account, market).lots
  if (held === 0n) return refuse('NO_POSITION_FOR_REDUCE_ONLY_ORDER')
  if (signOf(held) === signOfSide(wish.side)) return refuse('INVALID_REDUCE_ONLY_ORDER_SIDE')
  if (wish.size <= abs(held)) return null
  return refuse('INVALID_REDUCE_ONLY_ORDER_AMOUNT', shown(wish.size), shown(abs(held)))
}

export function isTickIn(market: Market, x: unknown): x is number {
  return isInt(x) && BigInt(x) >= market.rules.tickMin && BigInt(x) <= market.rules.tickMax
}

/** TRIG-5 */
function attachedRefusal(d: Draft): Rejection | null {
  if (d.stage !== 'command') return null
  const price = d.isMarket ? d.market.mark : d.price
  return levelTicks({ ...d, price }) ?? levelSlips(d.market, levelsOf(d)) ?? levelSizes(d)
}

/** TRIG-14 */
function takeRefusal(d: Draft): Rejection | null {
  const best = bestPrice(d.market, otherSide(d.side))
  if (d.mustRest !== true || best === null || !crosses(d.side, d.price, best)) return null
  return refuse('WOULD_TAKE', shown(d.price), shown(best))
}

function interestRefusal(naive: Naive, d: Draft, taken: Taken): Rejection | null {
  if (!taken.first) return null
  const { maker, lots } = taken.first
  const match = { market: d.market, taker: d.account, maker, side: d.side, lots }
  const after = tooMuchInterest(naive, match)
  if (after === null) return null
  return refuse('OPEN_INTEREST_LIMIT_EXCEEDED', shown(after), shown(d.market.rules.openInterestMax))
}

/** MARGIN-4, or in its place the moved limit of MARGIN-5, which it writes into the verdict. */
function marginRefusal(
  naive: Naive,
  d: Draft,
  taken: Taken,
  verdict: Verdict,
  wouldFill: WouldFill,
): Rejection | null {
  const over = verdict.onlyReduces ? null : ownerRefusal(naive, d)
  if (over !== null) return over
  const limited = policyRefusal(naive, d)
  if (limited !== null) return limited
  if (verdict.onlyReduces) {
    if (d.waits) return null
    const price = reducingLimit(naive, d.account, d.market, d)
    if (price === null) {
      const equity = guardedEquityOf(naive, d.account, scopeIn(d.account, d.market))
      return refuse('INSUFFICIENT_BALANCE', 0, shown(equity))
    }
    verdict.price = price
    return null
  }
  if (mustFill(d.tif) && !d.waits) {
    verdict.fillable = wouldFill(d.price)
    if (!verdict.fillable) return null
  }
  const stays = d.waits || (mayRest(d.tif) && !taken.cut)
  return entryOf(naive, d, taken, stays ? d.size - taken.closeLots - taken.openLots : 0n)
}

/** ORDER-2: a fill of the whole order must lie within the orders that are looked at. */
function depthRefusal(naive: Naive, d: Draft, found: Taken, verdict: Verdict): Rejection | null {
  if (d.waits || !mustFill(d.tif)) return null
  const moved = verdict.price !== d.price
  const again = { ...d, price: verdict.price }
  const taken = moved ? collectFills({ ...naive }, again) : found
  if (!taken.cut) return null
  const { ordersWalked } = bookOf(naive).limits
  const lots = taken.closeLots + taken.openLots
  return refuse('TOO_MANY_ORDERS_TO_CHECK', ordersWalked, shown(lots), shown(d.size))
}

/** MARGIN-4 for what is taken now and `rest` lots open afterwards. */
export function entryOf(
  naive: Naive,
  d: { account: Account; market: Market; side: Side; price: bigint },
  taken: Taken,
  rest: bigint,
): Rejection | null {
  const ppm = max(0n, ratesOf(naive, d.account).taker)
  return entryRefusal(naive, d.account, d.market, {
    sign: signOfSide(d.side),
    closeLots: taken.closeLots,
    closeValue: taken.closeValue,
    closeFee: feeAt(taken.closeValue, ppm),
    openLots: taken.openLots,
    openValue: taken.openValue,
    openFee: feeAt(taken.openValue, ppm),
    restLots: rest,
    restPrice: d.price,
    exposure: exposureOf(naive, d.account, d.market),
  })
}

/** ORDER-12, for an order that would rest now. */
function fullRefusal(naive: Naive, d: Draft, price: bigint): Rejection | null {
  if (!mayRest(d.tif)) return null
  if (crosses(d.side, price, bestPrice(d.market, otherSide(d.side)))) return null
  return hasRoom(naive, d.market, d.side, price)
    ? null
    : refuse('BOOK_SIDE_FULL', bookOf(naive).limits.levelsPerSide)
}

/** A price that has orders always has room for one more. */
export function hasRoom(naive: Naive, market: Market, side: Side, price: bigint): boolean {
  const prices = new Set(market.book.filter((one) => one.side === side).map((one) => one.price))
  return prices.size < bookOf(naive).limits.levelsPerSide || prices.has(price)
}

/** CORE-4: every text has 1 to `limits.textLength` characters. */
function textRefusal(d: Draft): Rejection | null {
  return d.stage === 'command' ? badText(...clientsOf(d)) : null
}

export function badText(...texts: unknown[]): Rejection | null {
  for (const text of texts) {
    if (isText(text, limits.textLength)) continue
    return refuse('INVALID_PARAMETER', typeof text === 'string' ? text.length : 0)
  }
  return null
}
