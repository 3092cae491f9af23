// One side of a book: its best level, links from each level to the next worse one, and an index
// that finds the place of a new price. Keys are prices for bids and negated prices for asks, so
// that both sides share the code. The cost of a command does not depend on the number of levels it
// does not touch, except for the logarithmic search in the index.

import { broken } from '../../units/invariant.ts'
import { LevelIndex } from './level-index.ts'
import type { LevelPool } from './level-pool.ts'

const nearbyLevels = 1_024

export class BookSide {
  /** +1 for bids, −1 for asks. */
  readonly sign: number
  /** The best level and its price. `worse` of the pool links to the next levels. 0: the side is
   *  empty. */
  bestLevel = 0
  bestPrice = 0
  private readonly index = new LevelIndex()
  /** Levels by the low bits of their key; the newest wins if two collide. Most orders join an
   *  existing level and need no search. */
  private readonly nearby = new Int32Array(nearbyLevels)

  constructor(sign: number) {
    this.sign = sign
  }

  /** Number of levels. */
  get count(): number {
    return this.index.count
  }

  /** The level of a price, or 0. */
  levelOf(levels: LevelPool, price: number): number {
    const key = price * this.sign
    const guess = this.nearby[key & (nearbyLevels - 1)]!
    if (guess !== 0 && levels.price[guess] === price) return guess
    return this.index.levelOf(key)
  }

  /** Opens a level for the price of the last lookup, which found none. */
  open(levels: LevelPool, price: number): number {
    if (!(price > 0)) broken('a level opens at a price that is none', price)
    const key = price * this.sign
    const level = levels.take(price)
    const better = this.index.insert(key, level)
    const worse = better === 0 ? this.bestLevel : levels.worse[better]!
    if (better !== 0 && levels.price[better]! * this.sign <= key)
      broken('a level opens behind one that is not better', levels.price[better]!)
    if (worse !== 0 && levels.price[worse]! * this.sign >= key)
      broken('a level opens before one that is not worse', levels.price[worse]!)
    levels.better[level] = better
    levels.worse[level] = worse
    if (worse !== 0) levels.better[worse] = level
    if (better !== 0) levels.worse[better] = level
    else {
      this.bestLevel = level
      this.bestPrice = price
    }
    this.nearby[key & (nearbyLevels - 1)] = level
    return level
  }

  /** Removes an empty level. */
  close(levels: LevelPool, level: number): void {
    const key = levels.price[level]! * this.sign
    if (levels.count[level] !== 0) broken('a level closes with orders', levels.count[level]!)
    const better = levels.better[level]!
    const worse = levels.worse[level]!
    if (worse !== 0) levels.better[worse] = better
    if (better !== 0) levels.worse[better] = worse
    else {
      if (this.bestLevel !== level) broken('the first level is not the best one', level)
      this.bestLevel = worse
      this.bestPrice = worse === 0 ? 0 : levels.price[worse]!
    }
    this.index.remove(key)
    const low = key & (nearbyLevels - 1)
    if (this.nearby[low] === level) this.nearby[low] = 0
    levels.release(level)
  }
}
