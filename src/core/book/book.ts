// Adds orders to the book and removes them. Price-time priority: an order joins the end of its
// level. Knows prices and links, but neither accounts nor money.

import { broken } from '../../units/invariant.ts'
import type { OrderPool } from '../pools/order-pool.ts'
import * as pool from '../pools/order-pool.ts'
import type { BookSide } from './book-side.ts'
import type { LevelPool } from './level-pool.ts'

// A module constant is compiled into the machine code (docs/performance.md). It is bit 1.
const { REDUCE_ONLY } = pool

/** The parts of the state that the book functions use. */
export type Books = { readonly orders: OrderPool; readonly levels: LevelPool }

export function restInBook(books: Books, side: BookSide, slot: number): void {
  const price = books.orders.price(slot)
  let level = side.levelOf(books.levels, price)
  if (level === 0) level = side.open(books.levels, price)
  restBehind(books, slot, level, books.levels.tail[level]!)
}

/** Links an order into an existing level behind the order `before`. 0: at the front. */
export function restBehind(books: Books, slot: number, level: number, before: number): void {
  const { orders, levels } = books
  if (orders.level(slot) !== 0 || !(orders.remaining(slot) > 0)) brokenRest(books, slot)
  const next = before === 0 ? levels.head[level]! : orders.levelNext(before)
  orders.setLevel(slot, level)
  orders.setLevelPrev(slot, before)
  orders.setLevelNext(slot, next)
  if (before === 0) levels.head[level] = slot
  else orders.setLevelNext(before, slot)
  if (next === 0) levels.tail[level] = slot
  else orders.setLevelPrev(next, slot)
  addLots(books, level, slot, orders.remaining(slot))
  levels.count[level] = levels.count[level]! + 1
}

function brokenRest({ orders }: Books, slot: number): never {
  if (orders.level(slot) !== 0) broken('an order rests twice, level', orders.level(slot))
  return broken('an order rests without lots, it has', orders.remaining(slot))
}

export function leaveBook(books: Books, side: BookSide, slot: number): void {
  const { orders, levels } = books
  const level = orders.level(slot)
  if (level === 0) broken('an order leaves a book that it is not in', orders.id(slot))
  const prev = orders.levelPrev(slot)
  const next = orders.levelNext(slot)
  if (prev === 0) levels.head[level] = next
  else orders.setLevelNext(prev, next)
  if (next === 0) levels.tail[level] = prev
  else orders.setLevelPrev(next, prev)
  orders.setLevel(slot, 0)
  addLots(books, level, slot, -orders.remaining(slot))
  const count = levels.count[level]! - 1
  levels.count[level] = count
  if (count !== 0) return
  if (levels.lots[level] !== 0) broken('a level without orders has lots', levels.lots[level]!)
  side.close(levels, level)
}

/** Updates the level after a resting order got smaller. The order keeps its place. */
export function shrinkInBook(books: Books, slot: number, lots: number): void {
  const level = books.orders.level(slot)
  if (level === 0) broken('an order gets smaller in a book that it is not in', lots)
  addLots(books, level, slot, -lots)
}

function addLots({ orders, levels }: Books, level: number, slot: number, lots: number): void {
  const plain = 1 - (orders.flags(slot) & REDUCE_ONLY)
  const all = levels.lots[level]! + lots
  const allPlain = levels.plainLots[level]! + plain * lots
  if (!(allPlain >= 0 && all >= allPlain)) brokenLots(all, allPlain)
  levels.lots[level] = all
  levels.plainLots[level] = allPlain
}

function brokenLots(all: number, plain: number): never {
  if (!(plain >= 0)) broken('a level has less than no plain lots', plain)
  return broken('a level has fewer lots than plain ones', all)
}

/** All levels of a side, best first. */
export function levelsOf({ levels }: Pick<Books, 'levels'>, side: BookSide): number[] {
  const found: number[] = []
  for (let level = side.bestLevel; level !== 0; level = levels.worse[level]!) found.push(level)
  return found
}
