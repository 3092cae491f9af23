// What takeovers and deleveragings came to: whether all of a position went, and what it paid.

import type { Event } from '../../../../src/core/events/event-fields.ts'

export const wantedOfForced = [
  'taken over in part',
  'deleveraged with margin',
  'deleveraged without margin',
  'deleveraged out of a wallet',
]

/** The fill of the closed account comes before the event of the takeover or deleveraging. */
export function* forcedCircumstances(event: Event): Generator<string> {
  if (event.type === 'Filled' && event.role === 'taker') {
    const { cause, positionLots, wallet } = event
    if (cause === 'backstop_liquidation' && positionLots !== 0) yield 'taken over in part'
    if (cause === 'deleverage' && wallet > 0) yield 'deleveraged out of a wallet'
  }
  if (event.type !== 'Deleveraged') return
  yield event.margin === 0 ? 'deleveraged without margin' : 'deleveraged with margin'
}
