// Runs work that is due by the time of a command, in the order of (due time, kind, id) (CORE-3).
// While an item runs, engine time is its due time. Each command runs a limited number of expiries
// and releases; those left over by an earlier command run first, at the time of this command. Algo
// steps are limited too, and those left over run in their normal order.

import { runStep } from '../algos/run-step.ts'
import type { EventLog } from '../events/event-log.ts'
import { fixEpoch } from '../funding/fix-epoch.ts'
import { applyPendingChanges } from '../markets/change-market.ts'
import { healthDueAt, loseFeed } from '../markets/feed-health.ts'
import { shareFees } from '../markets/reserves.ts'
import { cancelLeg } from '../oco/end-leg.ts'
import { EXPIRED } from '../orders/order-life.ts'
import { runScheduledCancel } from '../orders/schedule-cancel.ts'
import {
  DUE_CHANGE,
  DUE_EPOCH,
  DUE_EXPIRY,
  DUE_HEALTH,
  DUE_RELEASE,
  DUE_SCHEDULE,
  DUE_STEP,
  type Due,
  isBefore,
} from '../queues/due-queue.ts'
import type { State } from '../state/state.ts'
import { isThere, setTime } from '../timing/schedule.ts'
import { isTooLate, mayRelease, release } from './releases.ts'

export function runDueWork(state: State, log: EventLog, atMs: number): void {
  const lastAtMs = state.atMs
  let expiries = runLeftExpiries(state, log, atMs, lastAtMs)
  runLeftReleases(state, log, atMs, lastAtMs)
  let steps = state.rules.limits.stepsPerCommand
  for (;;) {
    const due = firstDue(state, expiries > 0, mayRelease(state), steps > 0)
    if (due === undefined || due.at > atMs) {
      state.nextDueAt = nextDueAt(state, due)
      return
    }
    if (due.kind === DUE_RELEASE) {
      state.releases.pop()
      if (!isThere(state, due)) continue
    } else if (due.kind === DUE_STEP) {
      state.steps.pop()
      if (!isThere(state, due)) continue
      steps -= 1
    } else if (due.kind === DUE_EXPIRY) expiries -= 1
    else if (due.kind > DUE_EPOCH) state.due.pop()
    if (due.at > state.atMs) setTime(state, due.at)
    runDue(state, log, due)
  }
}

/** Runs expiries that were due at or before the time of the last command. Returns how many more
 *  this command may run. */
function runLeftExpiries(state: State, log: EventLog, atMs: number, lastAtMs: number): number {
  let room = state.rules.limits.expiriesPerCommand
  let first = state.expiries.first()
  for (; room > 0 && first !== undefined && first.at <= lastAtMs; first = state.expiries.first()) {
    room -= 1
    setTime(state, atMs)
    cancelLeg(state, log, first.id, EXPIRED)
  }
  return room
}

/** Does the same for releases, including deferred actions. */
function runLeftReleases(state: State, log: EventLog, atMs: number, lastAtMs: number): void {
  while (mayRelease(state)) {
    const first = state.releases.first()
    if (first === undefined || first.at > lastAtMs) return
    state.releases.pop()
    if (!isThere(state, first) || isTooLate(state, first, atMs)) continue
    setTime(state, atMs)
    release(state, log, first)
  }
}

/** Work that was left over because a limit was reached is due immediately. */
function nextDueAt({ releases, steps, expiries }: State, due: Due | undefined): number {
  const never = Number.POSITIVE_INFINITY
  const left = Math.min(releases.first()?.at ?? never, steps.first()?.at ?? never)
  return Math.min(left, expiries.firstAt(), due?.at ?? never)
}

/** Returns the earliest item of the queues and of the markets' clocks. */
function firstDue(
  state: State,
  withExpiries: boolean,
  withReleases: boolean,
  withSteps: boolean,
): Due | undefined {
  let first = state.due.first()
  const consider = (due: Due): void => {
    if (first === undefined || isBefore(due, first)) first = due
  }
  const expiry = withExpiries ? state.expiries.first() : undefined
  if (expiry !== undefined) consider({ at: expiry.at, kind: DUE_EXPIRY, id: expiry.id })
  const release = withReleases ? state.releases.first() : undefined
  if (release !== undefined) consider(release)
  const step = withSteps ? state.steps.first() : undefined
  if (step !== undefined) consider(step)
  if (state.feesHour !== 0)
    consider({ at: (state.feesHour + 1) * state.rules.fees.shareMs, kind: DUE_EPOCH, id: 0 })
  for (const market of state.markets) {
    if (market === undefined || market.settled) continue
    const { id } = market
    const { epochMs } = market.rules.funding
    consider({ at: healthDueAt(market), kind: DUE_HEALTH, id })
    consider({ at: (market.epoch + 1) * epochMs, kind: DUE_EPOCH, id })
  }
  return first
}

function runDue(state: State, log: EventLog, due: Due): void {
  const market = state.markets[due.id]!
  switch (due.kind) {
    case DUE_HEALTH:
      return loseFeed(state, log, market)
    case DUE_EPOCH:
      return due.id === 0 ? shareFees(state, log) : fixEpoch(state, log, market)
    case DUE_SCHEDULE:
      if (state.accounts.scheduleAt[due.id] === due.at) runScheduledCancel(state, log, due.id)
      return
    case DUE_EXPIRY:
      return cancelLeg(state, log, due.id, EXPIRED)
    case DUE_CHANGE:
      return applyPendingChanges(state, log, market, due.at)
    case DUE_RELEASE:
      return release(state, log, due)
    case DUE_STEP:
      return runStep(state, log, state.algos.get(due.id)!)
  }
}
