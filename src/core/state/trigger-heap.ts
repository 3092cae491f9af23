// A heap of triggers by a key and then by id, smallest first. Triggers of one market, price and
// direction use their stop price as the key; triggers that one price reached use their distance. A
// cancelled trigger stays until it is met or until cancelled ones are the majority; the reader
// knows which are still active.

import { broken } from '../../units/invariant.ts'
import type { Trigger } from './trigger.ts'

const takenOneByOne = 64

export class TriggerHeap {
  private readonly keys: number[] = []
  /** Stored in an array, because reading the id from each trigger costs more than the
   *  comparison. */
  private readonly ids: number[] = []
  private readonly triggers: Trigger[] = []

  get size(): number {
    return this.keys.length
  }

  /** Visits all triggers in no particular order. */
  each(visit: (trigger: Trigger, key: number) => void): void {
    for (let at = 0; at < this.size; at++) visit(this.triggers[at]!, this.keys[at]!)
  }

  /** Whether the first trigger has a key of at most `bound`. */
  reaches(bound: number): boolean {
    return this.size > 0 && this.keys[0]! <= bound
  }

  push(key: number, trigger: Trigger): void {
    const { id } = trigger
    if (!Number.isSafeInteger(key)) broken('a trigger watches no price', key)
    let at = this.size
    this.append(key, id, trigger)
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!this.isBefore(key, id, above)) break
      this.move(above, at)
      at = above
    }
    this.put(at, key, id, trigger)
  }

  /** Appends without ordering the heap; call `settle` afterwards. */
  append(key: number, id: number, trigger: Trigger): void {
    this.keys.push(key)
    this.ids.push(id)
    this.triggers.push(trigger)
  }

  /** Orders the heap from the bottom up, in linear time. */
  settle(): void {
    for (let at = (this.size >> 1) - 1; at >= 0; at--)
      this.sink(at, this.keys[at]!, this.ids[at]!, this.triggers[at]!)
  }

  pop(): Trigger | undefined {
    const first = this.triggers[0]
    const firstKey = this.keys[0]!
    const trigger = this.triggers.pop()
    const key = this.keys.pop()
    const id = this.ids.pop()
    if (trigger !== undefined && this.size > 0) this.sink(0, key!, id!, trigger)
    if (this.size > 0 && this.keys[0]! < firstKey)
      broken('triggers are out of order, before the first is', this.keys[0]!)
    return first
  }

  /** Moves triggers with a key of at most `bound` to another heap, which must then be settled. */
  moveUpTo(bound: number, other: TriggerHeap, keyThere: (key: number) => number): void {
    for (let count = 0; this.reaches(bound); count++) {
      // Each removal costs a walk down the heap. After many of them, rebuilding the heap is
      // cheaper.
      if (count === takenOneByOne) return this.moveAll(bound, other, keyThere)
      other.append(keyThere(this.keys[0]!), this.ids[0]!, this.triggers[0]!)
      this.pop()
    }
  }

  private moveAll(bound: number, other: TriggerHeap, keyThere: (key: number) => number): void {
    this.keepAt((at) => {
      const key = this.keys[at]!
      if (key > bound) return true
      other.append(keyThere(key), this.ids[at]!, this.triggers[at]!)
      return false
    })
  }

  keepOnly(stays: (trigger: Trigger) => boolean): void {
    this.keepAt((at) => stays(this.triggers[at]!))
  }

  /** Keeps only some entries, in place. */
  private keepAt(stays: (at: number) => boolean): void {
    let count = 0
    for (let at = 0; at < this.size; at++) if (stays(at)) this.move(at, count++)
    this.keys.length = count
    this.ids.length = count
    this.triggers.length = count
    this.settle()
  }

  /** Moves an entry down from this place to where it belongs. */
  private sink(from: number, key: number, id: number, trigger: Trigger): void {
    const { keys, ids, size } = this
    let at = from
    for (;;) {
      let below = 2 * at + 1
      if (below >= size) break
      if (below + 1 < size && this.isBefore(keys[below + 1]!, ids[below + 1]!, below)) below += 1
      if (this.isBefore(key, id, below)) break
      this.move(below, at)
      at = below
    }
    this.put(at, key, id, trigger)
  }

  private isBefore(key: number, id: number, at: number): boolean {
    const other = this.keys[at]!
    return key < other || (key === other && id < this.ids[at]!)
  }

  private move(from: number, to: number): void {
    this.put(to, this.keys[from]!, this.ids[from]!, this.triggers[from]!)
  }

  private put(at: number, key: number, id: number, trigger: Trigger): void {
    this.keys[at] = key
    this.ids[at] = id
    this.triggers[at] = trigger
  }
}
