// Places of resting orders in the queues of the book, for replies and streams. Counting them takes
// time in proportion to the orders around them, so the frames of all readers share an allowance.

import type { MarketParams, QueuePosition } from '../core/index.ts'
import { sizeText } from '../projections/market-text.ts'

/** Number of orders that all frames of a second may count through: a few milliseconds. */
const stepsPerSecond = 1_000_000

/** The field of an open order; empty if it does not rest. */
export function queueWire(params: MarketParams, position: QueuePosition | null | undefined) {
  if (position === undefined) return {}
  if (position === null) return { queue: null }
  const { ahead, behind, ordersAhead } = position
  return {
    queue: {
      ahead: sizeText(params, ahead),
      behind: sizeText(params, behind),
      orders_ahead: ordersAhead,
    },
  }
}

export class QueueAllowance {
  private left = stepsPerSecond
  private renewAt = 0

  /** Whether a frame may be made now. The one that exceeds the allowance is the last of its
   *  second. */
  isOpen(nowMs: number): boolean {
    if (nowMs >= this.renewAt) {
      this.renewAt = nowMs + 1_000
      this.left = stepsPerSecond
    }
    return this.left > 0
  }

  spend(steps: number): void {
    this.left -= steps
  }
}
