// Finds the positions of a market that may be unhealthy at a mark price, without scanning all of
// them: a heap of trigger prices for longs and one for shorts. A trigger may be too close to the
// mark, but never too far, so a trigger that is not reached proves its scope healthy
// (liquidation.md, invariant 5).

import { broken } from '../../units/invariant.ts'
import { grown } from '../pools/growing.ts'
import type { PositionPool } from '../pools/position-pool.ts'

/** A binary heap of position rows by rising key. Each row stores its place. */
export class LiquidationIndex {
  /** +1: longs (key: minus the trigger price), −1: shorts (key: the trigger price). */
  readonly sign: number
  keys = new Float64Array(8)
  rows = new Int32Array(8)
  count = 0

  constructor(sign: number) {
    this.sign = sign
  }

  put(positions: PositionPool, row: number, trigger: number): void {
    const key = -this.sign * trigger
    const at = positions.indexPlace[row]! * this.sign - 1
    if (at < 0) {
      if (this.count === this.keys.length) {
        this.keys = grown(this.keys, this.count + 1)
        this.rows = grown(this.rows, this.count + 1)
      }
      this.up(positions, this.count++, row, key)
      return
    }
    if (key < this.keys[at]!) this.up(positions, at, row, key)
    else this.down(positions, at, row, key)
  }

  remove(positions: PositionPool, row: number): void {
    const at = positions.indexPlace[row]! * this.sign - 1
    if (at < 0) return
    if (this.rows[at] !== row)
      broken('a row leaves a place in the liquidation index that is not its own', row)
    positions.indexPlace[row] = 0
    this.count -= 1
    if (at === this.count) return
    const key = this.keys[this.count]!
    const moved = this.rows[this.count]!
    if (at > 0 && key < this.keys[(at - 1) >> 1]!) this.up(positions, at, moved, key)
    else this.down(positions, at, moved, key)
  }

  /** Every row whose trigger is reached at this mark, in heap order. */
  reached(mark: number): number[] {
    const bound = -this.sign * mark
    const found: number[] = []
    const open = [0]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (at >= this.count || this.keys[at]! > bound) continue
      found.push(this.rows[at]!)
      open.push(2 * at + 1, 2 * at + 2)
    }
    return found
  }

  private up(positions: PositionPool, from: number, row: number, key: number): void {
    const { keys, rows } = this
    let at = from
    while (at > 0) {
      const above = (at - 1) >> 1
      if (keys[above]! <= key) break
      this.set(positions, at, rows[above]!, keys[above]!)
      at = above
    }
    this.set(positions, at, row, key)
  }

  private down(positions: PositionPool, from: number, row: number, key: number): void {
    const { keys, rows, count } = this
    let at = from
    for (;;) {
      let below = 2 * at + 1
      if (below >= count) break
      if (below + 1 < count && keys[below + 1]! < keys[below]!) below += 1
      if (keys[below]! >= key) break
      this.set(positions, at, rows[below]!, keys[below]!)
      at = below
    }
    this.set(positions, at, row, key)
  }

  private set(positions: PositionPool, at: number, row: number, key: number): void {
    this.keys[at] = key
    this.rows[at] = row
    positions.indexPlace[row] = (at + 1) * this.sign
  }
}
