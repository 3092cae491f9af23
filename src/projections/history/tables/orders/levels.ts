// Levels that came with an order or a stop. An order that replaces it gets the levels, and they
// become visible to other readers together with it.

import type { FedOutcome } from '../../chunk.ts'
import type { Database } from '../../projection.ts'
import { pick, select } from '../../rows/select.ts'
import { orders } from '../../schema/order-table.ts'
import type { LiveOrder, OrderEvents } from './order-events.ts'
import { isStop, MARKET } from './order-words.ts'

/** Maximum number of levels of an order, of both kinds together, under any rules (TRIG-12). */
const levelsMax = 10

export class Levels {
  private readonly events: OrderEvents
  private readonly found

  constructor(database: Database, events: OrderEvents) {
    this.events = events
    this.found = select(
      database,
      pick(orders, 'id'),
      `FROM orders WHERE id BETWEEN ?1 + 1 AND ?1 + ${levelsMax} AND stopPrice IS NOT NULL`,
    )
  }

  private *of({ levelsAfter }: LiveOrder, parent: number): Iterable<LiveOrder> {
    for (const { id } of this.found.all(levelsAfter)) {
      const level = this.events.live(id)
      if (level.parent === parent && !level.hasEnded()) yield level
    }
  }

  /** Records the parent of a new level. */
  comeWith(level: LiveOrder, id: number): void {
    const parent = this.events.find(id)
    if (isStop(parent?.type ?? MARKET)) level.source = id
    if (parent === null) return
    parent.mayHaveLevels = true
    level.released = parent.released || parent.hasEnded()
  }

  /** Moves levels to a new order: an edit keeps the levels of the order (ORDER-9), and the order
   *  of a triggered stop gets those of the stop (TRIG-13). */
  *moved(outcome: FedOutcome, from: number, to: LiveOrder): Iterable<LiveOrder> {
    for (const level of this.of(to, from)) {
      level.parent = to.id
      level.source = null
      to.mayHaveLevels = true
      // A new order that is not delayed by the speed bump is visible, and so are its levels.
      if (to.released) this.reveal(outcome, level)
      yield level
    }
  }

  /** Makes the order and its levels visible to other readers. */
  reveal(outcome: FedOutcome, order: LiveOrder): void {
    if (order.released) return
    this.events.reveal(outcome, order)
    if (!order.mayHaveLevels) return
    for (const level of this.of(order, order.id)) this.reveal(outcome, level)
  }
}
