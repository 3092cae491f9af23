// Which orders others than their owner may see, from the events that made them known: a fill, a
// place in the book, or an end by the book itself.

import type { Event, EventOf } from '../../../src/core/index.ts'
import type { OrderRow } from '../../../src/projections/history/history.ts'

const endsByTheBook = ['expired', 'post_only_rejected', 'self_trade_prevented']
const endsByItsFills = ['margin', 'open_interest']

export class NaiveSight {
  private readonly known = new Set<number>()
  private readonly unreleased = new Set<number>()

  take(event: Event): void {
    if (event.type === 'OrderRested') this.known.add(event.order)
    if (event.type === 'Traded') this.known.add(event.makerOrder).add(event.takerOrder)
  }

  ended({ reason, order }: EventOf<'OrderCancelled'>, row: OrderRow, atMs: number): void {
    const isOver = row.expireTime !== null && row.expireTime <= atMs
    const byTheBook = endsByTheBook.includes(reason) && !(reason === 'expired' && isOver)
    if (row.stopPrice !== null || byTheBook || endsByItsFills.includes(reason)) return
    if (!this.known.has(order)) this.unreleased.add(order)
  }

  isUnreleased(order: number): boolean {
    return this.unreleased.has(order)
  }

  /** As far as history knows: orders that wait now are not told apart here. */
  shows(row: OrderRow, sight: 'all' | 'released' | 'resting' = 'all'): boolean {
    if (sight === 'all') return true
    if (this.unreleased.has(row.order)) return false
    if (sight === 'resting') return row.stopPrice === null && row.oco === null
    const cameWith = row.stopPrice !== null && row.parent !== null && row.parent < row.order
    return !cameWith || !this.unreleased.has(row.parent!)
  }
}
