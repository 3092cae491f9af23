// A queue of what commands leave for later: triggers, liquidations, takeovers, deleveragings. First
// in, first out; what waits already does not wait twice.

import { broken } from '../../units/invariant.ts'

/** What waits in several queues together, so that every command asks one number. */
export class Waiting {
  count = 0
}

export class WorkQueue {
  /** Each with its place, which only rises. */
  private readonly items = new Map<number, number>()
  private readonly waiting: Waiting
  private nextPlace = 1
  /** The place of the last one that was taken. */
  private served = 0
  /** How far it was emptied. A map keeps a gap for what left it until it is rebuilt, and a new walk
   *  steps over all gaps again: emptying a long queue would cost its length squared. */
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

  /** False: it did not wait. */
  delete(item: number): boolean {
    const waited = this.items.delete(item)
    if (!waited) return false
    if (!(this.waiting.count > 0)) broken('less than nothing waits, of', item)
    this.waiting.count -= 1
    return true
  }

  /** The first, which leaves the queue. */
  take(): number | undefined {
    if (this.items.size === 0) return undefined
    // Visited items leave the queue immediately, and new items join at its end: the next one is the
    // first. A walk that reached the end stays there, so a new one begins.
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

  /** Those that wait, the first first. */
  all(): number[] {
    return [...this.items.keys()]
  }

  /** Those of these that wait, the first first; without a look at any other. */
  among(items: Iterable<number>): number[] {
    const found: number[] = []
    for (const item of items) if (this.items.has(item)) found.push(item)
    return found.sort((one, other) => this.items.get(one)! - this.items.get(other)!)
  }
}
