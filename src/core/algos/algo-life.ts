// Starts, finds and ends algos (ALGO-1).

import { broken } from '../../units/invariant.ts'
import { type AlgoKind, type algoEnds, cancelReasons, type Side } from '../../words/order-words.ts'
import type { OnMarket } from '../commands/commands.ts'
import { forgetClientId, rememberClientId } from '../drafts/client-ids.ts'
import { sideOf } from '../drafts/draft.ts'
import type { EventLog } from '../events/event-log.ts'
import { rowOf } from '../margin/position-row.ts'
import { DUE_STEP } from '../queues/due-queue.ts'
import { type Algo, rests } from '../state/algo.ts'
import type { State } from '../state/state.ts'
import { schedule, scheduleExpiry } from '../timing/schedule.ts'

/** The fields that all commands that place an algo share. */
type AlgoRequest = OnMarket &
  Readonly<{ side: Side; size: number; reduceOnly: boolean; clientOrderId: string | null }>

/** Fields that only some kinds have. */
type Terms = Partial<Pick<Algo, 'slippagePpm' | 'slices' | 'price' | 'display' | 'expireTime'>>

/** Starts a checked algo: its first step is due immediately. */
export function beginAlgo(
  state: State,
  log: EventLog,
  { account, proof, market, side, size, reduceOnly, clientOrderId }: AlgoRequest,
  kind: AlgoKind,
  { slippagePpm = 0, slices = 0, price = 0, display = 0, expireTime = null }: Terms,
): void {
  const id = state.nextOrderId++
  const algo: Algo = {
    id,
    kind,
    account,
    agent: proof?.agent ?? null,
    position: rowOf(state, state.markets[market]!, account),
    market,
    side: sideOf(side),
    size,
    reduceOnly,
    clientOrderId,
    startedAt: state.atMs,
    slippagePpm,
    slices,
    price,
    display,
    expireTime,
    refusals: 0,
    steps: 0,
    steppedAt: state.atMs,
    dueAt: 0,
    filled: 0,
    filledValue: 0,
    orders: [],
  }
  adoptAlgo(state, algo)
  if (expireTime !== null) scheduleExpiry(state, id, expireTime)
  log.write({
    type: 'AlgoPlaced',
    order: id,
    account,
    market,
    kind,
    side,
    size,
    reduceOnly,
    slices,
    slippagePpm,
    price,
    display,
    expireTime: expireTime ?? 0,
    clientOrderId,
  })
  planStep(state, algo, state.atMs)
}

/** Adds a running algo to the state. Its id must be the largest of its account. */
export function adoptAlgo(state: State, algo: Algo): void {
  const { positions, accounts } = state
  const record = accounts.records[algo.account]!
  if (state.algos.has(algo.id)) broken('an algo begins twice', algo.id)
  state.algos.set(algo.id, algo)
  record.algos ??= new Set()
  record.algos.add(algo.id)
  positions.algoCount[algo.position] = positions.algoCount[algo.position]! + 1
  if (rests(algo) && algo.clientOrderId !== null)
    rememberClientId(state, algo.account, algo.id, algo.clientOrderId)
}

export function dropAlgo(state: State, algo: Algo): void {
  const { positions, accounts } = state
  if (!state.algos.delete(algo.id)) broken('an algo ends twice', algo.id)
  accounts.records[algo.account]!.algos!.delete(algo.id)
  const count = positions.algoCount[algo.position]! - 1
  if (count < 0) broken('a row without algos loses one, row', algo.position)
  positions.algoCount[algo.position] = count
  if (algo.expireTime !== null) state.expiries.deleteById(algo.id)
  if (rests(algo) && algo.clientOrderId !== null) forgetClientId(state, algo.account, algo.id)
}

/** Schedules the next step of an algo. */
export function planStep(state: State, algo: Algo, at: number): void {
  algo.dueAt = at
  schedule(state, { at, kind: DUE_STEP, id: algo.id })
}

export type AlgoEnd = (typeof algoEnds)[number]
type CancelReason = (typeof cancelReasons)[number]

/** Replaces the cancel reason when an order ended because it was filled. */
export const FILLED = -1

/** Handles the end of an algo's order, for a reason in `cancelReasons`. */
export function endChild(
  state: State,
  log: EventLog,
  id: number,
  order: number,
  reason: number,
): void {
  const algo = state.algos.get(id)
  if (algo === undefined) return
  const at = algo.orders.indexOf(order)
  if (at < 0) broken('an order ends that is none of its algo', order)
  algo.orders.splice(at, 1)
  if (!rests(algo)) return finishSliced(state, log, algo)
  const end = reason === FILLED ? filledEnd(algo) : childEnds[cancelReasons[reason]!]
  if (end !== null) endAlgo(state, log, algo, end)
  else if (reason === FILLED && algo.kind === 'iceberg') planStep(state, algo, state.commandAtMs)
}

function filledEnd({ filled, size }: Algo): AlgoEnd | null {
  return filled === size ? 'finished' : null
}

/** The end of an algo by the cancel reason of its order. `null`: the algo continues. */
const childEnds: Readonly<Record<CancelReason, AlgoEnd | null>> = {
  replaced: null,
  post_only_rejected: null,
  owner: 'owner',
  scheduled: 'owner',
  disconnected: 'owner',
  expired: 'expired',
  liquidation: 'liquidation',
  market_closed: 'market_closed',
  self_trade_prevented: 'refused',
  margin: 'refused',
  mmp: 'refused',
  oco: 'refused',
  reduce_only: 'refused',
  open_interest: 'refused',
  parent_ended: 'refused',
  refused: 'refused',
}

/** Ends an algo after all its slices have been placed and their orders have ended. */
export function finishSliced(state: State, log: EventLog, algo: Algo): void {
  if (algo.steps < algo.slices || algo.orders.length !== 0) return
  endAlgo(state, log, algo, 'finished')
}

/** Ends an algo that has no open orders. */
export function endAlgo(state: State, log: EventLog, algo: Algo, reason: AlgoEnd): void {
  if (algo.orders.length !== 0) broken('an algo ends before its orders', algo.orders.length)
  dropAlgo(state, algo)
  logEnded(log, algo, reason)
}

export function logEnded(log: EventLog, algo: Algo, reason: AlgoEnd): void {
  const { id, account, market, filled, filledValue } = algo
  log.write({ type: 'AlgoEnded', algo: id, account, market, filled, filledValue, reason })
}

/** Returns the algos of one account by rising id, without scanning those of other accounts. */
export function algosOf(state: State, account: number): Algo[] {
  const ids = state.accounts.records[account]?.algos ?? []
  return [...ids].map((id) => state.algos.get(id)!)
}
