// Ends an algo before it completes (ALGO-1).

import { cancelReasons } from '../../words/order-words.ts'
import type { EventLog } from '../events/event-log.ts'
import { cancelSlot } from '../orders/order-life.ts'
import type { Algo } from '../state/algo.ts'
import type { State } from '../state/state.ts'
import { type AlgoEnd, dropAlgo, logEnded } from './algo-life.ts'

/** Cancels the algo's orders first, for the same reason. `code` is that of the rejection, or 0. */
export function stopAlgo(
  state: State,
  log: EventLog,
  algo: Algo,
  reason: Exclude<AlgoEnd, 'finished'>,
  code = 0,
): void {
  dropAlgo(state, algo)
  for (const order of algo.orders)
    cancelSlot(state, log, state.orders.slotOf(order), cancelReasons.indexOf(reason), code)
  logEnded(log, algo, reason)
}
