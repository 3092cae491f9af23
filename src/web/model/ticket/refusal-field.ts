// Determines the ticket field that a refusal concerns, and an accepted value that one click
// inserts. The exchange's message is always shown in full. The value is taken from the message, or
// computed from the market's own numbers.

import type { Rung } from '../../../client/ladder.ts'
import { formatGrid, type GridStep } from '../../../units/decimal.ts'
import { type LevelKind, rowNamed } from '../levels/level-rows.ts'
import { numberOnGrid, onGrid, stepsOf } from '../market/market-grid.ts'
import { fixed, placesOf, wholeAmount } from '../number-text.ts'
import { sentence } from '../words/sentence.ts'

export type TicketField =
  | 'price'
  | 'amount'
  | 'stop'
  | 'trail'
  | 'activation'
  | 'take_profit'
  | 'stop_loss'
  | 'slippage'
  | 'duration'
  | 'expiry'
  | 'display'
  | 'below'
  | 'to'
  | 'count'
  | 'form'

export type FieldRefusal = Readonly<{
  field: TicketField
  message: string
  code: number
  /** Value that one click inserts; `null` if no value would certainly be accepted. */
  accepted: string | null
  /** Index of the level that is refused. */
  row?: number
}>

/** Properties of the refused order from which offers are computed. */
export type RefusedOrder = Readonly<{
  price: string
  amount: string
  stop: string
  /** Lower trigger price of two stops. */
  below: string
  /** Price of each row by kind; `null` if a row has none. */
  levels: Readonly<Record<LevelKind, readonly RowPrice[]>>
  side: 'bid' | 'ask'
  reduceOnly: boolean
  tick: GridStep
  lot: GridStep
  mark: number
  minOrderUsd: number
  /** Number of orders, each of which needs the minimum value. */
  parts: number
  /** Maximum accepted size, if the preview reported it. */
  maxAmount: string | null
  position: string | null
}>

type RowPrice = Readonly<{ price: string | null }>
type Offered = readonly [TicketField, string | null, number?]
type Offer = (order: RefusedOrder, message: string) => Offered

const pricedAt = (message: string, price: string) =>
  price !== '' && Number(/stop price ([0-9.]+)/.exec(message)?.[1]) === Number(price)

/** Finds the level that a message mentions, and its row. */
function levelNamed(
  { levels }: RefusedOrder,
  message: string,
): readonly [LevelKind, number] | null {
  for (const kind of ['take_profit', 'stop_loss'] as const) {
    const row = rowNamed(message, kind, levels[kind])
    if (row !== null) return [kind, row]
  }
  return null
}

/** Offers a level a price on its side of the mark. A stop that is already reached gets no offer,
 *  because that would move a late stop-loss to the other side of the market. */
const stopBeyondMark: Offer = (order, message) => {
  const { side, tick, price, stop, below } = order
  // Messages about levels of a stop contain the name of the level.
  const isLevel = stop === '' || /\b(take_profit|stop_loss)\b/.test(message)
  const level = isLevel ? levelNamed(order, message) : null
  if (level === null) return [pricedAt(message, below) ? 'below' : 'stop', null]
  const [kind, row] = level
  const above = (kind === 'take_profit') === (side === 'bid')
  const from = Number(price) || Number(stop) || order.mark
  return [kind, numberOnGrid(from * (above ? 1.01 : 0.99), tick, above ? 'up' : 'down'), row]
}

const offGridAmount = 59

/** Field by error code, and the offer if the message contains none. */
const offers: Readonly<Record<number, Offer>> = {
  4: () => ['price', null],
  5: ({ maxAmount }) => ['amount', usable(maxAmount)],
  7: (order) => ['amount', leastAmount(order)],
  8: ({ maxAmount }) => ['amount', usable(maxAmount)],
  16: stopBeyondMark,
  18: ({ position }) => ['amount', position],
  22: ({ position }) => ['amount', position],
  25: ({ mark }, message) =>
    message.includes('one of your own') ? ['form', null] : ['slippage', slippageTo(message, mark)],
  28: ({ maxAmount }) => ['amount', usable(maxAmount)],
  30: () => ['price', null],
  38: (order, message) => (largestNamed(message) ? ['amount', null] : restingPrice(order, message)),
  41: ({ maxAmount }) => ['amount', usable(maxAmount)],
  45: () => ['duration', null],
  46: (_, message) => ['duration', minutesWithin(message)],
  52: ({ price, tick }) => ['price', onGrid(price, tick)],
  [offGridAmount]: ({ amount, lot }, message) =>
    message.includes('display_amount') ? ['display', null] : ['amount', onGrid(amount, lot)],
  119: (order, message) => restingPrice(order, message),
}

const largestNamed = (message: string) => message.includes('largest amount accepted now is')

/** Offers a post-only order the nearest price at which it would rest. */
function restingPrice({ price }: RefusedOrder, message: string): Offered {
  const rests = restsAt(message)
  return price === '' || rests === null ? ['form', null] : ['price', rests]
}

const restsAt = (message: string) =>
  /nearest price that rests is ([0-9.]*[0-9])/.exec(message)?.[1] ?? null

/** Parses `30 seconds is outside 60 to 86400`; returns the nearest limit in minutes. */
function minutesWithin(message: string): string | null {
  const named = /([0-9]+) seconds is outside ([0-9]+) to ([0-9]+)/.exec(message)
  if (named === null) return null
  const [given, least, most] = named.slice(1).map(Number) as [number, number, number]
  return String(given < least ? Math.ceil(least / 60) : Math.floor(most / 60))
}

/** Distance of the best price from the mark, in tenths of a percent; `null` if there is none. */
function slippageTo(message: string, mark: number): string | null {
  const best = /the best is ([0-9.]*[0-9])/.exec(message)?.[1]
  if (best === undefined || mark === 0) return null
  const percent = Math.abs(Number(best) / mark - 1) * 100
  return percent < 100 ? numberOnGrid(percent * 1.01, { stepValue: 1, stepScale: 1 }, 'up') : null
}

const usable = (amount: string | null) => (amount === null || Number(amount) === 0 ? null : amount)

/** Smallest size: at least a lot, and the minimum order value unless it closes a position. */
function leastAmount(order: RefusedOrder): string | null {
  const { price, mark, minOrderUsd, parts, lot, reduceOnly, position } = order
  const worth = Number(price) || mark
  if (!(worth > 0)) return null
  const lots = stepsOf(numberOnGrid(minOrderUsd / worth, lot, 'up'), lot) ?? 0
  const least = formatGrid(Math.max(1, lots) * parts, lot)
  return reduceOnly && position !== null && Number(position) < Number(least) ? position : least
}

/** Returns the nearest size on the grid, or the smallest sufficient size if that is worth too
 *  little. */
function enoughOf(order: RefusedOrder, nearest: string | null): string | null {
  const least = leastAmount(order)
  return Number(order.amount) < Number(least) ? least : usable(nearest)
}

/** Value that the exchange's message contains; `null` if there is none. */
export function namedValue(message: string): string | null {
  const named = /(?:nearest:|largest amount accepted now is) ([0-9.]*[0-9])/.exec(message)
  return named?.[1] ?? null
}

export function fieldRefusal(code: number, message: string, order: RefusedOrder): FieldRefusal {
  const [field, offered, row] =
    policyField(message, order) ??
    legNamed(message, order) ??
    levelOffGrid(message, order) ??
    ledBy(message) ??
    knownByName(message, order) ??
    offers[code]?.(order, message) ??
    fieldNamedIn(message)
  // For a level the message may mention both sides, only one of which is possible, so ours is used.
  const ours = code === 16 && (field === 'stop' || /nearest: [0-9.]+ or /.test(message))
  const accepted = ours ? offered : (namedValue(message) ?? offered)
  const isSize = code === offGridAmount && field === 'amount'
  const enough = isSize ? enoughOf(order, accepted) : accepted
  const refusal = { field, code, message: sentence(message), accepted: enough }
  return row === undefined ? refusal : { ...refusal, row }
}

/** Parses `take_profit.stop_price 1.23 is not a multiple …; nearest: 1 or 2`. */
function levelOffGrid(message: string, order: RefusedOrder): Offered | null {
  const stop = /\bstop_order\.([a-z_]+)\b/.exec(message)
  if (stop !== null) return [fieldsByName[stop[1]!] ?? 'form', null]
  if (!/\b(take_profit|stop_loss)(\[[0-9]\])?\./.test(message)) return null
  const level = levelNamed(order, message)
  return level === null ? null : [level[0], null, level[1]]
}

/** Parses `legs[1].stop_price 1.23 is not a multiple …`. */
function legNamed(message: string, { below }: RefusedOrder): readonly [TicketField, null] | null {
  const named = /\blegs\[([01])\]\.([a-z_]+)/.exec(message)
  if (named === null) return null
  const field = fieldsByName[named[2]!] ?? 'form'
  return [field === 'stop' && named[1] === '1' && below !== '' ? 'below' : field, null]
}

/** Parses `rule 5 of this agent's policy`, which concerns the price, the size, or neither. */
function policyField(message: string, { price }: RefusedOrder): Offered | null {
  const rule = /\brule ([1-7]) of this agent's policy/.exec(message)?.[1]
  if (rule === undefined) return null
  if (rule === '4') return [price === '' ? 'slippage' : 'price', null]
  return [rule === '5' || rule === '6' ? 'amount' : 'form', null]
}

/** Ticket fields by the last part of the API's field name. */
const fieldsByName: Readonly<Record<string, TicketField>> = {
  price: 'price',
  limit_price: 'price',
  amount: 'amount',
  slippage_percent: 'slippage',
  stop_price: 'stop',
  trailing_percent: 'trail',
  activation_price: 'activation',
  duration_in_seconds: 'duration',
  display_amount: 'display',
  expire_time: 'expiry',
}

/** A message that begins with the name of a field concerns that field, whatever its code. */
function ledBy(message: string): readonly [TicketField, null] | null {
  const name = /^(?:[A-Z_]+: )?([a-z]+(?:_[a-z]+)+) /.exec(message)?.[1]
  const field = fieldsByName[name ?? '']
  return field === undefined ? null : [field, null]
}

/** Offers for refusals without a distinct code, by name. */
const offersByName: Readonly<Record<string, Offer>> = {
  INVALID_TIME: () => ['expiry', null],
  WOULD_TAKE: (_, message) => ['price', restsAt(message)],
  post_only_rejected: (_, message) => ['price', restsAt(message)],
}

function knownByName(message: string, order: RefusedOrder): Offered | null {
  return offersByName[message.slice(0, message.indexOf(':'))]?.(order, message) ?? null
}

/** Finds the field in the message of a refusal without an engine code. */
function fieldNamedIn(message: string): readonly [TicketField, null] {
  const level = /\b(take_profit|stop_loss)\b/.exec(message)
  if (level !== null) return [level[1] as TicketField, null]
  const named = message.match(/\b[a-z]+(?:_[a-z]+)*\b/g)?.find((word) => word in fieldsByName)
  return [fieldsByName[named ?? ''] ?? 'form', null]
}

/** An order of a scale. `at` is its index in the order of the ticket, from 0. */
export type NamedRung = Rung & Readonly<{ at: number; of: number }>

/** Refusal of one order of a scale. Offers are made only for prices of the first and last order,
 *  because the size field has the total. */
export function ofRung(refusal: FieldRefusal, { at, of, price, amount }: NamedRung): FieldRefusal {
  const { field, accepted } = refusal
  const [isFirst, isLast] = [at === 0, at === of - 1]
  const name = isFirst ? 'The first order' : isLast ? 'The last order' : `Order ${at + 1} of ${of}`
  const where = `${wholeAmount(amount)} at ${fixed(price, placesOf(price))}`
  const message = `${name}, ${where}: ${refusal.message}`
  if (field !== 'price')
    return { ...refusal, message, accepted: field === 'amount' ? null : accepted }
  if (isFirst) return { ...refusal, message }
  return { ...refusal, message, field: 'to', accepted: isLast ? accepted : null }
}
