// The TWAPs that run: taken into the state, found, ended (TRIG-6).

import type { twapEnds } from '../events/event-fields.ts'
import type { EventLog } from '../events/event-log.ts'
import type { State } from '../state/state.ts'
import type { Twap } from './twap.ts'

/** Takes a running TWAP into the state; it must have the largest id of its account. */
export function adoptTwap(state: State, twap: Twap): void {
  const { positions, accounts } = state
  const record = accounts.records[twap.account]!
  state.twaps.set(twap.id, twap)
  record.twaps ??= new Set()
  record.twaps.add(twap.id)
  positions.twapCount[twap.position] = positions.twapCount[twap.position]! + 1
}

export function dropTwap(state: State, twap: Twap): void {
  const { positions, accounts } = state
  state.twaps.delete(twap.id)
  accounts.records[twap.account]!.twaps!.delete(twap.id)
  positions.twapCount[twap.position] = positions.twapCount[twap.position]! - 1
}

export type TwapEnd = (typeof twapEnds)[number]

/** The order of a slice is over. */
export function endSlice(state: State, log: EventLog, id: number, order: number): void {
  const twap = state.twaps.get(id)
  if (twap === undefined) return
  twap.orders.splice(twap.orders.indexOf(order), 1)
  finishTwap(state, log, twap)
}

/** All slices have been made, and their orders are over. */
export function finishTwap(state: State, log: EventLog, twap: Twap): void {
  if (twap.done < twap.slices || twap.orders.length !== 0) return
  dropTwap(state, twap)
  tellTwapEnded(log, twap, 'finished')
}

export function tellTwapEnded(log: EventLog, twap: Twap, reason: TwapEnd): void {
  const { id, account, market, filled, filledValue } = twap
  log.write({ type: 'TwapEnded', twap: id, account, market, filled, filledValue, reason })
}

/** Those of one account by rising id, without a look at anybody else's. */
export function twapsOf(state: State, account: number): Twap[] {
  const ids = state.accounts.records[account]?.twaps ?? []
  return [...ids].map((id) => state.twaps.get(id)!)
}
