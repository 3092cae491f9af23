// A queue of what commands leave for later: triggers, liquidations, takeovers, deleveragings. First
// in, first out; what waits already does not wait twice.

/** What waits in several queues together, so that every command asks one number. */
export class Waiting {
  count = 0
}

export class WorkQueue {
  private readonly items = new Set<number>()
  private readonly waiting: Waiting
  /** How far it was emptied. A set keeps a gap for what left it until it is rebuilt, and a new walk
   *  steps over all gaps again: emptying a long queue would cost its length squared. */
  private walk = this.items.values()

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
    const before = this.items.size
    this.items.add(item)
    this.waiting.count += this.items.size - before
  }

  /** False: it did not wait. */
  delete(item: number): boolean {
    const waited = this.items.delete(item)
    if (waited) this.waiting.count -= 1
    return waited
  }

  /** The first, which leaves the queue. */
  take(): number | undefined {
    if (this.items.size === 0) return undefined
    // Whatever the walk has passed left the queue at once, and new items join at its end: the next
    // one is the first. A walk that once met the end stays there, so a new one begins.
    let next = this.walk.next()
    if (next.done === true) {
      this.walk = this.items.values()
      next = this.walk.next()
    }
    this.delete(next.value!)
    return next.value
  }

  /** Those that wait, the first first. */
  all(): number[] {
    return [...this.items]
  }
}
