// Ending a TWAP before its time (TRIG-6).

import { cancelReasons } from '../events/event-fields.ts'
import type { EventLog } from '../events/event-log.ts'
import { cancelSlot } from '../orders/order-life.ts'
import type { State } from '../state/state.ts'
import type { Twap } from './twap.ts'
import { dropTwap, type TwapEnd, tellTwapEnded } from './twap-life.ts'

/** Slices that wait end first, for the same reason. */
export function stopTwap(
  state: State,
  log: EventLog,
  twap: Twap,
  reason: Exclude<TwapEnd, 'finished'>,
): void {
  dropTwap(state, twap)
  for (const order of twap.orders)
    cancelSlot(state, log, state.orders.slotOf(order), cancelReasons.indexOf(reason), 0)
  tellTwapEnded(log, twap, reason)
}
