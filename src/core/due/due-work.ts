// What fell due by the time of a command, in the order of (due time, kind, id) (CORE-3). Engine
// time during a piece of due work is its due time.

import { divFloor } from '../../units/rounding.ts'
import type { EventLog } from '../events/event-log.ts'
import { rejected } from '../events/rejected.ts'
import { fixEpoch } from '../funding/fix-epoch.ts'
import { samplePremium } from '../funding/sample-premium.ts'
import { settleFunding } from '../funding/settle-funding.ts'
import { applyPendingChange } from '../markets/change-market.ts'
import { healthDueAt, loseFeed } from '../markets/feed-health.ts'
import { runAction } from '../orders/batch.ts'
import { WAITING } from '../orders/order-pool.ts'
import { releaseOrder } from '../orders/run-order.ts'
import { runScheduledCancel } from '../orders/schedule-cancel.ts'
import type { State } from '../state/state.ts'
import { runSlice } from '../triggers/run-twap.ts'
import { dueOf } from '../triggers/twap.ts'
import { settleAccount } from './account-reactions.ts'
import {
  DUE_CHANGE,
  DUE_EPOCH,
  DUE_HEALTH,
  DUE_RELEASE,
  DUE_SAMPLE,
  DUE_SCHEDULE,
  DUE_SLICE,
  type Due,
  isBefore,
} from './due-queue.ts'
import { setTime } from './schedule.ts'

export function runDueWork(state: State, log: EventLog, atMs: number): void {
  for (;;) {
    const due = firstDue(state, atMs)
    if (due === undefined || due.at > atMs) {
      state.nextDueAt = due === undefined ? Number.POSITIVE_INFINITY : due.at
      return
    }
    if (due.kind > DUE_SAMPLE) state.due.pop()
    if (due.at > state.atMs) setTime(state, due.at)
    runDue(state, log, due)
  }
}

/** The earliest of what is queued and what the markets' clocks bring. */
function firstDue(state: State, atMs: number): Due | undefined {
  let first = state.due.first()
  const consider = (due: Due): void => {
    if (first === undefined || isBefore(due, first)) first = due
  }
  for (const market of state.markets) {
    if (market === undefined || market.settled) continue
    const { id } = market
    const { samplePeriodMs: period, epochMs } = market.rules.funding
    const point = divFloor(atMs, period)
    consider({ at: healthDueAt(market), kind: DUE_HEALTH, id })
    consider({ at: (market.epoch + 1) * epochMs, kind: DUE_EPOCH, id })
    const next = point > market.samplePoint ? point : market.samplePoint + 1
    consider({ at: next * period, kind: DUE_SAMPLE, id })
  }
  return first
}

function runDue(state: State, log: EventLog, due: Due): void {
  const market = state.markets[due.id]!
  switch (due.kind) {
    case DUE_HEALTH:
      return loseFeed(state, log, market)
    case DUE_EPOCH:
      return fixEpoch(state, log, market)
    case DUE_SAMPLE:
      return samplePremium(
        state,
        log,
        market,
        divFloor(due.at, market.rules.funding.samplePeriodMs),
      )
    case DUE_SCHEDULE:
      if (state.accounts.scheduleAt[due.id] === due.at) runScheduledCancel(state, log, due.id)
      return
    case DUE_CHANGE:
      return applyPendingChange(state, log, market, due.at)
    case DUE_RELEASE:
      return release(state, log, due)
    case DUE_SLICE: {
      const twap = state.twaps.get(due.id)
      if (twap !== undefined && dueOf(twap) === due.at) runSlice(state, log, twap)
      return
    }
  }
}

/** An order or a deferred action of a batch; one that is gone meanwhile does nothing. */
function release(state: State, log: EventLog, { id, at }: Due): void {
  const slot = state.orders.slotOf(id)
  if (slot !== 0) {
    if (state.orders.stage(slot) !== WAITING || state.orders.stageAt(slot) !== at) return
    settleFunding(state, log, state.orders.account(slot))
    releaseOrder(state, log, slot)
    return
  }
  const deferred = state.deferred.get(id)
  if (deferred === undefined) return
  state.deferred.delete(id)
  settleAccount(state, log, deferred.action.account)
  const refusal = runAction(state, log, deferred.action)
  if (refusal !== null) rejected(log, refusal)
}
