// The dead man's switch: cancels the account's orders at a set time (TRIG-7).

import { cancelReasons } from '../../words/order-words.ts'
import { admissionRefusal } from '../admission/admit.ts'
import { algosOf } from '../algos/algo-life.ts'
import { stopAlgo } from '../algos/stop-algo.ts'
import type { ScheduleCancel } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { DUE_SCHEDULE } from '../queues/due-queue.ts'
import type { State } from '../state/state.ts'
import { schedule } from '../timing/schedule.ts'
import { cancelEach, liveOrders } from './cancel-order.ts'
import { cancelKept } from './kept-actions.ts'
import { SCHEDULED } from './order-life.ts'

export function scheduleCancel(
  state: State,
  log: EventLog,
  command: ScheduleCancel,
): Rejection | null {
  const refusal = admissionRefusal(state, log, command, 'trade')
  if (refusal !== null) return refusal
  const { account, time, keepProtective } = command
  const { accounts } = state
  const earliest = state.atMs + state.rules.limits.scheduleAheadMsMin
  if (time !== null && !(Number.isSafeInteger(time) && time >= earliest))
    return refuse('INVALID_TIME', Number.isSafeInteger(time) ? time : 0, earliest)
  accounts.scheduleAt[account] = time ?? 0
  accounts.scheduleKeep[account] = keepProtective ? 1 : 0
  if (time !== null) schedule(state, { at: time, kind: DUE_SCHEDULE, id: account })
  log.write({ type: 'CancelScheduled', account, time: time ?? 0, keepProtective })
  return null
}

/** Runs the scheduled cancel. Algos end together with the orders. */
export function runScheduledCancel(state: State, log: EventLog, account: number): void {
  const { accounts } = state
  accounts.scheduleAt[account] = 0
  const keepProtective = accounts.scheduleKeep[account] === 1
  cancelEverything(state, log, { account, keepProtective, reason: SCHEDULED })
}

/** Cancels orders, stops and levels, then algos. `keepProtective` spares protective ones. */
export function cancelEverything(
  state: State,
  log: EventLog,
  request: Readonly<{ account: number; keepProtective: boolean; reason: number }>,
): void {
  const { account, keepProtective, reason } = request
  const spared = keepProtective ? 'protective' : 'none'
  cancelEach(state, log, account, liveOrders(state, account, 0, spared), reason)
  const kept = { account, market: 0, spared, before: state.nextOrderId } as const
  cancelKept(state, log, kept, cancelReasons[reason]!)
  for (const algo of algosOf(state, account)) stopAlgo(state, log, algo, 'owner')
}
