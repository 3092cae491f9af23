// The match loop (ORDER-5): price-time priority, with every check and record of a match in the
// order the rules give them; and where a long match stops (CORE-5).

import {
  accountOf,
  emit,
  holdingOf,
  levelLots,
  marketOf,
  openInterest,
  reachable,
  signOfSide,
} from '../core/lookup.ts'
import { riskUnitsAreUsed } from '../core/units.ts'
import { countVolume } from '../fees/fees.ts'
import { settleFunding } from '../funding/funding.ts'
import { noteClosed } from '../liquidation/sweep.ts'
import { sideAllowed } from '../margin/entry.ts'
import { bookOf } from '../rule-books.ts'
import {
  type Account,
  DEFICIT,
  FEES,
  INSURANCE,
  type Market,
  type Naive,
  type Order,
} from '../state.ts'
import { armLevels } from '../triggers/arming.ts'
import { abs, min, num } from '../units/numbers.ts'
import { tooMuchInterest } from './collect-fills.ts'
import { cutLeg, endOrder, followEnd, type Reason, takeOffOrder } from './endings.ts'
import { isPast } from './expiry.ts'
import {
  cutFollowers,
  cutOrder,
  endFollowers,
  type Filling,
  fill,
  followersOf,
  type Settled,
} from './fills.ts'
import { countFill, isTripped } from './protection.ts'
import { mustFill } from './times-in-force.ts'

/** A whole-fill check: with the taker's own checks or without, against these orders only. */
type WholeFill = Readonly<{ checked: boolean; ids: readonly number[] }>

/** Says whether the match has stopped: its units are used, and more is left (CORE-5). */
export function matchOrder(
  naive: Naive,
  order: Order,
  wholeFill: WholeFill | null = null,
): boolean {
  const market = marketOf(naive, order.market)
  const smaller = new Set<Account>()
  const matching: Matching = { order, wholeFill, smaller, own: 0, over: false, used: 0 }
  const checked = wholeFill?.checked ?? isChecked(order)
  const next = (one: Order): boolean => {
    return isMet(market, order, one) && (wholeFill === null || wholeFill.ids.includes(one.id))
  }
  let stopped = false
  while (order.remaining > 0n && !order.ended && !matching.over) {
    const maker = reachable(market, order.side, order.price).find(next)
    if (!maker) break
    stopped = mustStop(naive, matching)
    if (stopped) break
    use(naive, matching, 1)
    meet(naive, market, matching, maker, checked)
  }
  for (const account of smaller) cutFollowers(naive, account, market, order)
  return stopped
}

/** The order, and its whole-fill check if this is one; the accounts whose positions its fills made
 *  smaller (ORDER-7); how many orders of its owner it has cancelled (ORDER-5 step 1); whether the
 *  run is over, and continues later (TRIG-3); the units that it has used (CORE-5). */
type Matching = {
  readonly order: Order
  readonly wholeFill: WholeFill | null
  readonly smaller: Set<Account>
  own: number
  over: boolean
  used: number
}

function use(naive: Naive, matching: Matching, units: number): void {
  matching.used += units
  if (isChecked(matching.order)) naive.units += units
  else naive.riskUnits += units
}

/** CORE-5, checked while more that crosses is left. */
function mustStop(naive: Naive, { order, wholeFill, used }: Matching): boolean {
  if (wholeFill !== null || mustFill(order.tif)) return false
  if (!isChecked(order)) return riskUnitsAreUsed(naive)
  return used >= bookOf(naive).limits.commandUnits
}

/** PRICE-6: the exchange does not sell to a taker that may know a newer price. */
function isMet({ observedAt }: Market, order: Order, maker: Order): boolean {
  return isChecked(order) || observedAt === null || maker.standsSince <= observedAt
}

function endTaker(naive: Naive, matching: Matching, reason: Reason): void {
  if (matching.order.goesOn === null) endOrder(naive, matching.order, reason)
  else matching.over = true
}

function isChecked(order: Order): boolean {
  return order.origin !== 'liquidation' && order.origin !== 'backstop'
}

/** Steps 0 to 6: does this match happen, and if not, which order ends? */
function meet(
  naive: Naive,
  market: Market,
  matching: Matching,
  resting: Order,
  checked: boolean,
): void {
  const { order } = matching
  if (isPast(naive, resting) || isTripped(naive, resting)) {
    endOrder(naive, resting, isPast(naive, resting) ? 'expired' : 'mmp')
    return
  }
  const taker = accountOf(naive, order.account)
  const maker = accountOf(naive, resting.account)
  if (maker.main === taker.main) {
    const full = isChecked(order) && matching.own >= bookOf(naive).limits.ownOrdersMet
    matching.own += 1
    if (order.stp !== 'cancel_taker' && !full) endOrder(naive, resting, 'self_trade_prevented')
    if (order.stp !== 'cancel_maker' || full) endTaker(naive, matching, 'self_trade_prevented')
    return
  }
  settleFunding(naive, maker)
  if (resting.reduceOnly) cutOrder(naive, resting, abs(holdingOf(maker, market).lots))
  const lots = min(order.remaining, resting.remaining)
  const sign = signOfSide(order.side)
  const price = resting.price
  if (!sideAllowed(naive, maker, market, { sign: -sign, lots, price, maker: resting })) {
    endOrder(naive, resting, 'margin')
    return
  }
  if (tooMuchInterest(naive, { market, taker, maker, side: order.side, lots }) !== null) {
    endTaker(naive, matching, 'open_interest')
    return
  }
  const allowed = !checked || sideAllowed(naive, taker, market, { sign, lots, price, maker: null })
  if (!allowed) {
    endTaker(naive, matching, 'margin')
    return
  }
  trade(naive, matching, resting, lots)
}

/** Steps 7 to 9. */
function trade(naive: Naive, matching: Matching, resting: Order, lots: bigint): void {
  const { order } = matching
  const market = marketOf(naive, order.market)
  const taker = accountOf(naive, order.account)
  const maker = accountOf(naive, resting.account)
  const takerBefore = holdingOf(taker, market).lots
  const makerBefore = holdingOf(maker, market).lots
  const takerFollowers = followersOf(naive, taker, market, order)
  const makerFollowers = followersOf(naive, maker, market)
  for (const side of [order, resting]) {
    side.remaining -= lots
    side.filled += lots
  }
  if (resting.remaining === 0n) takeOffOrder(naive, resting)
  const cause = order.origin === 'liquidation' ? 'market_liquidation' : 'normal'
  const history = naive.nextHistory
  // The match is emitted with the result of its sides, before the margin that moved for them.
  const place = naive.events.length
  const value = lots * resting.price * market.K
  const both = { market, price: resting.price, cause } as const
  const forced = order.origin === 'liquidation'
  const takerSide: Filling = {
    ...both,
    account: taker,
    counterparty: maker.id,
    sign: signOfSide(order.side),
    order: order.id,
    role: 'taker',
    fee: forced ? order.liquidationPpm : 'normal',
    wallet: forced ? 'forced' : 'own',
    debt: forced ? 'later' : 'now',
  }
  const makerSide: Filling = {
    ...both,
    account: maker,
    counterparty: taker.id,
    sign: signOfSide(resting.side),
    order: resting.id,
    role: 'maker',
    fee: 'normal',
    wallet: 'own',
    debt: 'now',
  }
  const took = fill(naive, takerSide, lots, value)
  if (forced && took.fee > 0n) emitFee(naive, takerSide, took.fee)
  const made = fill(naive, makerSide, lots, value)
  const later = naive.events.splice(place)
  emitTraded(naive, { order, resting, lots, history, took, made })
  naive.events.push(...later)
  countVolume(naive, taker, value)
  countVolume(naive, maker, value)
  if (order.origin === 'algo') countFilled(naive, order.parent, lots, value)
  market.lastTrade = resting.price
  follow(naive, matching, taker, { before: takerBefore, followers: takerFollowers })
  follow(naive, matching, maker, { before: makerBefore, followers: makerFollowers })
  armLevels(naive, taker, market, order)
  armLevels(naive, maker, market, resting)
  countFill(naive, resting, lots)
  if (resting.origin === 'algo') countFilled(naive, resting.parent, lots, value)
  cutLeg(naive, resting)
  if (resting.remaining === 0n) followEnd(naive, resting, 'filled')
  if (took.closed > 0n && !forced) noteClosed(naive, taker)
  if (made.closed > 0n) noteClosed(naive, maker)
}

/** Just before a fill: the position, and how many reduce-only orders and levels it has. */
type Before = Readonly<{ before: bigint; followers: number }>

/** ORDER-7, but for the cut, which waits for the end of the loop. What ends now and what may be cut
 *  then is paid for now (CORE-5). */
function follow(
  naive: Naive,
  matching: Matching,
  account: Account,
  { before, followers }: Before,
): void {
  const { order, smaller, wholeFill } = matching
  const market = marketOf(naive, order.market)
  const ends = endFollowers(naive, account, market, before, order)
  const shrinks = !ends && abs(holdingOf(account, market).lots) < abs(before)
  if (wholeFill === null && (ends || (shrinks && !smaller.has(account))))
    use(naive, matching, followers)
  if (ends) smaller.delete(account)
  if (shrinks) smaller.add(account)
}

type Match = Readonly<{
  order: Order
  resting: Order
  lots: bigint
  history: number
  took: Settled
  made: Settled
}>

/** ORDER-6: one event for the match, with what it came to on both sides. */
function emitTraded(naive: Naive, { order, resting, lots, history, took, made }: Match): void {
  const market = marketOf(naive, order.market)
  const [takes, makes] = [afterOf(naive, order, took), afterOf(naive, resting, made)]
  emit(naive, {
    type: 'Traded',
    history,
    market: market.id,
    price: num(resting.price),
    lots: num(lots),
    value: num(lots * resting.price * market.K),
    side: order.side,
    cause: order.origin === 'liquidation' ? 'market_liquidation' : 'normal',
    makerOrder: resting.id,
    takerOrder: order.id,
    maker: resting.account,
    taker: order.account,
    makerRemaining: num(resting.remaining),
    takerRemaining: num(order.remaining),
    levelLots: num(levelLots(market, resting.side, resting.price)),
    openInterest: num(openInterest(naive, market)),
    fees: num(accountOf(naive, FEES).balance),
    takerClosed: takes.closed,
    takerClosedCost: takes.closedCost,
    takerGained: takes.gained,
    takerFee: takes.fee,
    takerLots: takes.lots,
    takerCost: takes.cost,
    takerBalance: takes.balance,
    takerWallet: takes.wallet,
    makerClosed: makes.closed,
    makerClosedCost: makes.closedCost,
    makerGained: makes.gained,
    makerFee: makes.fee,
    makerLots: makes.lots,
    makerCost: makes.cost,
    makerBalance: makes.balance,
    makerWallet: makes.wallet,
  })
}

/** ALGO-1: a trade of an order of it. */
function countFilled(naive: Naive, id: number, lots: bigint, value: bigint): void {
  const algo = naive.algos.find((one) => one.id === id)
  if (!algo) return
  algo.filled += lots
  algo.filledValue += value
  emit(naive, {
    type: 'AlgoFilled',
    algo: id,
    account: algo.account,
    market: algo.market,
    lots: num(lots),
    value: num(value),
    filled: num(algo.filled),
    filledValue: num(algo.filledValue),
  })
}

/** What a side of the match closed, and what there is after it. */
function afterOf(naive: Naive, order: Order, settled: Settled) {
  const holding = holdingOf(accountOf(naive, order.account), marketOf(naive, order.market))
  return {
    closed: num(settled.closed),
    closedCost: num(settled.closedCost),
    gained: num(settled.gained),
    fee: num(settled.fee),
    lots: num(holding.lots),
    cost: num(holding.cost),
    balance: num(settled.balance),
    wallet: num(settled.wallet),
  }
}

function emitFee(naive: Naive, { account, market }: Filling, fee: bigint): void {
  emit(naive, {
    type: 'LiquidationFeePaid',
    account: account.id,
    market: market.id,
    amount: num(fee),
    fund: num(accountOf(naive, INSURANCE).balance),
    deficit: num(accountOf(naive, DEFICIT).balance),
  })
}
