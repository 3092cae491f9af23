// The order kinds of professionals in the hands of a ring: stops that trail, several levels of a
// position, orders that end by themselves, quotes whose maker is protected, icebergs, chases and
// pairs; and what is made for those of others, quotes that lead and orders that trip.

import {
  type OrderPlan,
  orderCommand,
  type Plain,
  takingCommand,
} from '../../support/venue/commands.ts'
import { DOLLAR, UNIT_VALUE } from '../../support/venue/edition.ts'
import type { Venue } from '../../support/venue/venue.ts'
import { cover, spend, sweep } from './outside/astray.ts'
import type { Move } from './script.ts'

const aSecond = 1_000
const stopsPerMove = 10

export function withTool(
  venue: Venue,
  move: Move,
  account: number,
  aim: OrderPlan,
): readonly Plain[] {
  switch (move.act) {
    case 'trail':
      return trailing(venue, move, account, aim)
    case 'levels':
      return levels(venue, move, account, aim.market)
    case 'timed': {
      const ends = { expireTime: venue.now + aSecond + 40 * move.size }
      return [{ ...orderCommand(account, { ...aim, tif: 'GTC' }), ...ends }]
    }
    case 'twap':
      return [twap(move, account, aim)]
    case 'iceberg':
      return [iceberg(move, account, aim)]
    case 'chase':
      return [chase(venue, move, account, aim)]
    case 'oco':
      return [pair(venue, move, account, aim)]
    case 'lead':
      return [leading(venue, move, account, aim.market)]
    case 'nibble':
      return nibbles(venue, move, account, aim.market)
    case 'shield':
      return shielded(move, account, aim)
    case 'wall':
      return walled(venue, move, account, aim)
    case 'sweep':
      return [sweep(venue, account, aim)]
    case 'spend':
      return spend(venue, move, account, aim)
    case 'cover':
      return cover(venue, account, aim.market)
    default:
      return []
  }
}

/** A little more than an order must be worth. */
function leastLots(venue: Venue, market: number): number {
  return Math.ceil((12 * DOLLAR) / (venue.markOf(market) * UNIT_VALUE))
}

const plain = { limitPrice: null, triggerBy: 'mark', clientOrderId: null }

/** On the side on which the price is, each a little further behind the mark. */
function trailing(venue: Venue, move: Move, account: number, { market, lots }: OrderPlan): Plain[] {
  const least = leastLots(venue, market)
  const own = { account, proof: null, market, side: move.price < 50 ? 'ask' : 'bid' }
  return Array.from({ length: stopsPerMove }, (_, at) => {
    const distance = 1 + at * (1 + (move.size % 30))
    const trail = { distance, ppm: null, activation: null }
    const size = Math.max(least, Math.floor(lots / stopsPerMove))
    const level = { stopPrice: 0, size, trail, ...plain }
    return { type: 'PlaceStop', ...own, reduceOnly: false, level }
  })
}

/** Of a fifth each, nearer than the move's price and at it. */
function levels(venue: Venue, move: Move, account: number, market: number): Plain[] {
  const held = venue.view.positions.lotsOf(account, market)
  if (held === 0) return []
  const mark = venue.markOf(market)
  const size = Math.ceil(Math.abs(held) / 5)
  const step = Math.ceil((mark * (1 + move.size)) / 10_000)
  const way = Math.sign(held)
  const at = (sign: number) =>
    [1, 2, 3, 4, 5].map((far) => ({ stopPrice: mark + sign * way * far * step, size, ...plain }))
  const own = { account, proof: null, market, side: held > 0 ? 'bid' : 'ask' }
  return [{ type: 'SetPositionTpsl', ...own, takeProfit: at(1), stopLoss: at(-1) }]
}

/** At the best price, and no further than the move's. */
function chase(venue: Venue, move: Move, account: number, aim: OrderPlan): Plain {
  const { market, lots: size, price } = aim
  const rest = { reduceOnly: false, expireTime: venue.now + aSecond * (1 + move.size) }
  const side = move.price < 50 ? 'ask' : 'bid'
  const own = { account, proof: null, market, clientOrderId: null }
  return { type: 'PlaceChase', ...own, side, size, price, ...rest }
}

function twap(move: Move, account: number, { market, lots: size }: OrderPlan): Plain {
  const side = move.price < 50 ? 'ask' : 'bid'
  const rest = { reduceOnly: false, slippagePpm: 100_000, clientOrderId: null }
  const own = { account, proof: null, market }
  return { type: 'PlaceTwap', ...own, side, size, durationSeconds: 60 + move.size, ...rest }
}

function iceberg(move: Move, account: number, { market, lots: size, price }: OrderPlan): Plain {
  const display = Math.ceil(size / (1 + (move.size % 50)))
  const side = move.price < 50 ? 'bid' : 'ask'
  const rest = { reduceOnly: false, expireTime: null, clientOrderId: null }
  const own = { account, proof: null, market }
  return { type: 'PlaceIceberg', ...own, side, size, display, price, ...rest }
}

/** Of even sizes two stops around the mark; of odd ones an order at the price and a stop behind. */
function pair(
  venue: Venue,
  move: Move,
  account: number,
  { market, lots, price }: OrderPlan,
): Plain {
  const mark = venue.markOf(market)
  const away = 1 + Math.ceil((mark * move.size) / 20_000)
  const stop = (side: 'bid' | 'ask', stopPrice: number) => {
    const level = { stopPrice, size: lots, ...plain }
    return { side, reduceOnly: false, level }
  }
  const side = price < mark ? 'bid' : 'ask'
  const rests = { side, price, size: lots, reduceOnly: false, clientOrderId: null }
  const behind = stop(side, side === 'bid' ? mark + away : mark - away)
  const legs =
    move.size % 2 === 0 ? [stop('bid', mark + away), stop('ask', mark - away)] : [rests, behind]
  return { type: 'PlaceOco', account, proof: null, market, legs }
}

function leading(venue: Venue, move: Move, account: number, market: number): Plain {
  const isBid = move.price < 50
  const best = venue.view.books.bestPrice(market, isBid ? 'bid' : 'ask') || venue.markOf(market)
  const lots = leastLots(venue, market) * (isBid ? 1 : -1)
  return orderCommand(account, { market, lots, price: best + (isBid ? 1 : -1), tif: 'ALO' })
}

function nibbles(venue: Venue, move: Move, account: number, market: number): Plain[] {
  const lots = leastLots(venue, market) * (move.price < 50 ? 1 : -1)
  const one = takingCommand(account, { market, lots, reduceOnly: false })
  return Array.from({ length: 10 }, () => one)
}

function shielded(move: Move, account: number, aim: OrderPlan): Plain[] {
  const { market, lots, price } = aim
  const limits = { windowMs: 1_000, frozenMs: 2_000, maxLots: 1 + move.size, maxNet: null }
  const own = { account, proof: null, market }
  const one = (side: 'bid' | 'ask', price: number): Plain => {
    const wanted = { side, price, size: lots, clientOrderId: `shield-${side}`, mmp: true }
    return { type: 'Quote', ...own, ...wanted } as unknown as Plain
  }
  const actions = [one('bid', price - 1), one('ask', price + 1)]
  return [
    { type: 'SetMmp', ...own, limits },
    { type: 'Batch', account, actions },
  ]
}

/** Bids below the price, or asks above it. */
function walled(venue: Venue, move: Move, account: number, { market, price }: OrderPlan): Plain[] {
  const sign = move.price <= 50 ? 1 : -1
  const lots = sign * leastLots(venue, market)
  return Array.from({ length: 20 }, (_, at) =>
    orderCommand(account, { market, lots, price: Math.max(1, price - sign * at), tif: 'ALO' }),
  )
}
