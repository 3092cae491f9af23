// Writes and reads orders, triggers and waiting orders. Orders come by rising id, which is the
// order of their account's list. The books then list them from the worst price to the best, oldest
// first.

import type { Ppm, Ticks } from '../../units/units.ts'
import { levelsOf, restInBook } from '../book/book.ts'
import type { BookSide } from '../book/book-side.ts'
import { rememberClientId } from '../drafts/client-ids.ts'
import { isLevel, joinLevels } from '../levels/position-levels.ts'
import { rowOf } from '../margin/position-row.ts'
import { linkLegs } from '../oco/links.ts'
import { joinRow, recountOpen } from '../orders/order-life.ts'
import { ARRIVING, HAS_CLIENT_ID, WAITING } from '../pools/order-pool.ts'
import type { State } from '../state/state.ts'
import { Trail } from '../state/trail.ts'
import type { Trigger } from '../state/trigger.ts'
import { keepExpiry } from '../timing/schedule.ts'
import { adoptTrigger } from '../triggers/trigger-life.ts'
import { flag, list, optionalNumber, optionalText, type Stream, walkIds } from './stream.ts'

export function walkOrders(stream: Stream, state: State): void {
  const ids = sortedIds(state)
  const count = stream.number(ids.length)
  const last = { id: 0, at: 0 }
  for (let at = 0; at < count; at++) walkOrder(stream, state, ids[at] ?? 0, last)
  for (const market of state.markets)
    if (market !== undefined)
      for (const side of [market.bids, market.asks]) walkSide(stream, state, side)
}

function sortedIds({ orders }: State): Float64Array {
  const ids = new Float64Array(orders.count)
  let count = 0
  let sorted = true
  for (let slot = 1; slot <= orders.used; slot++) {
    const id = orders.id(slot)
    if (id === 0) continue
    if (count > 0 && id < ids[count - 1]!) sorted = false
    ids[count++] = id
  }
  return sorted ? ids : ids.sort()
}

/** Neighbours have close ids and times, so differences take only a byte or two. */
type Last = { id: number; at: number }

function walkOrder(stream: Stream, state: State, known: number, last: Last): void {
  const { orders } = state
  const id = stream.number(known - last.id) + last.id
  last.id = id
  const slot = stream.reading ? orders.take(id) : orders.slotOf(id)
  walkTerms(stream, state, slot)
  const createdAt = stream.number(orders.createdAt(slot) - last.at) + last.at
  last.at = createdAt
  const sinceThen = stream.number(orders.updatedAt(slot) - createdAt)
  // When the order will run, or since when it has its place. Negative for an edit that kept its
  // place.
  const stageAt = stream.number(orders.stageAt(slot) - createdAt)
  const isWaiting = orders.stage(slot) === WAITING
  const { waiting } = state.markets[orders.market(slot)]!
  const what = isWaiting ? stream.number(waiting.whatFor(id)) : 0
  if (isWaiting && stream.reading) waiting.set(id, what)
  const account = orders.account(slot)
  const named = (orders.flags(slot) & HAS_CLIENT_ID) !== 0
  const clientId = named ? stream.text(state.clientIds.get(id) ?? '') : ''
  if (!stream.reading) return
  orders.setCreatedAt(slot, createdAt)
  orders.setUpdatedAt(slot, createdAt + sinceThen)
  orders.setStageAt(slot, createdAt + stageAt)
  orders.setPosition(slot, rowOf(state, state.markets[orders.market(slot)]!, account))
  joinRow(state, slot)
  if (orders.stage(slot) !== ARRIVING) recountOpen(state, slot, orders.remaining(slot))
  if (named) rememberClientId(state, account, id, clientId)
}

/** Field by field, because a loop over columns takes several times as long. */
function walkTerms(stream: Stream, { orders }: State, slot: number): void {
  orders.setAccount(slot, stream.number(orders.account(slot)))
  orders.setMarket(slot, stream.number(orders.market(slot)))
  orders.setSide(slot, stream.number(orders.side(slot)))
  orders.setTif(slot, stream.number(orders.tif(slot)))
  orders.setOrigin(slot, stream.number(orders.origin(slot)))
  orders.setFlags(slot, stream.number(orders.flags(slot)))
  orders.setStage(slot, stream.number(orders.stage(slot)))
  orders.setPrice(slot, stream.number(orders.price(slot)))
  const size = stream.number(orders.size(slot))
  orders.setSize(slot, size)
  orders.setRemaining(slot, size - stream.number(size - orders.remaining(slot)))
  orders.setCancelled(slot, stream.number(orders.cancelled(slot)))
  orders.setLossTicks(slot, stream.number(orders.lossTicks(slot)))
  orders.setParent(slot, stream.number(orders.parent(slot)))
}

/** One side of a book, from the worst price to the best, so that the reader only appends. */
function walkSide(stream: Stream, state: State, side: BookSide): void {
  const { levels, orders } = state
  const ids: number[] = []
  let last = 0
  if (!stream.reading)
    for (const level of levelsOf(state, side).reverse()) {
      let slot = levels.head[level]!
      while (slot !== 0) {
        ids.push(orders.id(slot))
        slot = orders.levelNext(slot)
      }
    }
  list(stream, ids, (known) => {
    const id = stream.number((known ?? 0) - last) + last
    last = id
    if (stream.reading) restInBook(state, side, orders.slotOf(id))
  })
}

export function walkTriggers(stream: Stream, state: State): void {
  const byId = [...state.triggers.values()].sort((one, other) => one.id - other.id)
  list(stream, byId, (trigger) => {
    const walked = walkTrigger(stream, state, trigger)
    const becomesLevel = flag(stream, isLevel(state, walked))
    if (!stream.reading) return
    adoptTrigger(state, walked)
    if (becomesLevel) joinLevels(state, walked)
  })
  const attached = [...state.attached].sort((one, other) => one[0] - other[0])
  list(stream, attached, (entry) => {
    const order = stream.number(entry?.[0] ?? 0)
    const takeProfit = walkIds(stream, entry?.[1].takeProfit ?? [])
    const stopLoss = walkIds(stream, entry?.[1].stopLoss ?? [])
    if (stream.reading) state.attached.set(order, { takeProfit, stopLoss })
  })
}

function walkTrigger(stream: Stream, state: State, trigger: Trigger | undefined): Trigger {
  const number = (value: number | undefined): number => stream.number(value ?? 0)
  const id = number(trigger?.id)
  const account = number(trigger?.account)
  const market = number(trigger?.market)
  const row = rowOf(state, state.markets[market]!, account)
  const side = number(trigger?.side)
  return {
    id,
    account,
    // Agents are written separately (walkAgents, walkLastSlippage).
    agent: null,
    lastSlippagePpm: null,
    market,
    position: row,
    side,
    kind: number(trigger?.kind),
    stopPrice: number(trigger?.stopPrice),
    trail: walkTrail(stream, side, trigger?.trail ?? null),
    limitPrice: number(trigger?.limitPrice),
    slippagePpm: optionalNumber(stream, trigger?.slippagePpm ?? null),
    wanted: number(trigger?.wanted),
    size: number(trigger?.size),
    cut: number(trigger?.cut),
    triggerBy: number(trigger?.triggerBy),
    reduceOnly: flag(stream, trigger?.reduceOnly ?? false),
    up: flag(stream, trigger?.up ?? false),
    // Expiries are written separately (walkExpiries).
    expireTime: null,
    parent: number(trigger?.parent),
    armed: flag(stream, trigger?.armed ?? false),
    clientOrderId: optionalText(stream, trigger?.clientOrderId ?? null),
    createdAt: number(trigger?.createdAt),
    updatedAt: number(trigger?.updatedAt),
    wave: 0,
    distance: 0,
  }
}

function walkTrail(stream: Stream, side: number, trail: Trail | null): Trail | null {
  if (!flag(stream, trail !== null)) return null
  const number = (value: number | undefined): number => stream.number(value ?? 0)
  const distance = number(trail?.distance) as Ticks
  const ppm = number(trail?.ppm) as Ppm
  const activation = number(trail?.activation) as Ticks
  const extreme = number(trail?.extreme)
  // The stop price of a trail is derived from these values.
  number(trail?.stop)
  return new Trail(side, { distance, ppm, activation }, extreme)
}

/** The two legs of each OCO, the older one first. */
export function walkLegs(stream: Stream, state: State): void {
  const pairs = [...state.oco].filter(([one, other]) => one < other)
  const byId = pairs.sort(([one], [other]) => one - other)
  list(stream, byId, (pair) => {
    const one = stream.number(pair?.[0] ?? 0)
    const other = stream.number(pair?.[1] ?? 0)
    if (stream.reading) linkLegs(state, one, other)
  })
}

/** Expiries of orders and stops. */
export function walkExpiries(stream: Stream, state: State): void {
  list(stream, state.expiries.all(), (expiry) => {
    const id = stream.number(expiry?.id ?? 0)
    const at = stream.number(expiry?.at ?? 0)
    if (!stream.reading) return
    keepExpiry(state, id, at)
    const trigger = state.triggers.get(id)
    if (trigger !== undefined) trigger.expireTime = at
  })
}
