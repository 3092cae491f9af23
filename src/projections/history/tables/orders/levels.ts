// Levels that came with an order or a stop. What replaces it takes them over, and they become
// visible to others together with it.

import type { FedOutcome } from '../../chunk.ts'
import type { Database } from '../../projection.ts'
import { pick, select } from '../../rows/select.ts'
import { orders } from '../../schema/order-table.ts'
import type { LiveOrder, OrderEvents } from './order-events.ts'
import { isStop, MARKET } from './order-words.ts'

/** As many as an order may bring, of both kinds together, under any rules (TRIG-12). */
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

  /** The order that a new level names as its parent. */
  comeWith(level: LiveOrder, id: number): void {
    const parent = this.events.find(id)
    if (isStop(parent?.type ?? MARKET)) level.source = id
    if (parent === null) return
    parent.mayHaveLevels = true
    level.released = parent.released || parent.hasEnded()
  }

  /** An edit takes the levels that came with the order along (ORDER-9), and the order of a stop
   *  those that came with the stop (TRIG-13). */
  *moved(outcome: FedOutcome, from: number, to: LiveOrder): Iterable<LiveOrder> {
    for (const level of this.of(to, from)) {
      level.parent = to.id
      level.source = null
      to.mayHaveLevels = true
      // A new order that is not at the speed bump is known, and its levels with it.
      if (to.released) this.reveal(outcome, level)
      yield level
    }
  }

  /** Others may know of the order, and of the levels that came with it, from here on. */
  reveal(outcome: FedOutcome, order: LiveOrder): void {
    if (order.released) return
    this.events.reveal(outcome, order)
    if (!order.mayHaveLevels) return
    for (const level of this.of(order, order.id)) this.reveal(outcome, level)
  }
}
