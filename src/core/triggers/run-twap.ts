// TWAPs: placed, sliced by due work, ended (TRIG-6).

import { divCeil, divFloor, mulDivFloor } from '../../units/rounding.ts'
import { rowOf } from '../accounts/position-row.ts'
import { marketAdmissionRefusal } from '../admit.ts'
import type { CancelTwap, PlaceTwap } from '../commands/commands.ts'
import { type Rejection, refuse, rejections } from '../commands/rejections.ts'
import { DUE_SLICE } from '../due/due-queue.ts'
import { schedule } from '../due/schedule.ts'
import type { EventLog } from '../events/event-log.ts'
import { settleFunding } from '../funding/settle-funding.ts'
import { trades } from '../markets/trading.ts'
import { amountRefusal, NEW, orderRefusal, reduceOnlyRefusal } from '../orders/check-order.ts'
import { clientIdKey } from '../orders/client-ids.ts'
import { Draft, FROM_TWAP, sideOf } from '../orders/draft.ts'
import { releaseTime } from '../orders/place-order.ts'
import { enterOrder, runOrder } from '../orders/run-order.ts'
import { IOC } from '../orders/times-in-force.ts'
import { deadKeyRefusal, plannedRefusal } from '../policies/check-policy.ts'
import { limits } from '../rules/limits.ts'
import type { State } from '../state/state.ts'
import { textRefusal } from '../texts/text-refusal.ts'
import { stopTwap } from './stop-twap.ts'
import { dueOf, type Twap } from './twap.ts'
import { adoptTwap, finishTwap, twapsOf } from './twap-life.ts'

const draft = new Draft()

export function placeTwap(state: State, log: EventLog, command: PlaceTwap): Rejection | null {
  const refusal =
    marketAdmissionRefusal(state, log, command, 'trade') ?? twapRefusal(state, command)
  if (refusal !== null) return refusal
  const { account, clientOrderId, reduceOnly, size, slippagePpm } = command
  const market = state.markets[command.market]!
  const id = state.nextOrderId++
  const slices = divFloor(command.durationSeconds, limits.twapSliceSeconds) + 1
  const row = rowOf(state, market, account)
  const twap: Twap = {
    id,
    account,
    agent: command.proof?.agent ?? null,
    position: row,
    market: market.id,
    side: sideOf(command.side),
    size,
    reduceOnly,
    slippagePpm,
    slices,
    clientOrderId,
    startedAt: state.atMs,
    done: 0,
    filled: 0,
    filledValue: 0,
    orders: [],
  }
  adoptTwap(state, twap)
  log.write({
    type: 'TwapPlaced',
    order: id,
    account,
    market: market.id,
    side: command.side,
    size,
    slices,
    reduceOnly,
    slippagePpm,
    clientOrderId,
  })
  schedule(state, { at: state.atMs, kind: DUE_SLICE, id })
  return null
}

function twapRefusal(state: State, command: PlaceTwap): Rejection | null {
  const { account, size, durationSeconds } = command
  const market = state.markets[command.market]!
  if (!trades(state, market) || state.accounts.frozen[account] === 1)
    return refuse('TRADING_DISABLED')
  const amount =
    amountRefusal(size, Number.MAX_SAFE_INTEGER) ??
    (command.slippagePpm === 0
      ? null
      : amountRefusal(command.slippagePpm, state.rules.limits.slippagePpmMax))
  if (amount !== null) return amount
  const side = sideOf(command.side)
  if (side < 0) return refuse('INVALID_ORDER_TYPE')
  if (command.reduceOnly) {
    draft.row = rowOf(state, market, account)
    draft.sign = side === 0 ? 1 : -1
    draft.size = size
    const refusal = reduceOnlyRefusal(state, draft)
    if (refusal !== null) return refusal
  }
  return (
    limitRefusal(state, command) ??
    scheduleRefusal(state, command, durationSeconds) ??
    textRefusal(command.clientOrderId)
  )
}

/** By the policy of the key, if it has one. */
function limitRefusal(state: State, command: PlaceTwap): Rejection | null {
  const { account, proof, side, size, reduceOnly, slippagePpm } = command
  const market = state.markets[command.market]!
  const agent = proof?.agent ?? null
  const row = rowOf(state, market, account)
  const wish = { agent, account, market, row, side, size, reduceOnly, slippagePpm }
  return plannedRefusal(state, { ...wish, takes: true })
}

function scheduleRefusal(state: State, command: PlaceTwap, seconds: number): Rejection | null {
  const { account, size, clientOrderId } = command
  const market = state.markets[command.market]!
  const mine = twapsOf(state, account)
  if (clientOrderId !== null && mine.some((twap) => isNamed(twap, clientOrderId)))
    return refuse('TWAP_CLIENT_ORDER_ID_IN_USE')
  const { twapSecondsMin, twapSecondsMax, twapsPerMarket } = state.rules.limits
  const fits =
    Number.isSafeInteger(seconds) && seconds >= twapSecondsMin && seconds <= twapSecondsMax
  if (fits) {
    const slices = divFloor(seconds, limits.twapSliceSeconds) + 1
    const value = divFloor(size, slices) * market.lotValue
    const { orderValueMin } = market.params
    if (value < orderValueMin) return refuse('TWAP_SUB_ORDER_AMOUNT', value, orderValueMin)
  } else {
    const given = Number.isSafeInteger(seconds) ? seconds : 0
    return refuse('TWAP_DURATION', given, twapSecondsMin, twapSecondsMax)
  }
  if (mine.filter((twap) => twap.market === market.id).length >= twapsPerMarket)
    return refuse('TWAP_LIMIT_REACHED', twapsPerMarket)
  return null
}

function isNamed(twap: Twap, clientOrderId: string): boolean {
  const own = twap.clientOrderId
  return own !== null && clientIdKey(own) === clientIdKey(clientOrderId)
}

export function cancelTwap(state: State, log: EventLog, command: CancelTwap): Rejection | null {
  const refusal = marketAdmissionRefusal(state, log, command, 'trade')
  if (refusal !== null) return refusal
  const { order, clientOrderId } = command
  for (const twap of twapsOf(state, command.account)) {
    if (twap.market !== command.market) continue
    if (order === null && clientOrderId === null) break
    if (order !== null && twap.id !== order) continue
    if (clientOrderId !== null && !isNamed(twap, clientOrderId)) continue
    stopTwap(state, log, twap, 'owner')
    return null
  }
  return refuse('TWAP_NOT_FOUND', Number.isSafeInteger(order) ? order! : 0)
}

/** One slice is due. */
export function runSlice(state: State, log: EventLog, twap: Twap): void {
  twap.done += 1
  settleFunding(state, log, twap.account)
  const lots = sliceLots(state, twap)
  const refusal = lots > 0 ? sliceRefusal(state, twap, lots) : null
  const { id, account, market } = twap
  log.write({
    type: 'TwapSliced',
    twap: id,
    account,
    market,
    slice: twap.done,
    lots,
    rejection: refusal === null ? 0 : rejections[refusal.name].code,
  })
  if (twap.done < twap.slices) schedule(state, { at: dueOf(twap), kind: DUE_SLICE, id })
  if (lots > 0 && refusal === null) enterSlice(state, log, twap)
  else finishTwap(state, log, twap)
}

function enterSlice(state: State, log: EventLog, twap: Twap): void {
  const { market, onlyReduces, releaseAt } = draft
  const slot = enterOrder(state, log, draft)
  twap.orders.push(state.orders.id(slot))
  if (releaseAt === 0) runOrder(state, log, market, slot, onlyReduces)
}

function sliceLots(state: State, twap: Twap): number {
  const target =
    mulDivFloor(twap.size, twap.done, twap.slices) - twap.filled - waitingLots(state, twap)
  const most = state.rules.limits.twapCatchUp * divCeil(twap.size, twap.slices)
  const lots = Math.min(target, most)
  if (!twap.reduceOnly) return Math.max(0, lots)
  const opposed = -state.positions.lots[twap.position]! * (twap.side === 0 ? 1 : -1)
  return Math.max(0, Math.min(lots, opposed))
}

function waitingLots({ orders }: State, twap: Twap): number {
  return twap.orders.reduce((lots, id) => lots + orders.remaining(orders.slotOf(id)), 0)
}

function sliceRefusal(state: State, twap: Twap, lots: number): Rejection | null {
  draft.market = state.markets[twap.market]!
  draft.account = twap.account
  draft.agent = twap.agent
  draft.row = twap.position
  draft.side = twap.side
  draft.sign = twap.side === 0 ? 1 : -1
  draft.size = lots
  draft.tif = IOC
  draft.isMarket = true
  draft.slippagePpm = twap.slippagePpm
  draft.reduceOnly = twap.reduceOnly
  draft.origin = FROM_TWAP
  draft.parent = twap.id
  draft.clientOrderId = null
  draft.takeProfit = null
  draft.stopLoss = null
  draft.releaseAt = releaseTime(state, draft.market)
  return deadKeyRefusal(state, twap.account, twap.agent) ?? orderRefusal(state, draft, NEW)
}
