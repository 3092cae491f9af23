// Orders and stops that expire (ORDER-14): a heap by (time, id), and for each of them a place that
// holds its time until it ends. An order that ends earlier stays in the heap until it is first, or
// until such stale entries are the majority. A taker may end a hundred thousand orders in one
// command, and removing each from the middle of the heap would dominate that command. The number of
// stale entries is bounded.

import { broken } from '../../units/invariant.ts'
import { grown } from '../pools/growing.ts'

export type Expiry = Readonly<{ id: number; at: number }>

export class ExpiryQueue {
  size = 0
  /** The heap. */
  private ids = new Float64Array(8)
  private ats = new Float64Array(8)
  private entryPlaces = new Int32Array(8)
  private entries = 0
  /** By place, from 1 on: the id (0 if the place is free) and the time. */
  private kept = new Float64Array(16)
  private readonly free: number[] = []
  /** Places of stops and algos, by id. */
  private readonly places = new Map<number, number>()

  /** The earliest expiry. */
  first(): Expiry | undefined {
    const at = this.firstAt()
    return this.entries === 0 ? undefined : { id: this.ids[0]!, at }
  }

  /** The time of the earliest expiry, or infinity. */
  firstAt(): number {
    while (this.entries > 0 && !this.isThere(0))
      if (this.entries > this.size + this.spare) this.dropEnded()
      else this.pop()
    return this.entries === 0 ? Number.POSITIVE_INFINITY : this.ats[0]!
  }

  /** The time stored at this place. */
  timeAt(place: number): number {
    return this.kept[2 * place + 1]!
  }

  /** Adds an expiry. Returns its place. */
  add(id: number, at: number): number {
    const place = this.free.pop() ?? this.size + 1
    this.size += 1
    this.kept = grown(this.kept, 2 * place + 2)
    if (this.kept[2 * place] !== 0)
      broken('the place of a time is taken, by', this.kept[2 * place]!)
    this.kept[2 * place] = id
    this.kept[2 * place + 1] = at
    this.ids = grown(this.ids, this.entries + 1)
    this.ats = grown(this.ats, this.entries + 1)
    this.entryPlaces = grown(this.entryPlaces, this.entries + 1)
    this.rise(this.entries, id, at, place)
    this.entries += 1
    return place
  }

  delete(place: number): void {
    if (!(this.kept[2 * place]! > 0)) broken('a time ends that is not kept, its place is', place)
    this.kept[2 * place] = 0
    this.free.push(place)
    this.size -= 1
    if (this.entries > 4 * this.size + this.kept.length) this.dropEnded()
  }

  /** Like `add`, for a stop or algo, which cannot store its place. */
  addById(id: number, at: number): void {
    this.places.set(id, this.add(id, at))
  }

  deleteById(id: number): void {
    this.delete(this.places.get(id) ?? broken('a time ends that is not kept, of', id))
    this.places.delete(id)
  }

  /** All expiries, by rising id. */
  all(): Expiry[] {
    const { kept } = this
    const found: Expiry[] = []
    for (let at = 0; at < kept.length; at += 2)
      if (kept[at] !== 0) found.push({ id: kept[at]!, at: kept[at + 1]! })
    return found.sort((one, other) => one.id - other.id)
  }

  /** Number of stale entries that are tolerated, because a pass over the places costs more. */
  private get spare(): number {
    return this.kept.length >> 6
  }

  private isThere(entry: number): boolean {
    const at = 2 * this.entryPlaces[entry]!
    return this.kept[at] === this.ids[entry] && this.kept[at + 1] === this.ats[entry]
  }

  /** Rebuilds the heap from the entries that are left, in one pass over the places, which are
   *  contiguous. Looking up each heap entry would access memory at random. */
  private dropEnded(): void {
    const { kept } = this
    let left = 0
    for (let at = 0; at < kept.length; at += 2) {
      if (kept[at] === 0) continue
      this.put(left, kept[at]!, kept[at + 1]!, at >> 1)
      left += 1
    }
    this.entries = left
    for (let entry = (left >> 1) - 1; entry >= 0; entry--) this.sink(entry, entry)
  }

  private pop(): void {
    this.entries -= 1
    if (this.entries > 0) this.sink(0, this.entries)
  }

  private put(entry: number, id: number, at: number, place: number): void {
    this.ids[entry] = id
    this.ats[entry] = at
    this.entryPlaces[entry] = place
  }

  private move(from: number, to: number): void {
    this.put(to, this.ids[from]!, this.ats[from]!, this.entryPlaces[from]!)
  }

  /** Moves a new entry up from this place to where it belongs. */
  private rise(from: number, id: number, at: number, place: number): void {
    const { ids, ats } = this
    let entry = from
    while (entry > 0) {
      const above = (entry - 1) >> 1
      if (!isBefore(id, at, ids[above]!, ats[above]!)) break
      this.move(above, entry)
      entry = above
    }
    this.put(entry, id, at, place)
  }

  /** Moves the entry at `of` to `from`, or further down to where it belongs. */
  private sink(from: number, of: number): void {
    const { ids, ats, entries } = this
    const id = ids[of]!
    const at = ats[of]!
    const place = this.entryPlaces[of]!
    let entry = from
    for (;;) {
      let below = 2 * entry + 1
      if (below >= entries) break
      const next = below + 1
      if (next < entries && isBefore(ids[next]!, ats[next]!, ids[below]!, ats[below]!)) below = next
      if (!isBefore(ids[below]!, ats[below]!, id, at)) break
      this.move(below, entry)
      entry = below
    }
    this.put(entry, id, at, place)
  }
}

function isBefore(id: number, at: number, otherId: number, otherAt: number): boolean {
  return at !== otherAt ? at < otherAt : id < otherId
}
