// Placing and running orders (ORDER-3, ORDER-4).

import type { CommandOf } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse, rejections } from '../../../src/core/commands/rejections.ts'
import { type Side, sides, type Tif } from '../../../src/words/order-words.ts'
import {
  accountOf,
  bestPrice,
  crosses,
  emit,
  findMarket,
  levelLots,
  marketOf,
  otherSide,
  signOfSide,
  stands,
} from '../core/lookup.ts'
import { isUnsupported } from '../core/texts.ts'
import { unitsAreUsed } from '../core/units.ts'
import { entryLossPerLot } from '../margin/margin.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Market, Naive, Order } from '../state.ts'
import { attach } from '../triggers/attached.ts'
import { hasGoodWords, listed } from '../triggers/level-words.ts'
import { given, isInt, isIntIn, num } from '../units/numbers.ts'
import { nothingTaken } from './collect-fills.ts'
import { endOrder, followEnd } from './endings.ts'
import { timeRefusal } from './expiry.ts'
import { matchOrder } from './match.ts'
import { areGood, optionsGiven, optionsOf } from './options.ts'
import type { Draft, Verdict } from './order-checks.ts'
import * as checks from './order-checks.ts'
import { emitPlaced } from './order-events.ts'
import { tripMarked } from './protection.ts'
import { isPostOnly, isTif, mayRest, mayTake, mustFill, stepsAside } from './times-in-force.ts'
import { fairLimit } from './worst-price.ts'
import { wouldFill } from './would-fill.ts'

type Place = CommandOf<'PlaceOrder' | 'PlaceMarketOrder'>

/** ORDER-3: how long orders that take wait in this market now. */
export function bumpOf(naive: Naive, market: Market): number {
  return naive.clockFrozen ? 0 : market.rules.speedBumpMs
}

/** ORDER-3: whether an order outside a batch waits, and how. */
export function waitOf(
  naive: Naive,
  market: Market,
  { tif, side, price }: Pick<Draft, 'tif' | 'side' | 'price'>,
): Readonly<{ waits: boolean; releaseAt: number; awaitsTick: boolean; runsNext: boolean }> {
  const bump = bumpOf(naive, market)
  const meets = crosses(side, price, bestPrice(market, otherSide(side)))
  const delayed = mayTake(tif) && (bump > 0 || (meets && !stands(market)))
  // CORE-5: it would run now. A FOK order is refused by its checks.
  const runsNext = !delayed && mayTake(tif) && meets && !mustFill(tif) && unitsAreUsed(naive)
  const awaitsTick = delayed && bump === 0
  return { waits: delayed || runsNext, releaseAt: naive.now + bump, awaitsTick, runsNext }
}

/** Of a batch: its first id, and if it is delayed, when its speed bump is over (ORDER-10). */
export type InBatch = Readonly<{ releaseAt: number | null; firstId: number }>

/** In a batch that is delayed the order waits for that, whatever its kind. */
export function placeOrder(
  naive: Naive,
  command: Place,
  account: Account,
  batch: InBatch | null = null,
): Rejection | null {
  const market = findMarket(naive, command.market)
  if (!market) return refuse('BOOK_NOT_FOUND', given(command.market))
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  const releaseAt = batch?.releaseAt ?? null
  const draft = draftOf(naive, command, account, market, releaseAt !== null)
  if ('name' in draft) return draft
  const wait = releaseAt === null ? waitOf(naive, market, draft) : { releaseAt, awaitsTick: false }
  const entered = enter(naive, draft, { parent: 0, ...wait, batch: batch?.firstId ?? null })
  return 'name' in entered ? entered : null
}

/** The requested order, or the fault of the request. */
export function draftOf(
  naive: Naive,
  command: Place,
  account: Account,
  market: Market,
  delayed: boolean,
): Draft | Rejection {
  const isMarket = command.type === 'PlaceMarketOrder'
  const tif: Tif = isMarket ? 'IOC' : command.tif
  const priced = priceOf(naive, market, command, delayed)
  const price = typeof priced === 'bigint' ? priced : 0n
  const refusal =
    checks.tradingRefusal(naive, account, market) ??
    (typeof priced === 'bigint' ? null : priced) ??
    amountRefusal(naive, command) ??
    wordRefusal(command) ??
    (isMarket ? null : timeRefusal(naive, command.expireTime))
  if (refusal) return refusal
  return {
    account,
    market,
    side: command.side,
    price,
    size: BigInt(command.size),
    tif,
    reduceOnly: command.reduceOnly === true,
    isMarket,
    slippage: isMarket ? BigInt(command.slippagePpm) : 0n,
    stage: 'command',
    origin: 'user',
    waits: delayed || waitOf(naive, market, { tif, side: command.side, price }).waits,
    client: command.clientOrderId ?? null,
    takeProfit: listed(command.takeProfit),
    stopLoss: listed(command.stopLoss),
    expireTime: isMarket ? null : (command.expireTime ?? null),
    agent: command.proof?.agent ?? null,
    ...optionsGiven(command),
  }
}

/** The limit of an order; the worst price of a market order; the moved price of TOB. */
function priceOf(
  naive: Naive,
  market: Market,
  command: Place,
  delayed: boolean,
): bigint | Rejection {
  const { tickMin, tickMax } = market.rules
  if (command.type === 'PlaceMarketOrder') {
    const { side, slippagePpm } = command
    // A bad slippage or side is refused after this, in its place in the list.
    if (!isIntIn(slippagePpm, 0, bookOf(naive).limits.slippagePpmMax) || !sides.includes(side))
      return tickMin
    return fairLimit(market, side, BigInt(slippagePpm))
  }
  if (!isInt(command.price)) return refuse('INVALID_TICK_SIZE', 0)
  const price = BigInt(command.price)
  if (price < tickMin || price > tickMax) return badLevel(market, price)
  if (!stepsAside(command.tif) || delayed || !sides.includes(command.side)) return price
  const moved = topOfBook(market, command.side, price)
  return moved < tickMin || moved > tickMax ? badLevel(market, moved) : moved
}

export function badLevel(market: Market, price: bigint): Rejection {
  const { tickMin, tickMax } = market.rules
  return refuse('INVALID_TICK_LEVEL', num(price), num(tickMin), num(tickMax))
}

/** ORDER-4 step 1 */
export function topOfBook(market: Market, side: Side, price: bigint): bigint {
  const best = bestPrice(market, otherSide(side))
  if (best === null || !crosses(side, price, best)) return price
  return best - signOfSide(side)
}

function amountRefusal(naive: Naive, command: Place): Rejection | null {
  if (!isIntIn(command.size, 1, Number.MAX_SAFE_INTEGER)) {
    return refuse('INVALID_AMOUNT', given(command.size))
  }
  if (command.type === 'PlaceOrder') return null
  const { slippagePpm } = command
  if (isIntIn(slippagePpm, 0, bookOf(naive).limits.slippagePpmMax)) return null
  return refuse('INVALID_AMOUNT', given(slippagePpm))
}

function wordRefusal(command: Place): Rejection | null {
  const good =
    sides.includes(command.side) &&
    areGood(command) &&
    (command.type === 'PlaceMarketOrder' || isTif(command.tif)) &&
    listed(command.takeProfit).every((level) => hasGoodWords(level, 'take_profit')) &&
    listed(command.stopLoss).every((level) => hasGoodWords(level, 'stop_loss'))
  // ORDER-14: only what can rest can stand for too long.
  const lapses = command.type === 'PlaceOrder' && command.expireTime != null
  const rests = !lapses || (isTif(command.tif) && mayRest(command.tif))
  return good && rests ? null : refuse('INVALID_ORDER_TYPE')
}

export type Birth = Readonly<{ parent: number }> &
  Partial<Pick<Order, 'releaseAt' | 'awaitsTick' | 'runsNext' | 'batch' | 'goesOn'>>

/** Checks a draft; then it is placed, and waits or runs. Refused: nothing has changed. */
export function enter(naive: Naive, draft: Draft, birth: Birth): Order | Rejection {
  const trial = makeOrder(naive, draft, birth)
  const verdict = checks.checkDraft(naive, draft, (price) => wouldFill(naive, trial, price))
  if (checks.isRefusal(verdict)) return verdict
  const order: Order = { ...trial, price: verdict.price }
  naive.nextOrder += 1
  if (order.origin === 'algo') naive.algos.find(({ id }) => id === order.parent)?.live.push(order)
  emitPlaced(naive, order, draft.waits)
  attach(naive, order, draft.agent, draft)
  // TRIG-13: what came with the stop comes with its order.
  if (order.origin === 'trigger') {
    for (const level of naive.stops) if (level.parent === birth.parent) level.parent = order.id
  }
  if (draft.waits) {
    keepWaiting(naive, order)
    if (birth.awaitsTick) awaitTick(naive, order)
  } else {
    runOrder(naive, order, verdict)
  }
  return order
}

/** It counts as open from now on. */
function keepWaiting(naive: Naive, order: Order): void {
  const market = marketOf(naive, order.market)
  order.lossPerLot = entryLossPerLot(market, signOfSide(order.side), order.price)
  naive.waiting.push(order)
}

/** CORE-5: its match has stopped. */
function runNext(naive: Naive, order: Order): void {
  order.releaseAt = naive.now
  order.awaitsTick = false
  order.waitEndsAt = null
  order.tickDueAt = null
  order.runsNext = true
  keepWaiting(naive, order)
}

/** ORDER-3: its speed bump is over, and it waits for a tick; a fired stop until it ends. */
export function awaitTick(naive: Naive, order: Order): void {
  order.awaitsTick = true
  order.runsNext = false
  if (order.goesOn !== null) return
  order.waitEndsAt = order.releaseAt + bookOf(naive).limits.tickWaitMs
}

/** The order a draft becomes, under the next id. */
export function makeOrder(naive: Naive, draft: Draft, birth: Birth): Order {
  return {
    id: naive.nextOrder,
    account: draft.account.id,
    market: draft.market.id,
    side: draft.side,
    price: draft.price,
    size: draft.size,
    remaining: draft.size,
    filled: 0n,
    tif: draft.tif,
    reduceOnly: draft.reduceOnly,
    origin: draft.origin,
    parent: birth.parent,
    client: draft.client,
    isMarket: draft.isMarket,
    slippage: draft.slippage,
    arrivedAt: naive.now,
    releaseAt: birth.releaseAt ?? 0,
    awaitsTick: false,
    waitEndsAt: null,
    tickDueAt: null,
    runsNext: birth.runsNext ?? false,
    batch: birth.batch ?? null,
    goesOn: birth.goesOn ?? null,
    expireTime: draft.expireTime,
    ...optionsOf(draft),
    standsSince: 0,
    lossPerLot: 0n,
    ended: false,
    liquidationPpm: 0n,
  }
}

/** ORDER-4 from step 4 on; says whether its match has stopped. */
export function runOrder(naive: Naive, order: Order, verdict: Verdict): boolean {
  const stopped = mayMatch(naive, order, verdict) && matchAndRest(naive, order, verdict)
  tripMarked(naive)
  return stopped
}

/** Step 4 */
function mayMatch(naive: Naive, order: Order, verdict: Verdict): boolean {
  const market = marketOf(naive, order.market)
  if (isPostOnly(order.tif) && crosses(order.side, order.price, opposite(market, order))) {
    endOrder(naive, order, 'post_only_rejected')
    return false
  }
  const fills = () => verdict.fillable && wouldFill(naive, order, order.price, true)
  if (!mustFill(order.tif) || fills()) return true
  endOrder(naive, order, 'expired')
  return false
}

/** Steps 5 to 7 */
function matchAndRest(naive: Naive, order: Order, verdict: Verdict): boolean {
  const crossed = crosses(order.side, order.price, opposite(marketOf(naive, order.market), order))
  const stopped = matchOrder(naive, order)
  if (order.ended) return stopped
  const forced = order.origin === 'liquidation' || order.origin === 'backstop'
  if (order.remaining === 0n) {
    order.ended = true
    followEnd(naive, order, 'filled')
  } else if (order.goesOn !== null) {
    // TRIG-3: what is left waits for the next tick.
    order.awaitsTick = true
    naive.waiting.push(order)
  } else if (stopped && !forced) runNext(naive, order)
  else restOrEnd(naive, order, crossed && !verdict.onlyReduces)
  return stopped
}

/** Step 6. `checked`: whether its account must be able to carry what is left. */
function restOrEnd(naive: Naive, order: Order, checked: boolean): void {
  const market = marketOf(naive, order.market)
  if (!mayRest(order.tif)) {
    endOrder(naive, order, 'expired')
    return
  }
  const account = accountOf(naive, order.account)
  if (checked) {
    const { side, price, remaining } = order
    const refusal = checks.entryOf(naive, { account, market, side, price }, nothingTaken, remaining)
    if (refusal) {
      endOrder(naive, order, 'margin')
      return
    }
  }
  if (!checks.hasRoom(naive, market, order.side, order.price)) {
    endOrder(naive, order, 'refused', rejections.BOOK_SIDE_FULL.code)
    return
  }
  rest(naive, order, market.book.length)
}

function opposite(market: Market, order: Order): bigint | null {
  return bestPrice(market, otherSide(order.side))
}

/** Into the book, at this place of its time order. */
export function rest(naive: Naive, order: Order, place: number): void {
  const market = marketOf(naive, order.market)
  order.lossPerLot = entryLossPerLot(market, signOfSide(order.side), order.price)
  market.book.splice(place, 0, order)
  order.standsSince = naive.now
  emit(naive, {
    type: 'OrderRested',
    order: order.id,
    account: order.account,
    market: order.market,
    side: order.side,
    price: num(order.price),
    remaining: num(order.remaining),
    levelLots: num(levelLots(market, order.side, order.price)),
  })
}
