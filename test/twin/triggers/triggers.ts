// Stops and TP/SL levels: setting them, seeing when they are due, and firing (TRIG-1 to TRIG-4).

import type { CommandOf, Level } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse, rejections } from '../../../src/core/commands/rejections.ts'
import { type Side, sides, type TriggerBy } from '../../../src/words/order-words.ts'
import { limitRefusal, mildPrice, overRefusal } from '../accounts/policies.ts'
import {
  accountOf,
  emit,
  findMarket,
  holdingOf,
  isLively,
  marketOf,
  signOfSide,
} from '../core/lookup.ts'
import { isBehind, lastTime } from '../core/releases.ts'
import { isUnsupported } from '../core/texts.ts'
import { settleFunding } from '../funding/funding.ts'
import { largestLeverage, maintenanceAt } from '../margin/margin.ts'
import { endLeg, endStop, liveCount, takeOffStop } from '../orders/endings.ts'
import { isPast, timeRefusal } from '../orders/expiry.ts'
import { unlink } from '../orders/legs.ts'
import { noOptions } from '../orders/options.ts'
import * as checks from '../orders/order-checks.ts'
import { emitStopPlaced } from '../orders/order-events.ts'
import { enter, waitOf } from '../orders/orders.ts'
import { fairLimit } from '../orders/worst-price.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Market, Naive, Stop } from '../state.ts'
import {
  abs,
  asBytes,
  floorDiv,
  given,
  isInt,
  MILLION,
  min,
  num,
  signOf,
} from '../units/numbers.ts'
import { attach } from './attached.ts'
import { levelSizes, levelSlips, levelTicks } from './attached-checks.ts'
import { doublePrice, firesUp, isTrue, ticksOf } from './directions.ts'
import { hasGoodTicks, hasGoodWords, listed, slippageOf } from './level-words.ts'
import { extremeOf, kindLimit, seeMark, stopOf, tooFar, trailLimit, trailOf } from './trailing.ts'

/** INVALID_STOP_TICK when set: not prices, or true already. */
export function tickRefusal(market: Market, up: boolean, level: Level) {
  if (!hasGoodTicks(market, level)) return refuse('INVALID_STOP_TICK')
  if (level.trail != null) return tooFar(level, up ? 'bid' : 'ask', market.mark)
  const { triggerBy, stopPrice } = level
  const double = doublePrice(market, triggerBy)
  if (double === null) return null
  if (!isTrue(up, BigInt(stopPrice), double)) return null
  return refuse('INVALID_STOP_TICK', stopPrice, num(ticksOf(double)))
}

export function newStop(
  naive: Naive,
  account: Account,
  market: Market,
  level: Level,
  as: Pick<Stop, 'side' | 'kind' | 'reduceOnly' | 'expireTime' | 'agent' | 'up'>,
): Stop {
  const stop: Stop = {
    ...as,
    id: naive.nextOrder,
    account: account.id,
    market: market.id,
    stopPrice: BigInt(level.stopPrice),
    trail: trailOf(level),
    limitPrice: BigInt(level.limitPrice ?? 0),
    size: BigInt(level.size ?? 0),
    wanted: BigInt(level.size ?? 0),
    triggerBy: level.triggerBy,
    parent: 0,
    armed: true,
    lastSlip: null,
    slippage: slippageOf(level),
    client: level.clientOrderId ?? null,
  }
  naive.nextOrder += 1
  naive.stops.push(stop)
  seeMark(stop, market.mark)
  emitStopPlaced(naive, stop)
  return stop
}

/** TRIG-2 */
export function placeStop(
  naive: Naive,
  command: CommandOf<'PlaceStop'>,
  account: Account,
): Rejection | null {
  const market = findMarket(naive, command.market)
  if (!market) return refuse('BOOK_NOT_FOUND', given(command.market))
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  const refusal =
    checks.tradingRefusal(naive, account, market) ?? stopRefusal(naive, command, account, market)
  if (refusal) return refusal
  const stop = addStop(naive, command, account, market)
  attach(naive, stop, stop.agent, broughtBy(command))
  return null
}

/** TRIG-13 */
function broughtBy({ takeProfit, stopLoss }: Wish) {
  return { takeProfit: listed(takeProfit), stopLoss: listed(stopLoss) }
}

export function addStop(naive: Naive, command: Wish, account: Account, market: Market): Stop {
  const { side, level } = command
  return newStop(naive, account, market, level, {
    side,
    kind: 'stop',
    reduceOnly: command.reduceOnly === true,
    expireTime: command.expireTime ?? null,
    agent: command.proof?.agent ?? null,
    up: command.up ?? null,
  })
}

type Wish = CommandOf<'PlaceStop'>

export function stopRefusal(
  naive: Naive,
  command: Wish,
  account: Account,
  market: Market,
): Rejection | null {
  const { side } = command
  const level = command.level ?? {}
  const up = command.up ?? null
  const brought = broughtBy(command)
  const words =
    sides.includes(side) &&
    hasGoodWords(level, 'stop') &&
    brought.takeProfit.every((one) => hasGoodWords(one, 'take_profit')) &&
    brought.stopLoss.every((one) => hasGoodWords(one, 'stop_loss'))
  const directed = up === null || (level.trail == null && [true, false].includes(up))
  if (!words || !directed) return refuse('INVALID_ORDER_TYPE')
  const untimely = timeRefusal(naive, command.expireTime)
  if (untimely) return untimely
  const levels = [level, ...brought.takeProfit, ...brought.stopLoss]
  const clients = levels.map((one) => one.clientOrderId ?? null).filter((one) => one !== null)
  const crowded = crowdRefusal(naive, account, levels, clients, brought)
  if (crowded) return crowded
  const badTick = tickRefusal(market, firesUp({ side, kind: 'stop', up }), level)
  if (badTick) return badTick
  const price = level.trail == null ? BigInt(level.limitPrice ?? level.stopPrice) : null
  const badLevel = levelTicks({ ...brought, market, side, price }) ?? levelSlips(market, levels)
  if (badLevel) return badLevel
  const reduceOnly = command.reduceOnly === true
  const size = level.size ?? null
  if (size === null ? !reduceOnly : !isInt(size) || size < 1) {
    return refuse('INVALID_STOP_ORDER_AMOUNT', given(size), 0)
  }
  const whole = size === null ? null : BigInt(size)
  const badSize = levelSizes({ ...brought, size: whole, reduceOnly })
  if (badSize) return badSize
  const agent = command.proof?.agent ?? null
  const limited = plannedRefusal(naive, account, market, agent, {
    ...{ side, size, reduceOnly },
    slip: level.slippagePpm,
  })
  if (limited) return limited
  return checks.badText(...clients)
}

/** Its client ids and those of its levels, then all that is counted. */
function crowdRefusal(
  naive: Naive,
  account: Account,
  levels: readonly Level[],
  clients: readonly string[],
  brought: ReturnType<typeof broughtBy>,
): Rejection | null {
  const bytes = clients.map(asBytes)
  const live = checks.liveClients(naive, account)
  if (bytes.some((one, at) => live.includes(one) || bytes.indexOf(one) !== at)) {
    return refuse('DUPLICATE_CLIENT_ORDER_ID')
  }
  const { ordersPerAccount, stopsPerAccount } = bookOf(naive).limits
  const open = liveCount(naive, account)
  if (open + levels.length > ordersPerAccount) {
    return refuse('OPEN_ORDER_LIMIT_REACHED', open, ordersPerAccount)
  }
  const ownStops = naive.stops.filter((one) => one.account === account.id && one.kind === 'stop')
  if (ownStops.length >= stopsPerAccount) {
    return refuse('OPEN_ORDER_LIMIT_REACHED', ownStops.length, stopsPerAccount)
  }
  return (
    trailLimit(naive, account, levels) ??
    kindLimit(naive, brought.takeProfit) ??
    kindLimit(naive, brought.stopLoss)
  )
}

/** ACCT-9: a stop before it is an order. */
function plannedRefusal(
  naive: Naive,
  account: Account,
  market: Market,
  agent: string | null,
  stop: {
    side: Side
    size: number | null
    reduceOnly: boolean
    slip: number | null | undefined
  },
): Rejection | null {
  const { side, reduceOnly } = stop
  const held = holdingOf(account, market).lots
  const closable = signOf(held) === -signOfSide(side) ? abs(held) : 0n
  const size = stop.size === null ? closable : BigInt(stop.size)
  return limitRefusal(naive, account, market, agent, {
    side,
    size,
    reduceOnly,
    takes: !reduceOnly,
    price: null,
    slippage: null,
    stopSlip: stop.slip,
    value: size * market.mark * market.K,
  })
}

/** TRIG-3: puts every trigger of this market and price that is due into the queue. */
function evaluate(naive: Naive, market: Market, by: TriggerBy, oldDouble: bigint): void {
  const double = doublePrice(market, by)
  const watching = naive.stops.filter((stop) => {
    return (
      stop.market === market.id &&
      stop.triggerBy === by &&
      stop.armed &&
      !naive.triggerQueue.some((queued) => queued.stop === stop.id)
    )
  })
  for (const stop of watching) seeMark(stop, market.mark)
  const due = watching.filter((stop) => {
    return isTrue(firesUp(stop), stopOf(stop), double) && isNear(market, stop)
  })
  const distance = (stop: Stop): bigint => abs(2n * stopOf(stop)! * MILLION - oldDouble)
  due.sort((a, b) => Number(distance(a) - distance(b)) || a.id - b.id)
  for (const { id, account } of due) naive.triggerQueue.push({ stop: id, account })
}

/** TRIG-3: a last trade or a mid far from the mark fires nothing. */
function isNear(market: Market, stop: Stop): boolean {
  const double = doublePrice(market, stop.triggerBy) ?? 0n
  const most = 2n * MILLION * floorDiv(market.mark * slipOf(market, stop), MILLION)
  return stop.triggerBy === 'mark' || abs(double - 2n * market.mark * MILLION) <= most
}

/** TRIG-3: how far from the mark the order of a stop goes, in ppm. */
function slipOf(market: Market, { slippage }: Stop): bigint {
  return slippage ?? floorDiv(maintenanceAt(largestLeverage(market), bookOf(market)), 2n)
}

/** TRIG-3: by a tick, while the market is lively. */
export function evaluateAll(naive: Naive, market: Market, oldMark: bigint | null): void {
  if (isLively(naive, market)) {
    evaluate(naive, market, 'mark', oldMark ?? 0n)
    evaluate(naive, market, 'last', market.oldLast)
    evaluate(naive, market, 'mid', market.oldMid)
  }
  market.oldLast = doublePrice(market, 'last') ?? market.oldLast
  market.oldMid = doublePrice(market, 'mid') ?? market.oldMid
}

/** TRIG-3: the turn of a queued trigger. */
export function fire(naive: Naive, id: number): void {
  const stop = naive.stops.find((one) => one.id === id)
  if (!stop) return
  if (isPast(naive, stop)) {
    endStop(naive, stop, 'expired')
    return
  }
  const market = marketOf(naive, stop.market)
  if (!isLively(naive, market)) return
  const account = accountOf(naive, stop.account)
  const double = doublePrice(market, stop.triggerBy)
  const price = double === null ? stop.stopPrice : ticksOf(double)
  emit(naive, {
    type: 'StopTriggered',
    order: stop.id,
    account: account.id,
    market: market.id,
    price: num(price),
    extreme: num(extremeOf(stop)),
  })
  settleFunding(naive, account)
  const other = unlink(naive, stop.id)
  takeOffStop(naive, stop)
  endLeg(naive, other)
  const refusal = makeOrder(naive, stop, account, market)
  if (refusal) endStop(naive, stop, 'refused', rejections[refusal.name].code)
}

function makeOrder(naive: Naive, stop: Stop, account: Account, market: Market): Rejection | null {
  const over = stop.reduceOnly ? null : overRefusal(naive, account, stop.agent)
  if (over) return over
  const isMarket = stop.limitPrice === 0n
  const held = holdingOf(account, market).lots
  const closable = signOf(held) === -signOfSide(stop.side) ? abs(held) : 0n
  let size = stop.size
  if (stop.reduceOnly) {
    // Nothing to close is said before all other checks.
    if (held === 0n) return refuse('NO_POSITION_FOR_REDUCE_ONLY_ORDER')
    if (closable === 0n) return refuse('INVALID_REDUCE_ONLY_ORDER_SIDE')
    size = stop.size === 0n ? closable : min(stop.size, closable)
  }
  const { side } = stop
  const slip = slipOf(market, stop)
  const wanted = isMarket ? fairLimit(market, side, slip) : stop.limitPrice
  const price = stop.reduceOnly ? mildPrice(account, market, stop, { side, price: wanted }) : wanted
  const tif = isMarket ? 'IOC' : 'GTC'
  const { agent, lastSlip } = stop
  const goesOn = isMarket && stop.reduceOnly ? { agent, lastSlip } : null
  const { waits, ...wait } = waitOf(naive, market, { tif, side, price })
  const own = { id: naive.nextOrder, account: account.id, market: market.id }
  // Behind another one of its position it waits, too.
  const behind = goesOn !== null && isBehind(naive, own)
  const runsNext = wait.runsNext && !behind
  const awaitsTick = wait.awaitsTick || (behind && (!waits || wait.runsNext))
  const draft: checks.Draft = {
    account,
    market,
    side,
    price,
    size,
    tif,
    reduceOnly: stop.reduceOnly,
    isMarket,
    slippage: slip,
    stage: 'trigger',
    origin: 'trigger',
    waits: waits || behind,
    client: stop.client,
    takeProfit: [],
    stopLoss: [],
    expireTime: goesOn === null ? stop.expireTime : lastTime(naive, stop),
    agent: stop.agent,
    ...noOptions,
  }
  const disabled = checks.tradingRefusal(naive, account, market)
  if (disabled) return disabled
  const entered = enter(naive, draft, { parent: stop.id, ...wait, awaitsTick, runsNext, goesOn })
  return 'name' in entered ? entered : null
}
