// Orders of one market that wait (ORDER-3): for the end of their speed bump, then for a tick; and
// orders of fired stops that have run and wait for the next one (TRIG-3). By id, which is also the
// order of their arrival.

/** Ids from the lowest to the highest. Most join at the end; what has left is dropped later. */
export class SortedIds {
  private ids: number[] = []
  private readonly present = new Set<number>()
  private sorted = true

  get size(): number {
    return this.present.size
  }

  has(id: number): boolean {
    return this.present.has(id)
  }

  add(id: number): void {
    if (this.present.has(id)) return
    this.present.add(id)
    // One that left and comes back may still be listed.
    if (this.ids.length > 0 && this.ids.at(-1)! >= id) this.sorted = false
    this.ids.push(id)
  }

  delete(id: number): void {
    this.present.delete(id)
    if (this.ids.length > 64 && this.ids.length > 2 * this.present.size) this.tidy()
  }

  /** The lowest; 0: there is none. */
  first(): number {
    if (this.present.size === 0) return 0
    if (!this.sorted || !this.present.has(this.ids[0]!)) this.tidy()
    return this.ids[0]!
  }

  all(): readonly number[] {
    if (!this.sorted || this.ids.length !== this.present.size) this.tidy()
    return this.ids
  }

  private tidy(): void {
    this.ids = [...this.present].sort((a, b) => a - b)
    this.sorted = true
  }
}

// What an order waits for.
export const FOR_BUMP = 0
export const FOR_TICK = 1
/** The next tick, after a run (TRIG-3). */
export const FOR_NEXT = 2

export class WaitingOrders {
  private readonly sets = [new SortedIds(), new SortedIds(), new SortedIds()] as const

  /** What the order waits for from now on. */
  set(id: number, what: number): void {
    this.sets.forEach((ids, at) => {
      if (at === what) ids.add(id)
      else if (ids.has(id)) ids.delete(id)
    })
  }

  delete(id: number): void {
    for (const ids of this.sets) if (ids.has(id)) ids.delete(id)
  }

  /** −1: it does not wait. */
  whatFor(id: number): number {
    return this.sets.findIndex((ids) => ids.has(id))
  }

  /** The first to arrive of those that wait for a tick and have not run yet; 0: none. */
  firstForTick(): number {
    return this.sets[FOR_TICK].first()
  }

  /** Those that a tick may release, by id. */
  forTicks(): number[] {
    const [, tick, next] = this.sets
    if (next.size === 0) return [...tick.all()]
    return [...tick.all(), ...next.all()].sort((a, b) => a - b)
  }

  all(): number[] {
    return this.sets.flatMap((ids) => [...ids.all()]).sort((a, b) => a - b)
  }
}
