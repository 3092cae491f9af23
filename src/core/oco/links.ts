// Links the two legs of an OCO (TRIG-14). The bit LINKED of an order says that another leg exists;
// only then is it looked up.

import { broken } from '../../units/invariant.ts'
import { LINKED } from '../pools/order-pool.ts'
import type { State } from '../state/state.ts'

/** Links two stops, or an order and a stop. */
export function linkLegs(state: State, one: number, other: number): void {
  if (one === other) broken('an order is the other leg of itself', one)
  for (const id of [one, other]) if (state.oco.has(id)) broken('a leg has another leg already', id)
  state.oco.set(one, other)
  state.oco.set(other, one)
  for (const id of [one, other]) setFlag(state, id, LINKED)
}

/** Returns the id of the other leg, or 0. */
export function otherLeg({ oco }: State, id: number): number {
  return oco.get(id) ?? 0
}

/** Unlinks a leg. Returns the other leg, or 0. */
export function unlink(state: State, id: number): number {
  const other = otherLeg(state, id)
  if (other === 0) return 0
  if (otherLeg(state, other) !== id) broken('two legs do not name each other, the other is', other)
  for (const leg of [id, other]) {
    state.oco.delete(leg)
    setFlag(state, leg, 0)
  }
  return other
}

function setFlag({ orders }: State, id: number, flag: number): void {
  const slot = orders.slotOf(id)
  if (slot !== 0) orders.setFlags(slot, (orders.flags(slot) & ~LINKED) | flag)
}
