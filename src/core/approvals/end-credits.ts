// A credit that waits is over when what it would do has been done (ACCT-10): its deposit has come,
// or its withdrawal has ended.

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
