// One side of a book: its levels sorted so that the best is last, where insertions and removals are
// cheapest. Keys are prices for bids and negated prices for asks, so both sides share the code.

import { grown } from '../pools/growing.ts'

const nearbyLevels = 1_024

export class BookSide {
  /** +1 for bids, −1 for asks. */
  readonly sign: number
  keys = new Int32Array(8)
  levels = new Int32Array(8)
  count = 0
  /** Levels by the low bits of their key, the newest where two share them: most orders join a level
   *  that is there, and need no search. */
  private readonly nearby = new Int32Array(nearbyLevels)

  constructor(sign: number) {
    this.sign = sign
  }

  /** Best price, or 0 when the side is empty. */
  best(): number {
    return this.count === 0 ? 0 : this.keys[this.count - 1]! * this.sign
  }

  /** A level that may have this key, or 0: whoever asks compares the price. */
  guess(key: number): number {
    return this.nearby[key & (nearbyLevels - 1)]!
  }

  /** The first place whose key is not below; the level is there if its key is equal. */
  placeOf(key: number): number {
    const { keys } = this
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >> 1
      if (keys[middle]! < key) low = middle + 1
      else high = middle
    }
    return low
  }

  insert(place: number, key: number, level: number): void {
    if (this.count === this.keys.length) {
      this.keys = grown(this.keys, this.count + 1)
      this.levels = grown(this.levels, this.count + 1)
    }
    const { keys, levels } = this
    for (let at = this.count; at > place; at--) {
      keys[at] = keys[at - 1]!
      levels[at] = levels[at - 1]!
    }
    keys[place] = key
    levels[place] = level
    this.nearby[key & (nearbyLevels - 1)] = level
    this.count += 1
  }

  remove(place: number): void {
    const { keys, levels } = this
    const low = keys[place]! & (nearbyLevels - 1)
    if (this.nearby[low] === levels[place]) this.nearby[low] = 0
    this.count -= 1
    for (let at = place; at < this.count; at++) {
      keys[at] = keys[at + 1]!
      levels[at] = levels[at + 1]!
    }
  }
}
