// Manual credits that wait for a second operator, as events describe them.

import type { Event } from '../../../../src/core/events/event-fields.ts'

type Held = Readonly<{ credit: number; reference: string }>

export class HeldCredits {
  all: readonly Held[] = []

  /** Whether the event was about one. */
  fold(event: Event): boolean {
    if (event.type === 'CreditHeld') {
      this.all = [...this.all, { credit: event.credit, reference: event.reference ?? '' }]
      return true
    }
    if (event.type !== 'CreditApproved' && event.type !== 'CreditDropped') return false
    this.all = this.all.filter(({ credit }) => credit !== event.credit)
    return true
  }
}
