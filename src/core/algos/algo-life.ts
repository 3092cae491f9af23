// The algos that run: taken into the state, found, ended (ALGO-1).

import { rowOf } from '../accounts/position-row.ts'
import type { OnMarket, Side } from '../commands/commands.ts'
import { DUE_STEP } from '../due/due-queue.ts'
import { schedule } from '../due/schedule.ts'
import type { algoEnds } from '../events/event-fields.ts'
import type { EventLog } from '../events/event-log.ts'
import { sideOf } from '../orders/draft.ts'
import type { State } from '../state/state.ts'
import type { Algo, AlgoKind } from './algo.ts'

/** What every command that places one has. */
type Asked = OnMarket &
  Readonly<{ side: Side; size: number; reduceOnly: boolean; clientOrderId: string | null }>

/** What not every kind has. */
type Terms = Partial<Pick<Algo, 'slippagePpm' | 'slices'>>

/** An algo that was checked begins: its first step is due at once. */
export function beginAlgo(
  state: State,
  log: EventLog,
  { account, proof, market, side, size, reduceOnly, clientOrderId }: Asked,
  kind: AlgoKind,
  { slippagePpm = 0, slices = 0 }: Terms,
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
    steps: 0,
    steppedAt: state.atMs,
    dueAt: 0,
    filled: 0,
    filledValue: 0,
    orders: [],
  }
  adoptAlgo(state, algo)
  const terms = { side, size, reduceOnly, slices, slippagePpm, clientOrderId }
  log.write({ type: 'AlgoPlaced', order: id, account, market, kind, ...terms })
  planStep(state, algo, state.atMs)
}

/** Takes a running algo into the state; it must have the largest id of its account. */
export function adoptAlgo(state: State, algo: Algo): void {
  const { positions, accounts } = state
  const record = accounts.records[algo.account]!
  state.algos.set(algo.id, algo)
  record.algos ??= new Set()
  record.algos.add(algo.id)
  positions.algoCount[algo.position] = positions.algoCount[algo.position]! + 1
}

export function dropAlgo(state: State, algo: Algo): void {
  const { positions, accounts } = state
  state.algos.delete(algo.id)
  accounts.records[algo.account]!.algos!.delete(algo.id)
  positions.algoCount[algo.position] = positions.algoCount[algo.position]! - 1
}

/** The next step of an algo is due then. */
export function planStep(state: State, algo: Algo, at: number): void {
  algo.dueAt = at
  schedule(state, { at, kind: DUE_STEP, id: algo.id })
}

export type AlgoEnd = (typeof algoEnds)[number]

/** An order of an algo is over. */
export function endChild(state: State, log: EventLog, id: number, order: number): void {
  const algo = state.algos.get(id)
  if (algo === undefined) return
  algo.orders.splice(algo.orders.indexOf(order), 1)
  finishSliced(state, log, algo)
}

/** All slices have been made, and their orders are over. */
export function finishSliced(state: State, log: EventLog, algo: Algo): void {
  if (algo.steps < algo.slices || algo.orders.length !== 0) return
  dropAlgo(state, algo)
  tellEnded(log, algo, 'finished')
}

export function tellEnded(log: EventLog, algo: Algo, reason: AlgoEnd): void {
  const { id, account, market, filled, filledValue } = algo
  log.write({ type: 'AlgoEnded', algo: id, account, market, filled, filledValue, reason })
}

/** Those of one account by rising id, without a look at anybody else's. */
export function algosOf(state: State, account: number): Algo[] {
  const ids = state.accounts.records[account]?.algos ?? []
  return [...ids].map((id) => state.algos.get(id)!)
}
