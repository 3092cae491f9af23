// Triggers by a number and then by id, the smallest first: those of one market, price and direction
// by their stop, those that one price reached by their distance. One that was cancelled stays until
// it is met or until such are the larger part; the reader knows which still live.

import { broken } from '../../units/invariant.ts'
import type { Trigger } from './trigger.ts'

const takenOneByOne = 64

export class TriggerHeap {
  private readonly keys: number[] = []
  /** Kept in an array: reading it from each trigger costs more than the comparison. */
  private readonly ids: number[] = []
  private readonly triggers: Trigger[] = []

  get size(): number {
    return this.keys.length
  }

  /** In no order. */
  each(visit: (trigger: Trigger, key: number) => void): void {
    for (let at = 0; at < this.size; at++) visit(this.triggers[at]!, this.keys[at]!)
  }

  /** Whether the first has a key that is not above this. */
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

  /** At the end; the heap is not in order until `settle`. */
  append(key: number, id: number, trigger: Trigger): void {
    this.keys.push(key)
    this.ids.push(id)
    this.triggers.push(trigger)
  }

  /** From the bottom up, in proportion to the entries. */
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

  /** Moves those whose key is not above this to another heap, which is to be settled then. */
  moveUpTo(bound: number, other: TriggerHeap, keyThere: (key: number) => number): void {
    for (let count = 0; this.reaches(bound); count++) {
      // Removing one costs a way down the heap; of very many the rest is rebuilt.
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

  /** Without copies. */
  private keepAt(stays: (at: number) => boolean): void {
    let count = 0
    for (let at = 0; at < this.size; at++) if (stays(at)) this.move(at, count++)
    this.keys.length = count
    this.ids.length = count
    this.triggers.length = count
    this.settle()
  }

  /** Puts an entry at this place, or below it where it belongs. */
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
