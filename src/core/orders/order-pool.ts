// Every live order, resting, waiting or arriving, as a row of typed arrays. A slot is reused after its
// order ended; the id never is. Slot 0 is "none". Links: an order stands in its price level (book/) and
// in the list of its position row, which is sorted by id because orders join it when they get their id.

import { grown } from '../growing.ts'
import { IdIndex } from '../id-index.ts'

/** Where an order is in its life. */
export const RESTING = 1
export const WAITING = 2
export const ARRIVING = 3

export const REDUCE_ONLY = 1
/** It has attached take-profit or stop-loss levels. */
export const ATTACHED = 2
export const HAS_CLIENT_ID = 4
/** Its limit is a worst price, not one its owner chose: it is not banded. */
export const MARKET_ORDER = 8

export class OrderPool {
  readonly slots = new IdIndex()
  id = new Float64Array(8)
  account = new Int32Array(8)
  /** Row of the position pool: account and market in one. */
  position = new Int32Array(8)
  market = new Int32Array(8)
  side = new Uint8Array(8)
  tif = new Uint8Array(8)
  origin = new Uint8Array(8)
  flags = new Uint8Array(8)
  stage = new Uint8Array(8)
  price = new Int32Array(8)
  size = new Float64Array(8)
  remaining = new Float64Array(8)
  cancelled = new Float64Array(8)
  /** Entry loss in ticks a lot, as counted in the row's sum (MARGIN-2). */
  lossTicks = new Int32Array(8)
  parent = new Float64Array(8)
  createdAt = new Float64Array(8)
  updatedAt = new Float64Array(8)
  releaseAt = new Float64Array(8)
  level = new Int32Array(8)
  levelPrev = new Int32Array(8)
  levelNext = new Int32Array(8)
  rowPrev = new Int32Array(8)
  rowNext = new Int32Array(8)
  /** Slots ever used, and the head of the list of free ones (through levelNext). */
  used = 0
  free = 0

  take(id: number): number {
    let slot = this.free
    if (slot !== 0) this.free = this.levelNext[slot]!
    else {
      slot = ++this.used
      if (slot >= this.id.length) this.grow(slot + 1)
    }
    this.id[slot] = id
    this.slots.set(id, slot)
    this.cancelled[slot] = 0
    this.lossTicks[slot] = 0
    this.releaseAt[slot] = 0
    this.level[slot] = 0
    this.levelPrev[slot] = 0
    this.levelNext[slot] = 0
    return slot
  }

  release(slot: number): void {
    this.slots.remove(this.id[slot]!)
    this.id[slot] = 0
    this.stage[slot] = 0
    this.levelNext[slot] = this.free
    this.free = slot
  }

  private grow(length: number): void {
    this.id = grown(this.id, length)
    this.account = grown(this.account, length)
    this.position = grown(this.position, length)
    this.market = grown(this.market, length)
    this.side = grown(this.side, length)
    this.tif = grown(this.tif, length)
    this.origin = grown(this.origin, length)
    this.flags = grown(this.flags, length)
    this.stage = grown(this.stage, length)
    this.price = grown(this.price, length)
    this.size = grown(this.size, length)
    this.remaining = grown(this.remaining, length)
    this.cancelled = grown(this.cancelled, length)
    this.lossTicks = grown(this.lossTicks, length)
    this.parent = grown(this.parent, length)
    this.createdAt = grown(this.createdAt, length)
    this.updatedAt = grown(this.updatedAt, length)
    this.releaseAt = grown(this.releaseAt, length)
    this.level = grown(this.level, length)
    this.levelPrev = grown(this.levelPrev, length)
    this.levelNext = grown(this.levelNext, length)
    this.rowPrev = grown(this.rowPrev, length)
    this.rowNext = grown(this.rowNext, length)
  }
}
