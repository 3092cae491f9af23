// Orders of fired reduce-only market stops, which execute until their position is closed (TRIG-3).

import { broken } from '../../units/invariant.ts'

export type Persistent = {
  /** Row of its position. */
  readonly row: number
  /** The key that set the stop, and the slippage limit of its policy when it was unbound
   *  (ACCT-9). */
  agent: string | null
  lastSlippagePpm: number | null
}

export class GoingOn {
  private readonly orders = new Map<number, Persistent>()
  /** By row: ids in the order in which their stops fired. */
  private readonly byRow = new Map<number, number[]>()

  get size(): number {
    return this.orders.size
  }

  get(order: number): Persistent | undefined {
    return this.orders.get(order)
  }

  /** Adds an order. Its stop fired after all others of its row. */
  add(order: number, persistent: Persistent): void {
    if (this.orders.has(order)) broken('an order goes on twice', order)
    this.orders.set(order, persistent)
    const ids = this.byRow.get(persistent.row)
    if (ids === undefined) this.byRow.set(persistent.row, [order])
    else ids.push(order)
  }

  delete(order: number): void {
    const { row } = this.orders.get(order) ?? broken('an order ends that does not go on', order)
    this.orders.delete(order)
    const left = this.byRow.get(row)!.filter((id) => id !== order)
    if (left.length === 0) this.byRow.delete(row)
    else this.byRow.set(row, left)
  }

  /** The order of this position that runs now, or 0. */
  firstOf(row: number): number {
    return this.byRow.get(row)?.[0] ?? 0
  }

  /** All orders, by id. */
  all(): (readonly [number, Persistent])[] {
    return [...this.orders].sort(([a], [b]) => a - b)
  }
}
