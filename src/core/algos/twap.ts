// The algo kind `twap`: executes a size in equal slices at equal intervals (TRIG-6).

import { broken } from '../../units/invariant.ts'
import { divCeil, divFloor, mulDivFloor } from '../../units/rounding.ts'
import { marketAdmissionRefusal } from '../admission/admit.ts'
import { textRefusal } from '../admission/text-refusal.ts'
import type { CancelTwap, PlaceTwap } from '../commands/commands.ts'
import { amountRefusal, type Rejection, refuse, rejections } from '../commands/rejections.ts'
import { clientIdKey } from '../drafts/client-ids.ts'
import { Draft, sideOf, waits } from '../drafts/draft.ts'
import { IOC } from '../drafts/times-in-force.ts'
import type { EventLog } from '../events/event-log.ts'
import { settleFunding } from '../funding/settle-funding.ts'
import { rowOf } from '../margin/position-row.ts'
import { NEW, orderRefusal, reduceOnlyRefusal } from '../orders/check-order.ts'
import { releaseTime } from '../orders/place-order.ts'
import { enterOrder, runOrder } from '../orders/run-order.ts'
import { expiredKeyRefusal, plannedRefusal } from '../policies/check-policy.ts'
import { trades } from '../prices/trading.ts'
import { limits } from '../rules/limits.ts'
import type { Algo } from '../state/algo.ts'
import type { State } from '../state/state.ts'
import { checkPlan, closableOf, draftFor } from './algo-draft.ts'
import { algosOf, beginAlgo, finishSliced, planStep } from './algo-life.ts'
import { stopAlgo } from './stop-algo.ts'

const draft = new Draft()

const sliceMs = limits.twapSliceSeconds * 1_000

/** Due time of the slice after the given number of slices. */
export function sliceAt({ startedAt }: Algo, done: number): number {
  return startedAt + done * sliceMs
}

/** Due time of the last slice of a TWAP that starts at the given time. */
export function twapEnd(startedAt: number, slices: number): number {
  return startedAt + (slices - 1) * sliceMs
}

export function placeTwap(state: State, log: EventLog, command: PlaceTwap): Rejection | null {
  const refusal =
    marketAdmissionRefusal(state, log, command, 'trade') ?? twapRefusal(state, command)
  if (refusal !== null) return refusal
  const slices = divFloor(command.durationSeconds, limits.twapSliceSeconds) + 1
  beginAlgo(state, log, command, 'twap', { slippagePpm: command.slippagePpm, slices })
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

/** Checks the command against the policy of the key, if the key has one. */
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

function twapsOf(state: State, account: number): Algo[] {
  return algosOf(state, account).filter(({ kind }) => kind === 'twap')
}

function isNamed(twap: Algo, clientOrderId: string): boolean {
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
    stopAlgo(state, log, twap, 'owner')
    return null
  }
  return refuse('TWAP_NOT_FOUND', Number.isSafeInteger(order) ? order! : 0)
}

/** Executes one slice. */
export function runSlice(state: State, log: EventLog, twap: Algo): void {
  twap.steppedAt = sliceAt(twap, twap.steps)
  twap.steps += 1
  if (twap.steps > twap.slices) broken('a TWAP has a step after its last slice', twap.steps)
  settleFunding(state, log, twap.account)
  const lots = sliceLots(state, twap)
  const refusal = lots > 0 ? sliceRefusal(state, twap, lots) : null
  const { id, account, market } = twap
  log.write({
    type: 'AlgoStepped',
    algo: id,
    account,
    market,
    step: twap.steps,
    lots,
    price: 0,
    rejection: refusal === null ? 0 : rejections[refusal.name].code,
  })
  if (twap.steps < twap.slices) planStep(state, twap, sliceAt(twap, twap.steps))
  if (lots > 0 && refusal === null) enterSlice(state, log, twap)
  else finishSliced(state, log, twap)
}

function enterSlice(state: State, log: EventLog, twap: Algo): void {
  const { market, onlyReduces } = draft
  const runs = !waits(draft)
  const slot = enterOrder(state, log, draft)
  twap.orders.push(state.orders.id(slot))
  checkPlan(state, twap)
  if (runs) runOrder(state, log, market, slot, onlyReduces)
}

function sliceLots(state: State, twap: Algo): number {
  const target =
    mulDivFloor(twap.size, twap.steps, twap.slices) - twap.filled - waitingLots(state, twap)
  const most = state.rules.limits.twapCatchUp * divCeil(twap.size, twap.slices)
  return Math.max(0, closableOf(state, twap, Math.min(target, most)))
}

function waitingLots({ orders }: State, twap: Algo): number {
  return twap.orders.reduce((lots, id) => lots + orders.remaining(orders.slotOf(id)), 0)
}

function sliceRefusal(state: State, twap: Algo, lots: number): Rejection | null {
  draftFor(state, twap, lots, draft)
  draft.tif = IOC
  draft.isMarket = true
  draft.slippagePpm = twap.slippagePpm
  draft.releaseAt = releaseTime(state, draft.market)
  return expiredKeyRefusal(state, twap.account, twap.agent) ?? orderRefusal(state, draft, NEW)
}
