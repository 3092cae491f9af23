// The fast book against a sorted array. Few prices and few orders, so that levels fill, empty and
// are reused all the time.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { OrderPool } from '../pools/order-pool.ts'
import { leaveBook, levelsOf, restBehind, restInBook, shrinkInBook } from './book.ts'
import { BookSide } from './book-side.ts'
import { LevelPool } from './level-pool.ts'

/** The model of one side: [id, price, remaining] in time order. */
class TwoBooks {
  readonly orders = new OrderPool()
  readonly levels = new LevelPool()
  readonly side: BookSide
  readonly model: [id: number, price: number, remaining: number][] = []
  private nextId = 1

  constructor(sign: number) {
    this.side = new BookSide(sign)
  }

  rest(price: number, lots: number): void {
    const slot = this.take(price, lots)
    restInBook(this, this.side, slot)
    this.model.push([this.orders.id(slot), price, lots])
  }

  private take(price: number, lots: number): number {
    const slot = this.orders.take(this.nextId++)
    this.orders.setPrice(slot, price)
    this.orders.setRemaining(slot, lots)
    return slot
  }

  leave(pick: number): void {
    const [gone] = this.model.splice(pick % this.model.length, 1)
    const slot = this.orders.slotOf(gone![0])
    leaveBook(this, this.side, slot)
    this.orders.release(slot)
  }

  shrink(pick: number): void {
    const order = this.model[pick % this.model.length]!
    if (order[2] < 2) return
    order[2] -= 1
    const slot = this.orders.slotOf(order[0])
    shrinkInBook(this, slot, 1)
    this.orders.setRemaining(slot, order[2])
  }

  /** A smaller order replaces one that is not alone in its level. */
  replace(pick: number): void {
    const at = pick % this.model.length
    const [id, price, lots] = this.model[at]!
    if (this.model.filter((each) => each[1] === price).length < 2) return
    const slot = this.orders.slotOf(id)
    const level = this.orders.level(slot)
    const before = this.orders.levelPrev(slot)
    leaveBook(this, this.side, slot)
    this.orders.release(slot)
    const fresh = this.take(price, lots)
    restBehind(this, fresh, level, before)
    this.model[at] = [this.orders.id(fresh), price, lots]
  }

  /** Best price first, then time, as [price, lots, ids] a level. */
  expected(): unknown[] {
    const prices = [...new Set(this.model.map(([, price]) => price))]
    prices.sort((one, other) => (other - one) * this.side.sign)
    return prices.map((price) => {
      const here = this.model.filter((each) => each[1] === price)
      const lots = here.reduce((sum, [, , remaining]) => sum + remaining, 0)
      return [price, lots, here.map(([id]) => id)]
    })
  }

  actual(): unknown[] {
    const { side, levels, orders } = this
    return levelsOf(this, side).map((level) => {
      const ids: number[] = []
      let slot = levels.head[level]!
      for (; slot !== 0; slot = orders.levelNext(slot)) ids.push(orders.id(slot))
      assert.equal(levels.count[level], ids.length)
      return [levels.price[level], levels.lots[level], ids]
    })
  }
}

const step = fc.record({
  what: fc.constantFrom('rest', 'rest', 'leave', 'shrink', 'replace' as const),
  price: fc.integer({ min: 98, max: 102 }),
  lots: fc.integer({ min: 1, max: 3 }),
  pick: fc.nat(20),
})

for (const sign of [1, -1]) {
  test(`${sign > 0 ? 'bids' : 'asks'} are in order of price, then time, after any history`, () => {
    const check = (steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]) => {
      const books = new TwoBooks(sign)
      for (const { what, price, lots, pick } of steps) {
        if (what === 'rest' || books.model.length === 0) books.rest(price, lots)
        else books[what as 'leave' | 'shrink' | 'replace'](pick)
        assert.deepEqual(books.actual(), books.expected())
        const best = books.expected()[0] as [number] | undefined
        assert.equal(books.side.bestPrice, best?.[0] ?? 0)
      }
    }
    fc.assert(fc.property(fc.array(step, { maxLength: 40, size: 'max' }), check), { numRuns: 500 })
  })
}

test('a book grows to a thousand levels and shrinks back to nothing', () => {
  const books = new TwoBooks(1)
  for (let n = 0; n < 1_000; n++) books.rest(10_000 + ((n * 7_919) % 1_000), 1)
  assert.equal(books.side.count, 1_000)
  assert.equal(books.side.bestPrice, 10_999)
  while (books.model.length > 0) books.leave(books.model.length * 3 + 1)
  assert.equal(books.side.count, 0)
  assert.equal(books.side.bestPrice, 0)
  assert.equal(books.levels.used, 1_000)
})
