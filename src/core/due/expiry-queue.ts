// Orders and stops that end at a time of their own (ORDER-14): a heap by (time, id), and the time
// of each by its id. What ends before its time stays in the heap until it is the first there, or
// until such entries are most of it: a taker ends a hundred thousand in one command, and to
// take each out of the middle would be most of that command. Nothing piles up.

import { grown } from '../pools/growing.ts'
import { IdIndex } from '../pools/id-index.ts'

export type Expiry = Readonly<{ id: number; at: number }>

export class ExpiryQueue {
  /** The heap. */
  private ids = new Float64Array(8)
  private ats = new Float64Array(8)
  private entries = 0
  /** From an id to the place of its time, and the places that are free. */
  private readonly index = new IdIndex()
  private times = new Float64Array(8)
  private readonly free: number[] = []

  get size(): number {
    return this.index.size
  }

  /** Whatever ends next. */
  first(): Expiry | undefined {
    const at = this.firstAt()
    return this.entries === 0 ? undefined : { id: this.ids[0]!, at }
  }

  /** When that is; infinity: nothing does. */
  firstAt(): number {
    while (this.entries > 0 && !this.isThere(0))
      if (this.entries > this.index.size + this.spare) this.dropEnded()
      else this.pop()
    return this.entries === 0 ? Number.POSITIVE_INFINITY : this.ats[0]!
  }

  /** When this order or stop ends; only of one that does. */
  timeOf(id: number): number {
    return this.times[this.index.get(id)]!
  }

  add(id: number, at: number): void {
    const place = this.free.pop() ?? this.index.size + 1
    this.times = grown(this.times, place + 1)
    this.times[place] = at
    this.index.set(id, place)
    this.ids = grown(this.ids, this.entries + 1)
    this.ats = grown(this.ats, this.entries + 1)
    this.rise(this.entries, id, at)
    this.entries += 1
  }

  delete(id: number): void {
    const { index } = this
    this.free.push(index.get(id))
    index.remove(id)
    if (this.entries > 4 * index.size + index.mask) this.dropEnded()
  }

  /** By rising id. */
  all(): Expiry[] {
    const ids = [...this.index.keys].filter((id) => id !== 0).sort((one, other) => one - other)
    return ids.map((id) => ({ id, at: this.timeOf(id) }))
  }

  /** So many entries of what has ended are no matter: fewer than a pass over the index costs. */
  private get spare(): number {
    return (this.index.mask + 1) >> 6
  }

  private isThere(place: number): boolean {
    const kept = this.index.get(this.ids[place]!)
    return kept !== 0 && this.times[kept] === this.ats[place]
  }

  /** What is left of the heap, as a heap: one pass over the index, whose keys lie side by side. To
   *  look each entry of the heap up in it would be as many jumps through memory. */
  private dropEnded(): void {
    const { keys, slots } = this.index
    let kept = 0
    for (let at = 0; at < keys.length; at++) {
      if (keys[at] === 0) continue
      this.ids[kept] = keys[at]!
      this.ats[kept] = this.times[slots[at]!]!
      kept += 1
    }
    this.entries = kept
    for (let place = (kept >> 1) - 1; place >= 0; place--)
      this.sink(place, this.ids[place]!, this.ats[place]!)
  }

  private pop(): void {
    this.entries -= 1
    const { entries } = this
    if (entries > 0) this.sink(0, this.ids[entries]!, this.ats[entries]!)
  }

  /** Puts an entry at this place, or above it where it belongs. */
  private rise(from: number, id: number, at: number): void {
    const { ids, ats } = this
    let place = from
    while (place > 0) {
      const above = (place - 1) >> 1
      if (!isBefore(id, at, ids[above]!, ats[above]!)) break
      ids[place] = ids[above]!
      ats[place] = ats[above]!
      place = above
    }
    ids[place] = id
    ats[place] = at
  }

  /** The same, or below it. */
  private sink(from: number, id: number, at: number): void {
    const { ids, ats, entries } = this
    let place = from
    for (;;) {
      let below = 2 * place + 1
      if (below >= entries) break
      const next = below + 1
      if (next < entries && isBefore(ids[next]!, ats[next]!, ids[below]!, ats[below]!)) below = next
      if (!isBefore(ids[below]!, ats[below]!, id, at)) break
      ids[place] = ids[below]!
      ats[place] = ats[below]!
      place = below
    }
    ids[place] = id
    ats[place] = at
  }
}

function isBefore(id: number, at: number, otherId: number, otherAt: number): boolean {
  return at !== otherAt ? at < otherAt : id < otherId
}
