// Checks that levels fit the order that they are attached to, or the stop that places the order
// (TRIG-5, TRIG-13).

import type { Level } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { Market } from '../state/market.ts'
import {
  firstRefusal,
  levelOnGrid,
  levelSizeRefusal,
  slippageRefusal,
  trailRefusal,
} from './level-checks.ts'

type Parent = Readonly<{
  market: Market
  /** 1: the order buys, −1: it sells. */
  sign: number
  /** The price that the levels must lie on either side of. `null`: not known yet, because the stop
   *  trails. */
  price: number | null
  /** `null`: the whole position. */
  size: number | null
  reduceOnly: boolean
  takeProfits: readonly Level[]
  stopLosses: readonly Level[]
}>

export function attachedRefusal(parent: Parent): Rejection | null {
  return (
    attachedTickRefusal(parent) ?? attachedSlippageRefusal(parent) ?? attachedSizeRefusal(parent)
  )
}

export function attachedTickRefusal(parent: Parent): Rejection | null {
  return (
    firstRefusal(parent.takeProfits, (level) => tickRefusal(parent, level, 1)) ??
    firstRefusal(parent.stopLosses, (level) => tickRefusal(parent, level, -1))
  )
}

export function attachedSlippageRefusal(parent: Parent): Rejection | null {
  const { market, takeProfits, stopLosses } = parent
  return firstRefusal([...takeProfits, ...stopLosses], (level) => slippageRefusal(market, level))
}

export function attachedSizeRefusal(parent: Parent): Rejection | null {
  const { takeProfits, stopLosses, reduceOnly } = parent
  if (takeProfits.length + stopLosses.length === 0) return null
  return (
    firstRefusal(takeProfits, (level) => sizeRefusal(parent, level)) ??
    firstRefusal(stopLosses, (level) => sizeRefusal(parent, level)) ??
    (reduceOnly ? refuse('INVALID_STOP_ORDER_REDUCE_ONLY') : null)
  )
}

/** `profit` is +1 if the level must lie on the winning side of the parent's price, and −1 for the
 *  losing side. */
function tickRefusal(
  { market, sign, price }: Parent,
  level: Level,
  profit: number,
): Rejection | null {
  if (!levelOnGrid(market, level)) return refuse('INVALID_STOP_TICK', 0, 0)
  if (level.trail != null) return trailRefusal(level.trail, sign > 0, price ?? market.mark)
  if (price === null || (level.stopPrice - price) * sign * profit > 0) return null
  return refuse('INVALID_STOP_TICK', level.stopPrice, price)
}

function sizeRefusal({ size }: Parent, level: Level): Rejection | null {
  return level.size === null ? null : levelSizeRefusal(level.size, size ?? Number.MAX_SAFE_INTEGER)
}
