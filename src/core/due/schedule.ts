// What is queued to fall due, and engine time itself. Whoever plans something schedules it here; to
// carry it out is the business of due-work.ts, which knows everybody.

import { divFloor } from '../../units/rounding.ts'
import { hasOverdue } from '../orders/expiry.ts'
import { WAITING } from '../orders/order-pool.ts'
import { dayMs, type State } from '../state/state.ts'
import { dueOf } from '../triggers/twap.ts'
import { DUE_CHANGE, DUE_RELEASE, DUE_SCHEDULE, DUE_SLICE, type Due } from './due-queue.ts'

export function setTime(state: State, atMs: number): void {
  state.atMs = atMs
  if (atMs >= (state.day + 1) * dayMs) state.day = divFloor(atMs, dayMs)
}

/** Pending changes of markets, which are rare, and entries that are not worth a walk. */
const spareEntries = 1_024

export function schedule(state: State, due: Due): void {
  const { orders, twaps, deferred, accounts } = state
  const things = orders.count + twaps.size + deferred.size + accounts.count
  if (state.due.entries.length + state.releases.entries.length > spareEntries + 2 * things)
    dropGone(state)
  if (due.kind === DUE_RELEASE) state.releases.push(due)
  else state.due.push(due)
  if (due.at < state.nextDueAt) state.nextDueAt = due.at
}

/** The order or stop ends then (ORDER-14). */
export function scheduleExpiry(state: State, id: number, at: number): void {
  state.expiries.add(id, at)
  if (at < state.nextDueAt) state.nextDueAt = at
}

/** Entries of things that are gone, or have moved: an account that sets its scheduled cancel again
 *  and again leaves one each time, and may come back to the same moment; so does a change of a
 *  market that is announced, cancelled and announced again. */
function dropGone(state: State): void {
  const kept = new Set<string>()
  state.releases.keepOnly((due) => isThere(state, due))
  state.due.keepOnly((due) => {
    if (!isThere(state, due)) return false
    if (due.kind === DUE_SLICE) return true
    const key = `${due.kind} ${due.id} ${due.at}`
    if (kept.has(key)) return false
    kept.add(key)
    return true
  })
}

/** When the first queued thing that is still there falls due. Unlike the queue itself this is the
 *  same in a state that was loaded, which knows nothing of things that are gone. */
export function nextQueuedAt(state: State): number {
  let first = state.expiries.firstAt()
  for (const { entries } of [state.due, state.releases])
    for (const due of entries) if (due.at < first && isThere(state, due)) first = due.at
  return first
}

/** A release or an expiry that the last command had no room for. */
export function hasLeftDue(state: State): boolean {
  const release = state.releases.first()
  return (release !== undefined && release.at <= state.atMs) || hasOverdue(state)
}

/** Whether the thing is still there, and due then. */
export function isThere(state: State, { at, kind, id }: Due): boolean {
  switch (kind) {
    case DUE_SCHEDULE:
      return state.accounts.scheduleAt[id] === at
    case DUE_CHANGE:
      return state.markets[id]!.changes.some((change) => change.at === at)
    case DUE_RELEASE: {
      const slot = state.orders.slotOf(id)
      if (slot === 0) return state.deferred.get(id)?.releaseAt === at
      return state.orders.stage(slot) === WAITING && state.orders.stageAt(slot) === at
    }
    case DUE_SLICE: {
      const twap = state.twaps.get(id)
      return twap !== undefined && dueOf(twap) === at
    }
    default:
      return true
  }
}
