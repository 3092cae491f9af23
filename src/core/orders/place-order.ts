// New orders, limit and market (ORDER-1, ORDER-3).

import { isOpenTo, marketAdmissionRefusal } from '../admission/admit.ts'
import { limitOf } from '../admission/key-limit.ts'
import type { PlaceMarketOrder, PlaceOrder } from '../commands/commands.ts'
import { levelList } from '../commands/level-ids.ts'
import type { Rejection } from '../commands/rejections.ts'
import { Draft, FROM_USER, RUNS_NOW, sideOf, waits } from '../drafts/draft.ts'
import { optionsOf } from '../drafts/order-options.ts'
import { IOC, tifOf, timeInForceOf } from '../drafts/times-in-force.ts'
import type { EventLog } from '../events/event-log.ts'
import { rowOf } from '../margin/position-row.ts'
import { placePlain } from '../matching/plain-order.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { NEW, orderRefusal } from './check-order.ts'
import { enterOrder, runOrder } from './run-order.ts'

const draft = new Draft()

export function placeOrder(state: State, log: EventLog, command: PlaceOrder): Rejection | null {
  const { account, market, proof } = command
  if (proof !== null || !isOpenTo(state, account, market)) {
    const refusal = marketAdmissionRefusal(state, log, command, 'trade')
    if (refusal !== null) return refusal
    if (limitOf(state, account, proof === null ? null : proof.agent) !== null)
      return placeAdmitted(state, log, command, RUNS_NOW)
  }
  return placePlain(state, log, command) ? null : placeAdmitted(state, log, command, RUNS_NOW)
}

export function placeMarketOrder(
  state: State,
  log: EventLog,
  command: PlaceMarketOrder,
): Rejection | null {
  return (
    marketAdmissionRefusal(state, log, command, 'trade') ??
    placeAdmitted(state, log, command, RUNS_NOW)
  )
}

/** `releaseAt` RUNS_NOW: the speed bump of the market applies. Otherwise the end of the speed bump
 *  of its delayed batch. */
export function placeAdmitted(
  state: State,
  log: EventLog,
  command: PlaceOrder | PlaceMarketOrder,
  releaseAt: number,
): Rejection | null {
  const market = state.markets[command.market]!
  draft.row = rowOf(state, market, command.account)
  fillDraft(state, draft, command, releaseAt)
  return placeDraft(state, log, draft)
}

/** Fills in the draft of a command, except for its row. `releaseAt` as above. */
export function fillDraft(
  state: State,
  order: Draft,
  command: PlaceOrder | PlaceMarketOrder,
  releaseAt: number,
): void {
  const market = state.markets[command.market]!
  order.market = market
  order.account = command.account
  order.agent = command.proof?.agent ?? null
  order.side = sideOf(command.side)
  order.sign = order.side === 0 ? 1 : -1
  order.size = command.size
  if (command.type === 'PlaceOrder') {
    order.price = command.price
    order.tif = tifOf(command.tif)
    order.isMarket = false
    order.slippagePpm = 0
    order.expireTime = command.expireTime ?? null
  } else {
    order.price = 0
    order.tif = IOC
    order.isMarket = true
    order.slippagePpm = command.slippagePpm
    order.expireTime = null
  }
  order.reduceOnly = command.reduceOnly
  order.origin = FROM_USER
  order.parent = 0
  order.clientOrderId = command.clientOrderId
  order.takeProfits = levelList(command.takeProfit)
  order.stopLosses = levelList(command.stopLoss)
  order.options = optionsOf(command)
  order.onlyReduces = false
  const isAlone = releaseAt === RUNS_NOW
  order.releaseAt =
    isAlone && timeInForceOf(order.tif).takes ? releaseTime(state, market) : releaseAt
}

/** When the speed bump of a taking order ends. RUNS_NOW: the market has none. */
export function releaseTime(state: State, market: Market): number {
  const { speedBumpMs } = market.params
  return speedBumpMs === 0 || state.clockFrozen ? RUNS_NOW : state.atMs + speedBumpMs
}

/** Checks a draft. If accepted, the order waits or runs. */
export function placeDraft(state: State, log: EventLog, order: Draft): Rejection | null {
  const refusal = orderRefusal(state, order, NEW)
  if (refusal !== null) return refusal
  const { market, onlyReduces } = order
  const runs = !waits(order)
  const slot = enterOrder(state, log, order)
  if (runs) runOrder(state, log, market, slot, onlyReduces)
  return null
}
