// Maps a growing integer id to a pool slot without allocation: open addressing with linear probing.
// Ids are dense, so they are scattered: adjacent ones would form long runs, and a removal walks to
// the end of a run. 0 means "absent", because ids and slots start at 1.

import { broken } from '../../units/invariant.ts'

/** Where probing for an id begins. The factor is odd, so that dense ids get different places. */
function homeOf(id: number, mask: number): number {
  return Math.imul(id, 0x9e3779b1) & mask
}

export class IdIndex {
  keys: Float64Array
  slots: Int32Array
  mask = 0
  size = 0

  constructor(capacity = 64) {
    this.keys = new Float64Array(capacity)
    this.slots = new Int32Array(capacity)
    this.mask = capacity - 1
  }

  get(id: number): number {
    const { keys, mask } = this
    for (let at = homeOf(id, mask); ; at = (at + 1) & mask) {
      const key = keys[at]!
      if (key === 0) return 0
      if (key === id) return this.slots[at]!
    }
  }

  set(id: number, slot: number): void {
    if (this.size * 2 >= this.mask) this.grow()
    const { keys, mask } = this
    let at = homeOf(id, mask)
    for (; keys[at] !== 0; at = (at + 1) & mask)
      if (keys[at] === id) broken('an id is in the index already', id)
    keys[at] = id
    this.slots[at] = slot
    this.size += 1
  }

  /** Closes the gap behind the removed key, so that probing never meets a tombstone. */
  remove(id: number): void {
    const { keys, slots, mask } = this
    let gap = homeOf(id, mask)
    while (keys[gap] !== id) {
      if (keys[gap] === 0) return
      gap = (gap + 1) & mask
    }
    this.size -= 1
    for (let at = (gap + 1) & mask; keys[at] !== 0; at = (at + 1) & mask) {
      const home = homeOf(keys[at]!, mask)
      if (((at - home) & mask) >= ((at - gap) & mask)) {
        keys[gap] = keys[at]!
        slots[gap] = slots[at]!
        gap = at
      }
    }
    keys[gap] = 0
  }

  private grow(): void {
    const { keys, slots } = this
    this.keys = new Float64Array(keys.length * 2)
    this.slots = new Int32Array(keys.length * 2)
    this.mask = this.keys.length - 1
    this.size = 0
    for (let at = 0; at < keys.length; at++) if (keys[at] !== 0) this.set(keys[at]!, slots[at]!)
  }
}
