// Problems that prevent a draft from becoming a request: input that is not a number, or not an
// order that the exchange could check. The exchange checks everything else and answers with its
// numbers.

import { batchActionsMax } from '../../../protocol/batch-actions.ts'
import { formatGrid } from '../../../units/decimal.ts'
import { rowsProblem } from '../levels/level-rows.ts'
import { isOnGrid, type MarketGrid, onGrid } from '../market/market-grid.ts'
import type { TicketLimits } from '../market/markets.ts'
import { anyPlaces, entryProblem } from '../number-entry.ts'
import { expiryProblem } from './expiry.ts'
import {
  type Draft,
  isPriced,
  isTrailing,
  isTriggered,
  ownSlippage,
  type Places,
  rowsIn,
  sizePlaces,
  slippageName,
} from './order-draft.ts'
import type { FieldRefusal, TicketField } from './refusal-field.ts'

export type Problem = Readonly<{
  field: TicketField
  message: string
  /** Index of the level that has the problem. */
  row?: number
  /** The nearest accepted value, if there is a single one. */
  accepted?: string
}>

/** Converts a problem for display at its field. */
export const refusalBy = (problem: Problem): FieldRefusal => ({
  accepted: null,
  ...problem,
  code: 0,
})

type NumberEntry = Readonly<{ field: TicketField; what: string; text: string; places: number }>

/** First problem of the draft; `null` if there is none. `now` is on the clock of the exchange. */
export function problemOf(draft: Draft, places: Places, now: number): Problem | null {
  for (const { field, what, text, places: decimals } of entriesOf(draft, places)) {
    const wrong = entryProblem(text, decimals)
    if (wrong !== null) return { field, message: `${what} ${wrong}` }
  }
  return countProblem(draft) ?? endProblem(draft, now)
}

/** Required numbers of the draft, in the order of the fields. */
function entriesOf(draft: Draft, places: Places): readonly NumberEntry[] {
  const { kind, pair, activation } = draft
  const entry = (field: TicketField, what: string, text: string, decimals = anyPlaces) => [
    { field, what, text, places: decimals },
  ]
  const price = (field: TicketField, what: string, text: string) =>
    entry(field, what, text, places.tickPlaces)
  const slips = kind === 'market' || kind === 'twap' || ownSlippage(draft) !== null
  return [
    ...(isTriggered(draft) ? price('stop', 'The trigger price', draft.stop) : []),
    ...(kind === 'oco' && pair !== 'rests'
      ? price('below', 'The lower trigger price', draft.below)
      : []),
    ...(isTrailing(draft) ? entry('trail', 'The distance', draft.trail) : []),
    ...(isTrailing(draft) && activation !== ''
      ? price('activation', 'The price it starts at', activation)
      : []),
    ...(isPriced(draft) ? price('price', 'The price', draft.price) : []),
    ...(kind === 'scale' ? price('to', 'The last price', draft.to) : []),
    ...(kind === 'scale' ? entry('count', 'The number of orders', draft.count) : []),
    ...entry('amount', 'The size', draft.size, sizePlaces(draft, places)),
    ...(kind === 'iceberg'
      ? entry('display', 'What it shows', draft.display, places.lotPlaces)
      : []),
    ...(slips ? entry('slippage', 'The slippage', draft[slippageName(draft)]) : []),
    ...(kind === 'twap' ? entry('duration', 'The duration', draft.minutes) : []),
  ]
}

/** Problem of the number of orders, which a single signature limits. */
function countProblem({ kind, count }: Draft): Problem | null {
  const number = Number(count)
  if (kind !== 'scale' || (Number.isInteger(number) && number >= 2 && number <= batchActionsMax))
    return null
  const message = `${count} is not a number of orders from 2 to ${batchActionsMax}`
  return { field: 'count', message }
}

/** Step of minutes: three seconds. The exchange counts whole seconds, and no smaller decimal
 *  fraction of a minute is a whole number of seconds. */
const minuteStep = { stepValue: 5, stepScale: 2 }
const stepSeconds = 3

/** The exchange's limits for the duration of a TWAP. */
export function durationProblem({ kind, minutes }: Draft, limits: TicketLimits): Problem | null {
  if (kind !== 'twap') return null
  const least = formatGrid(Math.ceil(limits.twap_seconds_min / stepSeconds), minuteStep)
  const most = formatGrid(Math.floor(limits.twap_seconds_max / stepSeconds), minuteStep)
  const wrong = (message: string, accepted: string | null): Problem => ({
    field: 'duration',
    message,
    ...(accepted !== null && { accepted }),
  })
  const [short, long] = [Number(minutes) < Number(least), Number(minutes) > Number(most)]
  if (short || long)
    return wrong(
      `${minutes} is not a number of minutes from ${least} to ${most}`,
      short ? least : most,
    )
  if (isOnGrid(minutes, minuteStep)) return null
  const step = formatGrid(1, minuteStep)
  return wrong(
    `${minutes} minutes is not a whole number of seconds: a multiple of ${step} is`,
    onGrid(minutes, minuteStep),
  )
}

/** Problem of the first invalid row of levels. */
export function levelProblem(draft: Draft, amount: string, grid: MarketGrid): Problem | null {
  for (const field of ['take_profit', 'stop_loss'] as const) {
    const problem = rowsProblem(rowsIn(draft, field), field, amount, grid)
    if (problem !== null) return { field, ...problem }
  }
  return null
}

function endProblem(draft: Draft, now: number): Problem | null {
  const message = expiryProblem(draft, now)
  return message === null ? null : { field: 'expiry', message }
}
