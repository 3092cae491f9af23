// Triggers of one market, price and direction, nearest stop first. Cancelled triggers stay until
// they are met or until they are the larger part; the reader knows which ids still live.

const takenOneByOne = 64

export class TriggerHeap {
  /** +1: fires up; −1: fires down. Keys are stop prices times this. */
  readonly sign: number
  keys: number[] = []
  ids: number[] = []

  constructor(sign: number) {
    this.sign = sign
  }

  push(stopPrice: number, id: number): void {
    const key = stopPrice * this.sign
    const { keys, ids } = this
    let at = keys.length
    keys.push(key)
    ids.push(id)
    while (at > 0) {
      const above = (at - 1) >> 1
      if (keys[above]! <= key) break
      keys[at] = keys[above]!
      ids[at] = ids[above]!
      at = above
    }
    keys[at] = key
    ids[at] = id
  }

  /** Takes out the ids whose stop is reached when 2 × price (times the sign) is this, and adds them
   *  to the list, in no order. */
  takeReached(doubledPrice: number, taken: number[]): void {
    const bound = doubledPrice * this.sign
    const before = taken.length
    while (this.keys.length > 0 && this.keys[0]! * 2 <= bound) {
      // One by one each costs a way down the heap; of very many the rest is put together anew.
      if (taken.length - before === takenOneByOne) return this.takeAll(bound, taken)
      taken.push(this.pop())
    }
  }

  private takeAll(bound: number, taken: number[]): void {
    const { keys, ids } = this
    for (let at = 0; at < keys.length; at++) if (keys[at]! * 2 <= bound) taken.push(ids[at]!)
    this.keepAt((at) => keys[at]! * 2 > bound)
  }

  /** Without copies and from the bottom up, in proportion to the entries. */
  keepOnly(lives: (id: number) => boolean): void {
    this.keepAt((at) => lives(this.ids[at]!))
  }

  private keepAt(stays: (at: number) => boolean): void {
    const { keys, ids } = this
    let count = 0
    for (let at = 0; at < ids.length; at++) {
      if (!stays(at)) continue
      keys[count] = keys[at]!
      ids[count] = ids[at]!
      count += 1
    }
    keys.length = count
    ids.length = count
    for (let at = (count >> 1) - 1; at >= 0; at--) this.sink(at, keys[at]!, ids[at]!)
  }

  private pop(): number {
    const { keys, ids } = this
    const first = ids[0]!
    const key = keys.pop()!
    const id = ids.pop()!
    if (keys.length === 0) return first
    this.sink(0, key, id)
    return first
  }

  /** Puts an entry at this place, or below it where it belongs. */
  private sink(from: number, key: number, id: number): void {
    const { keys, ids } = this
    const count = keys.length
    let at = from
    for (;;) {
      let below = 2 * at + 1
      if (below >= count) break
      if (below + 1 < count && keys[below + 1]! < keys[below]!) below += 1
      if (keys[below]! >= key) break
      keys[at] = keys[below]!
      ids[at] = ids[below]!
      at = below
    }
    keys[at] = key
    ids[at] = id
  }
}
