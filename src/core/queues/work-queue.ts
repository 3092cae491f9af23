// A FIFO queue of work that commands leave for later: triggers, liquidations, takeovers,
// deleveragings. An item is queued at most once.

import { broken } from '../../units/invariant.ts'

/** Counts the items of several queues together, so that a command checks one number. */
export class Waiting {
  count = 0
}

export class WorkQueue {
  /** Each item with its sequence number, which only rises. */
  private readonly items = new Map<number, number>()
  private readonly waiting: Waiting
  private nextPlace = 1
  /** The sequence number of the last item taken. */
  private served = 0
  /** The position of the walk. A map keeps gaps for removed items until it is rebuilt, and a new
   *  walk steps over all of them, so emptying a long queue with new walks would take quadratic
   *  time. */
  private walk = this.items.keys()

  constructor(waiting: Waiting) {
    this.waiting = waiting
  }

  get size(): number {
    return this.items.size
  }

  has(item: number): boolean {
    return this.items.has(item)
  }

  add(item: number): void {
    if (this.items.has(item)) return
    this.items.set(item, this.nextPlace++)
    this.waiting.count += 1
  }

  /** Returns false if the item was not queued. */
  delete(item: number): boolean {
    const waited = this.items.delete(item)
    if (!waited) return false
    if (!(this.waiting.count > 0)) broken('less than nothing waits, of', item)
    this.waiting.count -= 1
    return true
  }

  /** Removes and returns the first item. */
  take(): number | undefined {
    if (this.items.size === 0) return undefined
    // Visited items are removed immediately, and new items are added at the end, so the next item
    // of the walk is the first of the queue. A walk that reached the end stays there, so a new one
    // begins.
    let next = this.walk.next()
    if (next.done === true) {
      this.walk = this.items.keys()
      next = this.walk.next()
    }
    const item = next.value!
    const place = this.items.get(item)!
    if (!(place > this.served)) broken('a queue is served out of order, at place', place)
    this.served = place
    this.delete(item)
    return item
  }

  /** Returns all items in queue order. */
  all(): number[] {
    return [...this.items.keys()]
  }

  /** Returns the given items that are queued, in queue order, without scanning the whole queue. */
  among(items: Iterable<number>): number[] {
    const found: number[] = []
    for (const item of items) if (this.items.has(item)) found.push(item)
    return found.sort((one, other) => this.items.get(one)! - this.items.get(other)!)
  }
}
