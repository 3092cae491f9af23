// Whether the levels of an order fit it (TRIG-5).

import type { Level } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { Draft } from '../orders/draft.ts'
import { firstRefusal, levelOnGrid, levelSizeRefusal } from './level-checks.ts'

export function attachedRefusal(draft: Draft): Rejection | null {
  const { takeProfits, stopLosses } = draft
  return (
    firstRefusal(takeProfits, (level) => tickRefusal(draft, level, 1)) ??
    firstRefusal(stopLosses, (level) => tickRefusal(draft, level, -1)) ??
    firstRefusal(takeProfits, (level) => sizeRefusal(draft, level)) ??
    firstRefusal(stopLosses, (level) => sizeRefusal(draft, level)) ??
    (draft.reduceOnly ? refuse('INVALID_STOP_ORDER_REDUCE_ONLY') : null)
  )
}

/** `profit` +1: the level must lie on the winning side of the order's price; −1: on the losing. Of
 *  a market order that is the mark: its worst price is only how bad it may get. */
function tickRefusal(draft: Draft, level: Level, profit: number): Rejection | null {
  if (!levelOnGrid(draft.market, level)) return refuse('INVALID_STOP_TICK', 0, 0)
  if (level.trail != null) return null
  const price = draft.isMarket ? draft.market.mark : draft.price
  if ((level.stopPrice - price) * draft.sign * profit > 0) return null
  return refuse('INVALID_STOP_TICK', level.stopPrice, price)
}

function sizeRefusal(draft: Draft, level: Level): Rejection | null {
  return level.size === null ? null : levelSizeRefusal(level.size, draft.size)
}
