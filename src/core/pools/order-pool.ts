// All open orders, resting, waiting or arriving: two cache lines of typed arrays per slot. A slot
// is reused after its order has ended; an id never is. Slot 0 is "none". An order is in its price
// level (book/) and in the list of its position row, sorted by id. The accessors are inlined.

import { broken } from '../../units/invariant.ts'
import { grown } from './growing.ts'
import { IdIndex } from './id-index.ts'

/** The stage of an order. */
export const RESTING = 1
export const WAITING = 2
export const ARRIVING = 3
const arriving = ARRIVING // An exported constant is looked up at each use (docs/performance.md).
export const NO_END = -1 // Replaces the time at which a wait ends.

export const REDUCE_ONLY = 1
/** The order has attached levels; a client id. */
export const ATTACHED = 2
export const HAS_CLIENT_ID = 4
/** Its limit is a worst price, without price band. The highest bits hold its slippage in ppm. */
export const MARKET_ORDER = 8
export const SLIPPAGE_SHIFT = 11
/** It expires; the slot holds the place of its expiry in `state.expiries`. */
export const EXPIRES = 16
/** Two bits of self-trade mode; then: protected (ORDER-18), of an algo, a leg (TRIG-14). */
export const STP_SHIFT = 5
export const PROTECTED = 128
export const CHILD = 256
export const LINKED = 512
/** Order of a fired stop that executes until its position is closed (TRIG-3). */
export const GOES_ON = 1_024

// Fields in a slot's line of small integers (sixteen wide).
const POSITION = 0
const ACCOUNT = 1
const MARKET = 2
const SIDE = 3
const TIF = 4
const ORIGIN = 5
const FLAGS = 6
const STAGE = 7
const PRICE = 8
const LOSS_TICKS = 9
const LEVEL = 10
const LEVEL_PREV = 11
const LEVEL_NEXT = 12
const ROW_PREV = 13
const ROW_NEXT = 14
const EXPIRY = 15
// Fields in a slot's line of large integers (eight wide).
const ID = 0
const SIZE = 1
const REMAINING = 2
const CANCELLED = 3
const PARENT = 4
const CREATED_AT = 5
const UPDATED_AT = 6
const STAGE_AT = 7
const youngMax = 1 << 16 // A larger array would not stay in the processor's cache.

export class OrderPool {
  count = 0
  /** Slots by the low bits of an id. A new order moves an older one to the index. */
  private young = new Int32Array(64)
  private readonly elders = new IdIndex()
  private small = new Int32Array(16 * 8)
  private large = new Float64Array(8 * 8)
  /** Number of slots ever used, and the first free slot of the free list. */
  used = 0
  free = 0

  /** Creates an arriving order in a free slot. The caller sets the optional fields. */
  enter(
    id: number,
    row: number,
    account: number,
    market: number,
    side: number,
    tif: number,
    price: number,
    size: number,
  ): number {
    const slot = this.take(id)
    const { small, large } = this
    const at = slot * 16
    small[at + POSITION] = row
    small[at + ACCOUNT] = account
    small[at + MARKET] = market
    small[at + SIDE] = side
    small[at + TIF] = tif
    small[at + ORIGIN] = 0
    small[at + FLAGS] = 0
    small[at + STAGE] = arriving
    small[at + PRICE] = price
    large[slot * 8 + SIZE] = size
    large[slot * 8 + REMAINING] = size
    large[slot * 8 + PARENT] = 0
    return slot
  }

  /** Returns the slot of an open order, or 0. */
  slotOf(id: number): number {
    const slot = this.young[id & (this.young.length - 1)]!
    return this.large[slot * 8 + ID] === id ? slot : this.elders.get(id)
  }

  take(id: number): number {
    const slot = this.free === 0 ? this.fresh() : this.free
    const { small, large } = this
    if (large[slot * 8 + ID] !== 0) broken('a free slot has an order', large[slot * 8 + ID]!)
    this.free = small[slot * 16 + LEVEL_NEXT]!
    let place = id & (this.young.length - 1)
    if (this.young[place] !== 0) place = this.clearPlace(id)
    this.young[place] = slot
    this.count += 1
    large[slot * 8 + ID] = id
    large[slot * 8 + CANCELLED] = 0
    small[slot * 16 + LOSS_TICKS] = 0
    small[slot * 16 + LEVEL] = 0
    return slot
  }

  release(slot: number): void {
    const id = this.large[slot * 8 + ID]!
    if (id === 0) broken('a slot is freed twice', slot)
    const place = id & (this.young.length - 1)
    if (this.young[place] === slot) this.young[place] = 0
    else this.elders.remove(id)
    this.count -= 1
    this.large[slot * 8 + ID] = 0
    this.small[slot * 16 + STAGE] = 0
    this.small[slot * 16 + LEVEL_NEXT] = this.free
    this.free = slot
  }

  /** Row of the position pool: account and market in one. */
  position(slot: number): number {
    return this.small[slot * 16 + POSITION]!
  }

  setPosition(slot: number, value: number): void {
    this.small[slot * 16 + POSITION] = value
  }

  account(slot: number): number {
    return this.small[slot * 16 + ACCOUNT]!
  }

  setAccount(slot: number, value: number): void {
    this.small[slot * 16 + ACCOUNT] = value
  }

  market(slot: number): number {
    return this.small[slot * 16 + MARKET]!
  }

  setMarket(slot: number, value: number): void {
    this.small[slot * 16 + MARKET] = value
  }

  side(slot: number): number {
    return this.small[slot * 16 + SIDE]!
  }

  setSide(slot: number, value: number): void {
    this.small[slot * 16 + SIDE] = value
  }

  tif(slot: number): number {
    return this.small[slot * 16 + TIF]!
  }

  setTif(slot: number, value: number): void {
    this.small[slot * 16 + TIF] = value
  }

  origin(slot: number): number {
    return this.small[slot * 16 + ORIGIN]!
  }

  setOrigin(slot: number, value: number): void {
    this.small[slot * 16 + ORIGIN] = value
  }

  flags(slot: number): number {
    return this.small[slot * 16 + FLAGS]!
  }

  setFlags(slot: number, value: number): void {
    this.small[slot * 16 + FLAGS] = value
  }

  stage(slot: number): number {
    return this.small[slot * 16 + STAGE]!
  }

  setStage(slot: number, value: number): void {
    this.small[slot * 16 + STAGE] = value
  }

  price(slot: number): number {
    return this.small[slot * 16 + PRICE]!
  }

  setPrice(slot: number, value: number): void {
    this.small[slot * 16 + PRICE] = value
  }

  /** Entry loss in ticks per lot, as counted in the sum of the row (MARGIN-2). */
  lossTicks(slot: number): number {
    return this.small[slot * 16 + LOSS_TICKS]!
  }

  setLossTicks(slot: number, value: number): void {
    this.small[slot * 16 + LOSS_TICKS] = value
  }

  level(slot: number): number {
    return this.small[slot * 16 + LEVEL]!
  }

  setLevel(slot: number, value: number): void {
    this.small[slot * 16 + LEVEL] = value
  }

  levelPrev(slot: number): number {
    return this.small[slot * 16 + LEVEL_PREV]!
  }

  setLevelPrev(slot: number, value: number): void {
    this.small[slot * 16 + LEVEL_PREV] = value
  }

  levelNext(slot: number): number {
    return this.small[slot * 16 + LEVEL_NEXT]!
  }

  setLevelNext(slot: number, value: number): void {
    this.small[slot * 16 + LEVEL_NEXT] = value
  }

  rowPrev(slot: number): number {
    return this.small[slot * 16 + ROW_PREV]!
  }

  setRowPrev(slot: number, value: number): void {
    this.small[slot * 16 + ROW_PREV] = value
  }

  rowNext(slot: number): number {
    return this.small[slot * 16 + ROW_NEXT]!
  }

  setRowNext(slot: number, value: number): void {
    this.small[slot * 16 + ROW_NEXT] = value
  }

  /** The place in `state.expiries` of an order that expires. */
  expiry(slot: number): number {
    return this.small[slot * 16 + EXPIRY]!
  }

  setExpiry(slot: number, value: number): void {
    this.small[slot * 16 + EXPIRY] = value
  }

  id(slot: number): number {
    return this.large[slot * 8 + ID]!
  }

  size(slot: number): number {
    return this.large[slot * 8 + SIZE]!
  }

  setSize(slot: number, value: number): void {
    this.large[slot * 8 + SIZE] = value
  }

  remaining(slot: number): number {
    return this.large[slot * 8 + REMAINING]!
  }

  setRemaining(slot: number, value: number): void {
    this.large[slot * 8 + REMAINING] = value
  }

  cancelled(slot: number): number {
    return this.large[slot * 8 + CANCELLED]!
  }

  setCancelled(slot: number, value: number): void {
    this.large[slot * 8 + CANCELLED] = value
  }

  parent(slot: number): number {
    return this.large[slot * 8 + PARENT]!
  }

  setParent(slot: number, value: number): void {
    this.large[slot * 8 + PARENT] = value
  }

  createdAt(slot: number): number {
    return this.large[slot * 8 + CREATED_AT]!
  }

  setCreatedAt(slot: number, value: number): void {
    this.large[slot * 8 + CREATED_AT] = value
  }

  updatedAt(slot: number): number {
    return this.large[slot * 8 + UPDATED_AT]!
  }

  setUpdatedAt(slot: number, value: number): void {
    this.large[slot * 8 + UPDATED_AT] = value
  }

  /** When a waiting order's wait ends, or NO_END; since when a resting order has its place. */
  stageAt(slot: number): number {
    return this.large[slot * 8 + STAGE_AT]!
  }

  setStageAt(slot: number, value: number): void {
    this.large[slot * 8 + STAGE_AT] = value
  }

  /** Returns the place for a new id, after moving its present entry to the index. */
  private clearPlace(id: number): number {
    if (this.elders.size * 8 >= this.young.length && this.young.length < youngMax) this.growYoung()
    const place = id & (this.young.length - 1)
    const elder = this.young[place]!
    if (elder !== 0) this.elders.set(this.id(elder), elder)
    return place
  }

  private growYoung(): void {
    const larger = new Int32Array(this.young.length * 2)
    for (const slot of this.young)
      if (slot !== 0) larger[this.id(slot) & (larger.length - 1)] = slot
    this.young = larger
  }

  private fresh(): number {
    this.used += 1
    this.small = grown(this.small, (this.used + 1) * 16)
    this.large = grown(this.large, (this.used + 1) * 8)
    return this.used
  }
}
