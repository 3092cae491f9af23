// Ends held credits whose effect has already happened (ACCT-10): the deposit has arrived, or the
// withdrawal has ended.

import type { EventLog } from '../events/event-log.ts'
import type { State, WaitingCredit } from '../state/state.ts'

export function endCredits(
  { credits }: State,
  log: EventLog,
  isOver: (credit: WaitingCredit) => boolean,
): void {
  for (const [credit, each] of credits) {
    if (!isOver(each)) continue
    credits.delete(credit)
    log.write({ type: 'CreditDropped', credit })
  }
}
