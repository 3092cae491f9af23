// Cancelling and editing orders (ORDER-8, ORDER-9), the scheduled cancel (TRIG-7) and armed
// connections (TRIG-9).

import type { CommandOf } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import {
  bestPrice,
  byId,
  crosses,
  emit,
  findMarket,
  ordersOf,
  otherSide,
  refers,
} from '../core/lookup.ts'
import { agentFault, isUnsupported } from '../core/texts.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Algo, Market, Naive, Order, Stop } from '../state.ts'
import { given, isInt, isIntIn, num } from '../units/numbers.ts'
import * as endings from './endings.ts'
import { otherLeg, unlink } from './legs.ts'
import { noOptions } from './options.ts'
import {
  badText,
  checkDraft,
  type Draft,
  isRefusal,
  isTickIn,
  tradingRefusal,
} from './order-checks.ts'
import { emitPlaced } from './order-events.ts'
import { makeOrder, rest } from './orders.ts'
import { cancels, forget } from './unplaced.ts'

/** ORDER-8: `order` given: that id; `clientOrderId` given: that one; both: both; neither: none. */
type Cancel = CommandOf<'CancelOrder' | 'CancelStop'>

/** The live order, stop, level or algo a cancel means. */
export function findCancelled(
  naive: Naive,
  command: Cancel,
  account: Account,
): Order | Stop | Algo | undefined {
  const market = findMarket(naive, command.market)
  if (!market) return undefined
  const here = (one: Stop | Algo) => one.account === account.id && one.market === market.id
  const stops = naive.stops.filter(here)
  const orders = ordersOf(naive, account, market)
  if (command.type === 'CancelStop') {
    const fired = orders.filter(({ goesOn }) => goesOn !== null)
    return [...stops, ...fired].sort(byId).find((one) => refers(command, one))
  }
  const algos = naive.algos.filter((one) => here(one) && one.kind !== 'twap')
  return [...orders, ...stops, ...algos].sort(byId).find((one) => refers(command, one))
}

export function cancelOrder(naive: Naive, command: Cancel, account: Account): Rejection | null {
  if (!findMarket(naive, command.market)) return refuse('BOOK_NOT_FOUND', given(command.market))
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  const found = findCancelled(naive, command, account)
  if (!found) return refuse('ORDER_NOT_FOUND', given(command.order))
  if ('live' in found) {
    endings.stopAlgo(naive, found, 'owner')
    return null
  }
  const other = otherLeg(naive, found.id)
  endings.endAll(naive, [found], 'owner')
  endings.endLeg(naive, other)
  return null
}

export function cancelAllOrders(
  naive: Naive,
  command: CommandOf<'CancelAllOrders'>,
  account: Account,
  before = Number.POSITIVE_INFINITY,
): Rejection | null {
  const wanted = command.market ?? null
  const market = findMarket(naive, wanted) ?? null
  if (wanted !== null && !market) return refuse('BOOK_NOT_FOUND', given(wanted))
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  const exclude = command.excludeReduceOnly === true
  const stops = naive.stops.filter((stop) => {
    return stop.account === account.id && (!market || stop.market === market.id)
  })
  const all = [...ordersOf(naive, account, market), ...stops]
  const meant = all.filter((one) => one.id < before && (!exclude || !one.reduceOnly))
  endAndCount(naive, account, () => endings.endAll(naive, meant, 'owner'))
  forget(naive, 'owner', ({ id, account: of, action }) => {
    const here = of === account.id && id < before && (!market || action.market === market.id)
    return here && !cancels(action) && !(exclude && guards(action))
  })
  const idle = naive.algos.filter((one) => {
    const here = one.account === account.id && (!market || one.market === market.id)
    return here && one.kind !== 'twap' && one.live.length === 0
  })
  for (const algo of idle.sort(byId)) {
    if (algo.id < before && !(exclude && algo.reduceOnly)) endings.stopAlgo(naive, algo, 'owner')
  }
  return null
}

function guards(action: Naive['deferred'][number]['action']): boolean {
  if (action.type === 'SetPositionTpsl') return true
  return action.type === 'PlaceStop' && action.reduceOnly === true
}

function endAndCount(naive: Naive, account: Account, end: () => void): void {
  const before = endings.liveCount(naive, account)
  end()
  const count = before - endings.liveCount(naive, account)
  emit(naive, { type: 'AllOrdersCancelled', account: account.id, count })
}

export function scheduleCancel(
  naive: Naive,
  command: CommandOf<'ScheduleCancel'>,
  account: Account,
): Rejection | null {
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  const earliest = naive.now + bookOf(naive).limits.scheduleAheadMsMin
  const time = command.time ?? null
  if (time !== null && (!isInt(time) || time < earliest)) {
    return refuse('INVALID_TIME', given(time), earliest)
  }
  const keepProtective = command.keepProtective === true
  account.schedule = time === null ? null : { time, keepProtective }
  emit(naive, { type: 'CancelScheduled', account: account.id, time: time ?? 0, keepProtective })
  return null
}

/** TRIG-7: due work. */
export function runScheduledCancel(naive: Naive, account: Account): void {
  const keep = account.schedule?.keepProtective === true
  account.schedule = null
  cancelEverything(naive, account, keep, 'scheduled')
}

function cancelEverything(
  naive: Naive,
  account: Account,
  keep: boolean,
  reason: 'scheduled' | 'disconnected',
): void {
  const stops = naive.stops.filter((stop) => {
    return stop.account === account.id && !(keep && stop.reduceOnly)
  })
  const orders = ordersOf(naive, account, null).filter(({ goesOn }) => !keep || goesOn === null)
  const before = endings.liveCount(naive, account)
  endings.endAll(naive, [...orders, ...stops], reason)
  const count = before - endings.liveCount(naive, account)
  emit(naive, { type: 'AllOrdersCancelled', account: account.id, count })
  forget(naive, reason, ({ account: of, action }) => {
    return of === account.id && !cancels(action) && !(keep && guards(action))
  })
  for (const algo of naive.algos.filter((one) => one.account === account.id).sort(byId)) {
    endings.stopAlgo(naive, algo, 'owner')
  }
}

/** TRIG-9 */
export function armConnection(
  naive: Naive,
  command: CommandOf<'ArmConnection'>,
  account: Account,
): Rejection | null {
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  const { connection, proof } = command
  const [agent, ip] = [proof?.agent ?? null, proof?.ip ?? null]
  const others = account.armed.filter((one) => one.connection !== connection)
  const most =
    agent === null ? bookOf(naive).limits.armedPerAccount : bookOf(naive).limits.armedPerAgent
  if (others.filter((one) => one.agent === agent).length >= most) {
    return refuse('LIMIT_REACHED', most)
  }
  const badWord = badText(connection)
  if (badWord) return badWord
  const keepProtective = command.keepProtective === true
  account.armed = [...others, { connection, agent, ip, keepProtective }]
  emit(naive, { type: 'ConnectionArmed', account: account.id, connection, keepProtective })
  return null
}

export function disarmConnection(
  naive: Naive,
  command: CommandOf<'DisarmConnection' | 'EndConnection'>,
  account: Account,
): Rejection | null {
  const { connection } = command
  const found = account.armed.find((one) => one.connection === connection)
  if (!found) return refuse('NOT_ARMED')
  account.armed = account.armed.filter((one) => one !== found)
  if (command.type === 'DisarmConnection') {
    emit(naive, { type: 'ConnectionDisarmed', account: account.id, connection })
    return null
  }
  const cancels = agentFault(naive, account, 'trade', found) === 0
  emit(naive, { type: 'ConnectionEnded', account: account.id, connection, cancels })
  if (cancels) cancelEverything(naive, account, found.keepProtective, 'disconnected')
  return null
}

/** ORDER-9 */
export function editOrder(
  naive: Naive,
  command: CommandOf<'EditOrder'>,
  account: Account,
): Rejection | null {
  const market = findMarket(naive, command.market)
  if (!market) return refuse('BOOK_NOT_FOUND', given(command.market))
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  const disabled = tradingRefusal(naive, account, market)
  if (disabled) return disabled
  const { price, size } = command
  const misshapen = shapeRefusal(market, price, size)
  if (misshapen) return misshapen
  const old = ordersOf(naive, account, market)
    .sort(byId)
    .find((one) => refers(command, one) && (one.origin !== 'algo' || one.isMarket))
  if (!old) return refuse('ORDER_NOT_FOUND', given(command.order))
  const agent = command.proof?.agent ?? null
  return editTo(naive, { account, market, old, price, size, agent }, null)
}

type Edit = Readonly<{
  account: Account
  market: Market
  old: Order
  price: number
  size: number
  agent: string | null
  /** Whose order it is, if it is one of an algo (ALGO-2). */
  algo?: Algo
}>

/** `quote`: whether it is protected then; it does not stay where it was (ORDER-17). */
export function editTo(
  naive: Naive,
  { account, market, old, price, size, agent, algo }: Edit,
  quote: { mmp: boolean } | null,
): Rejection | null {
  const refused = tradingRefusal(naive, account, market) ?? shapeRefusal(market, price, size)
  if (refused) return refused
  const draft: Draft = {
    account,
    market,
    side: old.side,
    price: BigInt(price),
    size: BigInt(size),
    tif: 'ALO',
    reduceOnly: old.reduceOnly,
    isMarket: false,
    slippage: 0n,
    stage: 'edit',
    origin: algo ? 'algo' : 'user',
    waits: false,
    client: old.client,
    takeProfit: [],
    stopLoss: [],
    expireTime: old.expireTime,
    ...noOptions,
    agent,
    mmp: quote?.mmp ?? old.mmp,
  }
  return replace(naive, old, draft, { quotes: quote !== null, algo })
}

export function shapeRefusal(market: Market, price: number, size: number): Rejection | null {
  if (!isInt(price)) return refuse('INVALID_TICK_SIZE', 0)
  if (!isTickIn(market, price)) {
    const { tickMin, tickMax } = market.rules
    return refuse('INVALID_TICK_LEVEL', price, num(tickMin), num(tickMax))
  }
  return isIntIn(size, 1, Number.MAX_SAFE_INTEGER) ? null : refuse('INVALID_AMOUNT', given(size))
}

type How = Readonly<{ quotes: boolean; algo: Algo | undefined }>

function replace(naive: Naive, old: Order, draft: Draft, how: How): Rejection | null {
  const { market } = draft
  const { quotes, algo } = how
  const { book } = market
  const { waiting } = naive
  const place = book.indexOf(old)
  endings.takeOffOrder(naive, old)
  const verdict = checkDraft(naive, draft, () => false)
  // Back to where it was: a refused edit leaves it untouched.
  market.book = book
  naive.waiting = waiting
  if (isRefusal(verdict)) return verdict
  // An algo leaves its order where it stands.
  if (algo && verdict.price === old.price) return null
  const order = makeOrder(naive, { ...draft, price: verdict.price }, { parent: algo?.id ?? old.id })
  naive.nextOrder += 1
  if (crosses(order.side, order.price, bestPrice(market, otherSide(order.side)))) {
    // The old order stays and keeps its client id, but for a quote: an old price never stands.
    if (quotes) endings.endOrder(naive, old, 'replaced')
    else order.client = null
    emitPlaced(naive, order, false)
    endings.endOrder(naive, order, 'post_only_rejected')
    return null
  }
  const stop = unlink(naive, old.id)
  for (const level of naive.stops) if (level.parent === old.id) level.parent = order.id
  endings.endOrder(naive, old, 'replaced')
  algo?.live.push(order)
  emitPlaced(naive, order, false)
  const keeps = place >= 0 && order.price === old.price && order.size < old.remaining
  rest(naive, order, keeps ? place : market.book.length)
  if (keeps) order.standsSince = old.standsSince
  if (stop !== 0) naive.legs.push([order.id, stop])
  endings.cutLeg(naive, order)
  return null
}
