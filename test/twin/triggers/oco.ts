// One or the other (TRIG-14).

import type { CommandOf, RestingLeg, StopLeg } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { emit, findMarket } from '../core/lookup.ts'
import { isUnsupported } from '../core/texts.ts'
import * as checks from '../orders/order-checks.ts'
import { emitPlaced } from '../orders/order-events.ts'
import { draftOf, makeOrder, rest } from '../orders/orders.ts'
import type { Account, Market, Naive, Order } from '../state.ts'
import { given, isInt } from '../units/numbers.ts'
import { addStop, stopRefusal } from './triggers.ts'

type Oco = CommandOf<'PlaceOco'>
type Leg = RestingLeg | StopLeg
type Request = Readonly<{ command: Oco; account: Account; market: Market }>

export function placeOco(naive: Naive, command: Oco, account: Account): Rejection | null {
  const market = findMarket(naive, command.market)
  if (!market) return refuse('BOOK_NOT_FOUND', given(command.market))
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  const [first, second] = command.legs
  const refusal = checks.tradingRefusal(naive, account, market) ?? pairRefusal(command.legs)
  if (refusal) return refusal
  const request = { command, account, market }
  const one = checkLeg(naive, request, first!)
  if (one !== null && 'name' in one) return one
  // The second leg is checked with the first one there, which is then taken back.
  const { stops, waiting, nextOrder, events } = naive
  naive.stops = [...stops]
  naive.events = []
  if (one === null) addStop(naive, stopOf(command, first!), account, market)
  else naive.waiting = [...waiting, one]
  naive.nextOrder = nextOrder
  const two = checkLeg(naive, request, second!)
  Object.assign(naive, { stops, waiting, nextOrder, events })
  if (two !== null && 'name' in two) return two
  const ids = [
    placeLeg(naive, request, first!, one),
    placeLeg(naive, request, second!, two),
  ] as const
  naive.legs.push(ids)
  const whose = { account: account.id, market: market.id }
  emit(naive, { type: 'OcoLinked', ...whose, first: ids[0], second: ids[1] })
  const order = one ?? two
  if (order) rest(naive, order, market.book.length)
  return null
}

function stopOf(command: Oco, leg: Leg): CommandOf<'PlaceStop'> {
  const { account, proof, market, expireTime = null } = command
  const { side, reduceOnly, level, up } = leg as StopLeg
  const own = { account, proof, market, expireTime }
  return { type: 'PlaceStop', ...own, side, reduceOnly, level, ...(up == null ? {} : { up }) }
}

function pairRefusal(legs: readonly Leg[]): Rejection | null {
  const stops = legs.filter((leg): leg is StopLeg => 'level' in leg)
  const orders = legs.filter((leg): leg is RestingLeg => !('level' in leg))
  if (stops.length + orders.length !== 2 || orders.length === 2) return refuse('INVALID_ORDER_TYPE')
  const [order] = orders
  const [stop] = stops
  if (!order || !stop) return null
  if (stop.side !== order.side) return refuse('INVALID_STOP_ORDER_SIDE')
  const { size } = stop.level
  if (size !== order.size) {
    return refuse('INVALID_STOP_ORDER_AMOUNT', isInt(size) ? size : 0, given(order.size))
  }
  return stop.reduceOnly === order.reduceOnly ? null : refuse('INVALID_STOP_ORDER_REDUCE_ONLY')
}

/** The order that it would be, null for a stop, or why not. */
function checkLeg(naive: Naive, request: Request, leg: Leg): Order | Rejection | null {
  const { command, account, market } = request
  if ('level' in leg) return stopRefusal(naive, stopOf(command, leg), account, market)
  const { proof, expireTime = null } = command
  const none = { takeProfit: null, stopLoss: null, tif: 'ALO' } as const
  const own = { account: command.account, proof, market: command.market, expireTime }
  const wish = { type: 'PlaceOrder', ...own, ...leg, ...none } as CommandOf<'PlaceOrder'>
  const draft = draftOf(naive, wish, account, market, false)
  if ('name' in draft) return draft
  const verdict = checks.checkDraft(naive, { ...draft, mustRest: true }, () => false)
  if (checks.isRefusal(verdict)) return verdict
  return makeOrder(naive, { ...draft, price: verdict.price }, { parent: 0 })
}

function placeLeg(naive: Naive, request: Request, leg: Leg, order: Order | null): number {
  const { command, account, market } = request
  if (order === null) return addStop(naive, stopOf(command, leg), account, market).id
  order.id = naive.nextOrder
  naive.nextOrder += 1
  emitPlaced(naive, order, false)
  return order.id
}
