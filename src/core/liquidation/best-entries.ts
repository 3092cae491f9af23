// Selects a limited number of positions with the best entry prices of one side (LIQ-6). A heap
// keeps the worst selected position first, so a long scan costs one comparison for most positions.

import { compareProducts } from '../../units/wide.ts'
import type { PositionPool } from '../pools/position-pool.ts'

export class BestEntries {
  private readonly positions: PositionPool
  private readonly most: number
  private readonly rows: number[] = []

  constructor(positions: PositionPool, most: number) {
    this.positions = positions
    this.most = most
  }

  /** All rows must be on the same side, by rising account. */
  consider(row: number): void {
    const { rows } = this
    if (rows.length < this.most) {
      rows.push(row)
      if (rows.length === this.most) this.order()
    } else if (this.isWorse(rows[0]!, row)) this.sink(0, row)
  }

  byAccount(): readonly number[] {
    const { account } = this.positions
    return this.rows.sort((a, b) => account[a]! - account[b]!)
  }

  private order(): void {
    for (let at = (this.rows.length >> 1) - 1; at >= 0; at--) this.sink(at, this.rows[at]!)
  }

  private sink(from: number, row: number): void {
    const { rows } = this
    let at = from
    for (;;) {
      let below = 2 * at + 1
      if (below >= rows.length) break
      const sibling = below + 1
      if (sibling < rows.length && this.isWorse(rows[sibling]!, rows[below]!)) below = sibling
      if (!this.isWorse(rows[below]!, row)) break
      rows[at] = rows[below]!
      at = below
    }
    rows[at] = row
  }

  /** Whether `row` has a worse entry price: a long bought higher, a short sold lower. At the same
   *  price, the later account is worse. */
  private isWorse(row: number, other: number): boolean {
    const { lots, cost, account } = this.positions
    const price = Math.abs(cost[row]!) / Math.abs(lots[row]!)
    const otherPrice = Math.abs(cost[other]!) / Math.abs(lots[other]!)
    const sign = lots[row]! > 0 ? 1 : -1
    // Quotients of safe integers are rounded, but rounding never reverses their order.
    if (price !== otherPrice) return (price - otherPrice) * sign > 0
    const exact = compareProducts(
      [Math.abs(cost[row]!), Math.abs(lots[other]!)],
      [Math.abs(cost[other]!), Math.abs(lots[row]!)],
    )
    return exact === 0 ? account[row]! > account[other]! : exact * sign > 0
  }
}
