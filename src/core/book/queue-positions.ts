// The places of resting orders in the queues of their prices. Priority is a linked list, so a place
// is counted and not stored: the book stays as fast as before, and only readers pay.

import { broken } from '../../units/invariant.ts'
import type { Lots } from '../../units/units.ts'
import type { OrderId } from '../commands/ids.ts'
import type { Books } from './book.ts'

/** Lots and orders at the same price: `ahead` executes first, `behind` later. */
export type QueuePosition = Readonly<{ ahead: Lots; behind: Lots; ordersAhead: number }>

/** Maximum number of orders that one reader counts through. */
export const queueSteps = 100_000

/** Counts the places of one reader's orders, in any order of the calls, as of one state. Each walk
 *  goes in both directions and ends at an end of the queue or at a place that is known already. So
 *  many orders at one price cost little more than one. */
export class QueuePositions {
  private readonly books: Books
  private readonly known = new Map<number, QueuePosition>()
  /** Number of orders that may still be visited. */
  stepsLeft: number

  constructor(books: Books, stepsLeft: number) {
    this.books = books
    this.stepsLeft = stepsLeft
  }

  /** Undefined if the order does not rest in a book; `null` if too many orders are around it. */
  of(order: OrderId): QueuePosition | null | undefined {
    const { orders } = this.books
    const slot = orders.slotOf(order)
    if (slot === 0 || orders.level(slot) === 0) return undefined
    const found = this.count(slot)
    if (found !== null) this.known.set(slot, found)
    return found
  }

  private count(slot: number): QueuePosition | null {
    const { known } = this
    const { orders } = this.books
    let before = orders.levelPrev(slot)
    let after = orders.levelNext(slot)
    let ahead = 0
    let ordersAhead = 0
    let behind = 0
    let ordersBehind = 0
    for (; this.stepsLeft > 0; this.stepsLeft--) {
      const earlier = before === 0 ? none : known.get(before)
      const own = before === 0 ? 0 : orders.remaining(before)
      if (earlier !== undefined)
        return this.placed(slot, {
          ahead: ahead + earlier.ahead + own,
          ordersAhead: ordersAhead + earlier.ordersAhead + (before === 0 ? 0 : 1),
        })
      ahead += own
      ordersAhead += 1
      before = orders.levelPrev(before)
      const later = after === 0 ? this.end(slot) : known.get(after)
      if (later !== undefined)
        return this.placed(slot, {
          ahead: later.ahead - behind - orders.remaining(slot),
          ordersAhead: later.ordersAhead - ordersBehind - 1,
        })
      behind += orders.remaining(after)
      ordersBehind += 1
      after = orders.levelNext(after)
    }
    return null
  }

  /** The place behind the last order. */
  private end(slot: number): Place {
    const { levels, orders } = this.books
    const level = orders.level(slot)
    return { ahead: levels.lots[level]!, ordersAhead: levels.count[level]! }
  }

  private placed(slot: number, { ahead, ordersAhead }: Place): QueuePosition {
    const { levels, orders } = this.books
    const behind = levels.lots[orders.level(slot)]! - ahead - orders.remaining(slot)
    if (!(ahead >= 0 && behind >= 0)) broken('a place is outside of its queue', ahead)
    return { ahead: ahead as Lots, behind: behind as Lots, ordersAhead }
  }
}

type Place = Readonly<{ ahead: number; ordersAhead: number }>
const none: Place = { ahead: 0, ordersAhead: 0 }
