// Links between OCO legs over time (TRIG-14). An edit passes the link to the new order without an
// event, so edits of legs are followed while history is read.

import { bitsOf, columnsOf, wordAt } from '../../../core/index.ts'
import { origins } from '../../../words/order-words.ts'

const linked = columnsOf('OcoLinked')
const placed = columnsOf('OrderPlaced')
const stop = columnsOf('StopPlaced')
const { origin } = bitsOf('OrderPlaced')
const FROM_USER = origins.indexOf('user')

export class OcoLegs {
  readonly #others = new Map<number, Set<number>>()

  /** Ids of all other legs that the order had, in order. */
  othersOf(id: number): ReadonlySet<number> {
    return this.#others.get(id) ?? new Set()
  }

  seeLink(rows: Float64Array, at: number): void {
    const [first, second] = [rows[at + linked.first]!, rows[at + linked.second]!]
    this.#others.set(first, new Set([second]))
    this.#others.set(second, new Set([first]))
  }

  seeOrder(rows: Float64Array, at: number): void {
    if (this.#others.size === 0) return
    const [id, parent] = [rows[at + placed.order]!, rows[at + placed.parent]!]
    this.#others.delete(id)
    const others = this.#others.get(parent)
    if (others === undefined || wordAt(rows, at, origin) !== FROM_USER) return
    this.#others.set(id, new Set(others))
    for (const other of others) this.#others.get(other)?.add(id)
  }

  /** Ids of reverted orders are assigned again. */
  seeStop(rows: Float64Array, at: number): void {
    this.#others.delete(rows[at + stop.order]!)
  }
}
