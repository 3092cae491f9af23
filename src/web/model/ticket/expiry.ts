// Expiry of an order of the ticket: after a period, by the clock of the exchange, or at a moment,
// by the clock of the user.

import { type Tif, timesInForce } from '../../../protocol/words.ts'
import { dateText } from '../number-text.ts'
import type { OrderKind } from './order-kinds.ts'

const minute = 60_000

/** Options for the expiry, in the order of the menu. */
export const endings = [
  { value: 'never', label: 'No end time', ms: null },
  { value: '10m', label: 'Ends in 10 minutes', ms: 10 * minute },
  { value: '1h', label: 'Ends in 1 hour', ms: 60 * minute },
  { value: '1d', label: 'Ends in 1 day', ms: 24 * 60 * minute },
  { value: 'at', label: 'Ends at a time', ms: null },
] as const

export type Ending = (typeof endings)[number]['value']

/** The relevant fields of a ticket. */
type Ended = Readonly<{
  kind: OrderKind
  tif: Tif
  postOnly: boolean
  ends: Ending
  /** Local time in the format of date and time inputs, such as `2026-11-01T12:30`. */
  endsAt: string
}>

/** Minimum time in ms until an expiry that the exchange accepts. */
const aheadMsMin = 1_000

/** Whether the order can expire. Orders that never rest need no expiry; a TWAP has its own end. */
export function canEnd({ kind, tif, postOnly }: Omit<Ended, 'ends' | 'endsAt'>): boolean {
  if (kind === 'limit') return postOnly || timesInForce[tif].rests
  return kind !== 'market' && kind !== 'twap'
}

/** Options that a chase does not have. A chase ends after an hour in any case. */
const beyondChase: ReadonlySet<Ending> = new Set<Ending>(['1h', '1d'])

/** The options of a kind of order. */
export function endingsOf(kind: OrderKind) {
  if (kind !== 'chase') return endings
  return endings
    .filter(({ value }) => !beyondChase.has(value))
    .map((each) => (each.value === 'never' ? { ...each, label: 'Ends in 1 hour' } : each))
}

export const endingOf = ({ kind, ends }: Pick<Ended, 'kind' | 'ends'>): Ending =>
  kind === 'chase' && beyondChase.has(ends) ? 'never' : ends

/** Expiry time; `null` if the order does not expire, or the moment is invalid. */
export function expireTimeOf(draft: Ended, now: number): number | null {
  if (!canEnd(draft) || endingOf(draft) === 'never') return null
  if (draft.ends === 'at') {
    const time = Date.parse(draft.endsAt)
    return Number.isNaN(time) ? null : time
  }
  return now + (endings.find(({ value }) => value === draft.ends)?.ms ?? 0)
}

/** Problem of the moment; `null` if there is none. */
export function expiryProblem(draft: Ended, now: number): string | null {
  if (!canEnd(draft) || endingOf(draft) === 'never') return null
  const time = expireTimeOf(draft, now)
  if (time === null) return 'The time at which it ends is missing'
  if (time >= now + aheadMsMin) return null
  return `The order would have ended: on the exchange it is ${dateText(now)}`
}
