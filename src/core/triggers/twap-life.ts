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

function dropTwap(state: State, twap: Twap): void {
  const { positions, accounts } = state
  state.twaps.delete(twap.id)
  accounts.records[twap.account]!.twaps!.delete(twap.id)
  positions.twapCount[twap.position] = positions.twapCount[twap.position]! - 1
}

export function endTwap(
  state: State,
  log: EventLog,
  twap: Twap,
  reason: (typeof twapEnds)[number],
): void {
  const { id, account, market, filled, filledValue } = twap
  dropTwap(state, twap)
  log.write({ type: 'TwapEnded', twap: id, account, market, filled, filledValue, reason })
}

/** Those of one account by rising id, without a look at anybody else's. */
export function twapsOf(state: State, account: number): Twap[] {
  const ids = state.accounts.records[account]?.twaps ?? []
  return [...ids].map((id) => state.twaps.get(id)!)
}
