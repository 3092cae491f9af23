// The queue of due work, and engine time itself. Work is scheduled here and executed by
// due-work.ts, which knows all kinds.

import { broken } from '../../units/invariant.ts'
import { divFloor } from '../../units/rounding.ts'
import { INSURANCE } from '../pools/account-pool.ts'
import { WAITING } from '../pools/order-pool.ts'
import { DUE_CHANGE, DUE_RELEASE, DUE_SCHEDULE, DUE_STEP, type Due } from '../queues/due-queue.ts'
import { dayMs, type KeptBatch, type State } from '../state/state.ts'
import { hasOverdue } from './expiry.ts'

export function setTime(state: State, atMs: number): void {
  if (!(atMs >= state.atMs)) broken('engine time goes back, to', atMs)
  state.atMs = atMs
  if (atMs >= (state.day + 1) * dayMs) beginDay(state, divFloor(atMs, dayMs))
}

/** Runs before everything else on that day. */
function beginDay(state: State, day: number): void {
  const { brake, accounts } = state
  if (brake.setting !== null) brake.dayBegins(day - state.day, accounts.balance[INSURANCE]!)
  state.day = day
}

/** Number of entries that are tolerated: pending changes of markets, which are rare, and stale
 *  entries that are not worth a scan. */
const spareEntries = 1_024

export function schedule(state: State, due: Due): void {
  const { orders, algos, deferred, accounts } = state
  const things = orders.count + algos.size + deferred.size + accounts.count
  const { due: others, releases, steps } = state
  const entries = others.entries.length + releases.entries.length + steps.entries.length
  if (entries > spareEntries + 2 * things) dropGone(state)
  if (due.kind === DUE_RELEASE) releases.push(due)
  else if (due.kind === DUE_STEP) steps.push(due)
  else others.push(due)
  if (due.at < state.nextDueAt) state.nextDueAt = due.at
}

/** Schedules the deferred actions of a batch when none of its orders waits any more, but not before
 *  its speed bump ends (ORDER-10). */
export function planKept(state: State, batch: KeptBatch): void {
  const at = Math.max(batch.bumpEnd, state.atMs)
  for (const id of batch.actions) {
    const deferred = state.deferred.get(id)
    if (deferred === undefined) continue
    deferred.dueAt = at
    schedule(state, { at, kind: DUE_RELEASE, id })
  }
}

/** Schedules the expiry of an order or stop (ORDER-14). */
export function scheduleExpiry(state: State, id: number, at: number): void {
  keepExpiry(state, id, at)
  if (at < state.nextDueAt) state.nextDueAt = at
}

/** Adds an expiry to the queue. For an order in a slot, the slot keeps the queue position; other
 *  ids are found by id. */
export function keepExpiry({ orders, expiries }: State, id: number, at: number): void {
  const slot = orders.slotOf(id)
  if (slot === 0) expiries.addById(id, at)
  else orders.setExpiry(slot, expiries.add(id, at))
}

/** Removes stale entries, whose subject was removed or moved. An account that sets its scheduled
 *  cancel repeatedly leaves one each time, and may return to the same time. So does a market change
 *  that is announced, cancelled and announced again. */
function dropGone(state: State): void {
  const kept = new Set<string>()
  state.releases.keepOnly((due) => isThere(state, due))
  state.steps.keepOnly((due) => isThere(state, due))
  state.due.keepOnly((due) => {
    if (!isThere(state, due)) return false
    const key = `${due.kind} ${due.id} ${due.at}`
    if (kept.has(key)) return false
    kept.add(key)
    return true
  })
}

/** When the first entry that is not stale is due. Unlike the queue itself, the result is the same
 *  in a loaded state, which has no stale entries. */
export function nextQueuedAt(state: State): number {
  let first = state.expiries.firstAt()
  for (const { entries } of [state.due, state.releases, state.steps])
    for (const due of entries) if (due.at < first && isThere(state, due)) first = due.at
  return first
}

/** Whether the last command left over a release, an expiry or an algo step because of a limit. A
 *  step that is due exactly now may have been planned by that command, and needs no command of its
 *  own. */
export function hasLeftDue(state: State): boolean {
  const { releases, steps, atMs } = state
  const [release] = releases.entries
  const [step] = steps.entries
  return (
    (release !== undefined && release.at <= atMs) ||
    (step !== undefined && step.at < atMs) ||
    hasOverdue(state)
  )
}

/** Whether the entry's subject still exists and is due at that time. */
export function isThere(state: State, { at, kind, id }: Due): boolean {
  switch (kind) {
    case DUE_SCHEDULE:
      return state.accounts.scheduleAt[id] === at
    case DUE_CHANGE:
      return state.markets[id]!.changes.some((change) => change.at === at)
    case DUE_RELEASE: {
      const slot = state.orders.slotOf(id)
      if (slot === 0) return state.deferred.get(id)?.dueAt === at
      if (state.orders.stage(slot) !== WAITING) return false
      return state.orders.stageAt(slot) === at || state.leftReleases.get(id) === at
    }
    case DUE_STEP:
      return state.algos.get(id)?.dueAt === at
    default:
      return true
  }
}
