// Waiting orders of one market (ORDER-3): they wait for the end of their speed bump, then for a
// tick. Orders of fired stops that have run wait for the next tick (TRIG-3). Sorted by id, which is
// also the order of arrival.

/** Ids in rising order. Most are added at the end; removed ids are dropped later. */
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
    // An id that was removed and is added again may still be listed.
    if (this.ids.length > 0 && this.ids.at(-1)! >= id) this.sorted = false
    this.ids.push(id)
  }

  delete(id: number): void {
    this.present.delete(id)
    if (this.ids.length > 64 && this.ids.length > 2 * this.present.size) this.tidy()
  }

  /** Returns the lowest id, or 0. */
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

  /** Sets what the order waits for. */
  set(id: number, what: number): void {
    this.sets.forEach((ids, at) => {
      if (at === what) ids.add(id)
      else if (ids.has(id)) ids.delete(id)
    })
  }

  delete(id: number): void {
    for (const ids of this.sets) if (ids.has(id)) ids.delete(id)
  }

  /** Returns what the order waits for, or −1. */
  whatFor(id: number): number {
    return this.sets.findIndex((ids) => ids.has(id))
  }

  /** The first order to arrive among those that wait for a tick and have not run yet, or 0. */
  firstForTick(): number {
    return this.sets[FOR_TICK].first()
  }

  /** Orders that a tick may release, by id. */
  forTicks(): number[] {
    const [, tick, next] = this.sets
    if (next.size === 0) return [...tick.all()]
    return [...tick.all(), ...next.all()].sort((a, b) => a - b)
  }

  all(): number[] {
    return this.sets.flatMap((ids) => [...ids.all()]).sort((a, b) => a - b)
  }
}
