// The algo kind `iceberg`: shows a part of the size, and the next part when it is filled (ALGO-3).

import { divCeil } from '../../units/rounding.ts'
import { marketAdmissionRefusal } from '../admission/admit.ts'
import type { PlaceIceberg } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { settleFunding } from '../funding/settle-funding.ts'
import { type Asking, askingOf } from '../margin/position-row.ts'
import { trades } from '../prices/trading.ts'
import type { Algo } from '../state/algo.ts'
import type { State } from '../state/state.ts'
import { closableOf } from './algo-draft.ts'
import { beginAlgo, endAlgo, planStep } from './algo-life.ts'
import { restingRefusal } from './check-algo.ts'
import { placeChild } from './child-order.ts'

export function placeIceberg(state: State, log: EventLog, command: PlaceIceberg): Rejection | null {
  const { price, display, expireTime } = command
  const refusal =
    marketAdmissionRefusal(state, log, command, 'trade') ??
    icebergRefusal(state, command, askingOf(state, command))
  if (refusal !== null) return refusal
  beginAlgo(state, log, command, 'iceberg', { price, display, expireTime: expireTime ?? null })
  return null
}

/** The account and the market exist. */
export function icebergRefusal(state: State, command: PlaceIceberg, by: Asking): Rejection | null {
  return restingRefusal(state, command, by, {
    kind: 'iceberg',
    lots: command.display,
    latest: null,
    numbersRefusal: () => displayRefusal(state, command),
  })
}

/** Rejects too many parts, and a part that is larger than the size. */
function displayRefusal({ rules }: State, { size, display }: PlaceIceberg): Rejection | null {
  const least = divCeil(size, rules.limits.icebergParts)
  if (Number.isSafeInteger(display) && display >= least && display <= size) return null
  return refuse('INVALID_AMOUNT', Number.isSafeInteger(display) ? display : 0)
}

/** Shows the next part, at the end of its price level. */
export function showPart(state: State, log: EventLog, algo: Algo): void {
  if (trades(state, state.markets[algo.market]!)) {
    settleFunding(state, log, algo.account)
    const lots = closableOf(state, algo, Math.min(algo.display, algo.size - algo.filled))
    if (lots === 0) return endAlgo(state, log, algo, 'finished')
    placeChild(state, log, algo, algo.price, lots)
  }
  if (state.algos.has(algo.id) && algo.orders.length === 0)
    planStep(state, algo, state.commandAtMs + state.rules.limits.icebergRetryMs)
}
