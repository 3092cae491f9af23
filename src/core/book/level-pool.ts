// Price levels of all books. A level has its price, its size, the next better and next worse level
// of its side, and a FIFO of orders linked through the order pool.

import { broken } from '../../units/invariant.ts'
import { grown } from '../pools/growing.ts'

export class LevelPool {
  /** 0: the level is free. */
  price = new Int32Array(8)
  lots = new Float64Array(8)
  count = new Int32Array(8)
  /** Lots of orders that are not reduce-only. */
  plainLots = new Float64Array(8)
  head = new Int32Array(8)
  tail = new Int32Array(8)
  /** 0 at the best level of its side and at the worst, respectively. */
  better = new Int32Array(8)
  worse = new Int32Array(8)
  used = 0
  free = 0

  take(price: number): number {
    let level = this.free
    if (level !== 0) {
      if (this.price[level] !== 0) broken('a free level has a price', this.price[level]!)
      this.free = this.head[level]!
    } else {
      level = ++this.used
      if (level >= this.price.length) this.grow(level + 1)
    }
    this.price[level] = price
    this.lots[level] = 0
    this.count[level] = 0
    this.plainLots[level] = 0
    this.head[level] = 0
    this.tail[level] = 0
    return level
  }

  release(level: number): void {
    if (this.price[level] === 0) broken('a level is freed twice', level)
    this.price[level] = 0
    this.head[level] = this.free
    this.free = level
  }

  private grow(length: number): void {
    this.price = grown(this.price, length)
    this.lots = grown(this.lots, length)
    this.count = grown(this.count, length)
    this.plainLots = grown(this.plainLots, length)
    this.head = grown(this.head, length)
    this.tail = grown(this.tail, length)
    this.better = grown(this.better, length)
    this.worse = grown(this.worse, length)
  }
}
