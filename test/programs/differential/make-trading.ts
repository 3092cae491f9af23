// Orders, stops, levels, edits, cancels and TWAPs.

import { type Tif, tifs } from '../../../src/words/order-words.ts'
import { mayRest, mayTake } from '../../twin/orders/times-in-force.ts'
import type { KnownMarket } from './known.ts'
import {
  beyondMark,
  clientIdOf,
  closingSide,
  drawAccount,
  drawExpiry,
  drawHolder,
  drawLevel,
  drawMarket,
  drawPrice,
  drawProof,
  drawSide,
  drawSize,
  drawStp,
  type Made,
  type Making,
  marketId,
  other,
  refTo,
  type Side,
  sides,
} from './making.ts'
import { algoInstead } from './trading/make-algos.ts'
import { several } from './trading/make-levels.ts'
import { drawMmp } from './trading/make-mmp.ts'
import { broughtLevels } from './trading/make-oto.ts'

/** Most orders are plain ones; every time in force occurs. */
const everyTif = Object.fromEntries(tifs.map((tif) => [tif, 11])) as Record<Tif, number>
const tifWeights = { ...everyTif, GTC: 48, IOC: 16, ALO: 15 }

export function placeOrder(making: Making, given?: Readonly<{ account: number }>): Made {
  const { random } = making
  const market = drawMarket(making)
  if (market === undefined) return { type: 'Tick' }
  const { account, side, reduceOnly, size: drawn } = drawIntent(making, market, given?.account)
  // Now and then one wants more of the book than its checks look at.
  const deep = random.chance(0.1)
  const tif = deep ? 'FOK' : random.weighted(tifWeights)
  const eager = tif === 'IOC' || tif === 'FOK'
  const price = deep ? beyondMark(market, side) : drawPrice(making, market, side, eager)
  const size = drawn * (deep && !reduceOnly ? 4 : 1)
  return {
    type: 'PlaceOrder',
    account,
    proof: drawProof(making, account, 'PlaceOrder'),
    market: marketId(making, market),
    side,
    price,
    size,
    tif,
    reduceOnly,
    clientOrderId: clientIdOf(making),
    ...attachedLevels(making, { account, market, side, price, size, reduceOnly }),
    ...drawExpiry(making, mayRest(tif)),
    ...drawStp(making),
    ...drawMmp(making, mayTake(tif)),
  }
}

export function placeMarketOrder(making: Making, given?: Readonly<{ account: number }>): Made {
  const { random } = making
  const market = drawMarket(making)
  if (market === undefined) return { type: 'Tick' }
  const { account, side, reduceOnly, size } = drawIntent(making, market, given?.account)
  const slippagePpm = random.pick([0, 1_000, 5_000, 50_000, 50_000, 200_000, 1_000_000])
  const away = Math.floor((market.mark * slippagePpm) / 1_000_000)
  const price = market.mark + (side === 'bid' ? away : -away)
  return {
    type: 'PlaceMarketOrder',
    account,
    proof: drawProof(making, account, 'PlaceMarketOrder'),
    market: marketId(making, market),
    side,
    size,
    slippagePpm,
    reduceOnly,
    clientOrderId: clientIdOf(making),
    ...attachedLevels(making, { account, market, side, price, size, reduceOnly }),
    ...drawStp(making),
  }
}

/** Something to take where a side of a book has nothing, else undefined. */
export function quote(making: Making): Made | undefined {
  const { random, picture } = making
  const empty = [...picture.markets.values()].flatMap((market) => {
    const trades = market.health === 'live' && !market.settled
    return trades
      ? sides
          .filter((side) => picture.best(market.id, side) === undefined)
          .map((side) => ({ market, side }))
      : []
  })
  const found = random.any(empty)
  if (found === undefined) return undefined
  const { market, side } = found
  const account = drawAccount(making)
  const away = Math.floor(market.mark * random.pick([0.0005, 0.002, 0.006, 0.015]))
  return {
    type: 'PlaceOrder',
    account,
    proof: null,
    market: market.id,
    side,
    price: market.mark + (side === 'bid' ? -away : away),
    size: drawSize(making, account, market),
    tif: random.pick(['GTC', 'ALO']),
    reduceOnly: false,
    clientOrderId: null,
    takeProfit: null,
    stopLoss: null,
  }
}

/** The account, side and size of an order; a reduce-only order mostly fits its position. */
function drawIntent(making: Making, market: KnownMarket, given: number | undefined) {
  const { random, picture } = making
  const reduceOnly = random.chance(0.13)
  const holder = reduceOnly && random.chance(0.9) ? drawHolder(making, market)?.id : undefined
  const account = given ?? holder ?? drawAccount(making)
  const held = Math.abs(picture.lotsOf(account, market.id))
  if (reduceOnly && held > 0) {
    const size = random.chance(0.35) ? held : random.between(1, held + (random.chance(0.1) ? 5 : 0))
    return { account, side: closingSide(making, account, market), reduceOnly, size }
  }
  const side = drawSide(making, picture.accounts.get(account))
  return { account, side, reduceOnly, size: drawSize(making, account, market) }
}

type Parent = Readonly<{
  account: number
  market: KnownMarket
  side: Side
  price: number
  size: number
  reduceOnly: boolean
}>

function attachedLevels(making: Making, parent: Parent) {
  const { random } = making
  const level = (up: boolean) => {
    if (!random.chance(parent.reduceOnly ? 0.03 : 0.12)) return null
    const mayTrail = up !== (parent.side === 'bid')
    const drawn = drawLevel(making, { ...parent, up, mayTrail })
    const fits = drawn.size !== null && random.chance(0.9)
    return { ...drawn, size: fits ? random.between(1, Math.max(1, parent.size)) : drawn.size }
  }
  const long = parent.side === 'bid'
  return {
    takeProfit: several(making, level(long), long),
    stopLoss: several(making, level(!long), !long),
  }
}

export function placeStop(making: Making, given?: Readonly<{ account: number }>): Made {
  const { random } = making
  const market = drawMarket(making)
  if (market === undefined) return { type: 'Tick' }
  const reduceOnly = random.chance(0.5)
  const holder = reduceOnly && random.chance(0.8) ? drawHolder(making, market)?.id : undefined
  const account = given?.account ?? holder ?? drawAccount(making)
  const side = holder === undefined ? random.pick(sides) : closingSide(making, account, market)
  const turned = making.index % 6 === 1
  const up = (side === 'bid') !== turned
  const level = drawLevel(making, { account, market, price: market.mark, up, mayTrail: true })
  const size = reduceOnly || random.chance(0.05) ? level.size : drawSize(making, account, market)
  return {
    type: 'PlaceStop',
    account,
    proof: drawProof(making, account, 'PlaceStop'),
    market: marketId(making, market),
    side,
    reduceOnly,
    level: { ...level, size },
    ...broughtLevels(making, { side, reduceOnly, level: { ...level, size }, mark: market.mark }),
    ...(turned ? { up } : {}),
    ...drawExpiry(making, true),
  }
}

export function setPositionTpsl(making: Making, given?: Readonly<{ account: number }>): Made {
  const { random, picture } = making
  const market = drawMarket(making)
  if (market === undefined) return { type: 'Tick' }
  const holder = random.chance(0.92) ? drawHolder(making, market)?.id : undefined
  const account = given?.account ?? holder ?? drawAccount(making)
  const held = picture.lotsOf(account, market.id)
  const right: Side = held > 0 ? 'bid' : 'ask'
  const level = (up: boolean) => {
    const mayTrail = up !== held > 0
    const drawn = drawLevel(making, { account, market, price: market.mark, up, mayTrail })
    if (drawn.size === null || random.chance(0.1)) return drawn
    return { ...drawn, size: random.between(1, Math.max(1, Math.abs(held))) }
  }
  const choice = (name: string, up: boolean) => {
    const kind = random.weighted({ given: 60, gone: 15, absent: 25 })
    if (kind === 'absent') return {}
    return { [name]: several(making, kind === 'gone' ? null : level(up), up) }
  }
  return {
    type: 'SetPositionTpsl',
    account,
    proof: drawProof(making, account, 'SetPositionTpsl'),
    market: marketId(making, market),
    side: random.chance(0.93) ? right : other(right),
    ...choice('takeProfit', held > 0),
    ...choice('stopLoss', held < 0),
  }
}

function drawOrder(making: Making, wanted: { account?: number; stop?: boolean }) {
  return making.random.any(making.picture.ordersOf(wanted))
}

export function editOrder(making: Making, given?: Readonly<{ account: number }>): Made {
  const { random, picture } = making
  const order = drawOrder(making, { ...given, stop: random.chance(0.02) })
  const market = order === undefined ? drawMarket(making) : picture.markets.get(order.market)
  if (market === undefined) return { type: 'Tick' }
  const account = given?.account ?? order?.account ?? drawAccount(making)
  const old = order ?? { price: market.mark, remaining: 5, side: 'bid' as const }
  const kind = random.weighted({ smaller: 30, larger: 12, moved: 45, crossing: 8, any: 5 })
  const smaller = random.between(1, Math.max(1, old.remaining - 1))
  const moved = drawPrice(making, market, old.side)
  const crossing = picture.best(market.id, other(old.side)) ?? moved
  const size = kind === 'smaller' ? smaller : old.remaining + random.below(3)
  const price = kind === 'moved' || kind === 'any' ? moved : old.price
  return {
    type: 'EditOrder',
    account,
    proof: drawProof(making, account, 'EditOrder'),
    market: marketId(making, market),
    ...refTo(making, order),
    price: kind === 'crossing' ? crossing : price,
    size: kind === 'any' ? drawSize(making, account, market) : Math.max(1, size),
  }
}

function cancelling(type: 'CancelOrder' | 'CancelStop', stops: number) {
  return (making: Making, given?: Readonly<{ account: number }>): Made => {
    const { random } = making
    const drawn = drawOrder(making, { ...given, stop: random.chance(stops) })
    const order = type === 'CancelOrder' ? algoInstead(making, drawn) : drawn
    const stranger = random.chance(0.03)
    const owner = order === undefined || stranger ? drawAccount(making) : order.account
    const account = given?.account ?? owner
    const market = order?.market ?? drawMarket(making)?.id ?? 1
    return {
      type,
      account,
      proof: drawProof(making, account, type),
      market: random.chance(0.02) ? market + 1 : market,
      ...refTo(making, order),
    }
  }
}
export const cancelOrder = cancelling('CancelOrder', 0.15)
export const cancelStop = cancelling('CancelStop', 0.85)

export function cancelAllOrders(making: Making, given?: Readonly<{ account: number }>): Made {
  const { random } = making
  const account = given?.account ?? drawAccount(making)
  return {
    type: 'CancelAllOrders',
    account,
    proof: drawProof(making, account, 'CancelAllOrders'),
    market: random.chance(0.5) ? null : marketId(making, drawMarket(making)),
    excludeReduceOnly: random.chance(0.5),
  }
}

export function placeTwap(making: Making): Made {
  const { random, picture } = making
  const market = drawMarket(making)
  if (market === undefined) return { type: 'Tick' }
  // One account of each world collects long ones, so that its limits are met.
  const collects = random.chance(0.8) && market.id === picture.markets.keys().next().value
  const collector = collects ? picture.traders.at(-1)?.id : undefined
  const intent = drawIntent(making, market, collector)
  const kind = random.weighted({ short: 60, long: collects ? 600 : 25, edge: 10, bad: 5 })
  const durationSeconds = {
    short: random.between(60, 300),
    long: random.between(collects ? 3_600 : 300, collects ? 80_000 : 3_600),
    edge: random.pick([60, 86_400]),
    bad: random.pick([59, 86_401, 0]),
  }[kind]
  const slices = Math.floor(durationSeconds / 30) + 1
  const least = Math.ceil(market.params.orderValueMin / (market.mark * market.unit)) + 1
  const large = intent.size * (random.chance(0.5) && !intent.reduceOnly ? 8 : 1)
  return {
    type: 'PlaceTwap',
    account: intent.account,
    proof: drawProof(making, intent.account, 'PlaceTwap'),
    market: marketId(making, market),
    side: intent.side,
    size: collects && !intent.reduceOnly ? least * slices : large,
    reduceOnly: intent.reduceOnly,
    slippagePpm: random.pick([0, 5_000, 50_000, 1_000_000]),
    durationSeconds,
    clientOrderId: random.chance(collects ? 0.7 : 0.4)
      ? `${random.chance(0.2) ? 'T' : 't'}${random.below(4)}`
      : null,
  }
}

export function cancelTwap(making: Making): Made {
  const { random, picture } = making
  const twap = random.any([...picture.twaps.values()])
  const account = twap === undefined || random.chance(0.05) ? drawAccount(making) : twap.account
  const ref = refTo(making, twap)
  return {
    type: 'CancelTwap',
    account,
    proof: drawProof(making, account, 'CancelTwap'),
    market: twap?.market ?? marketId(making, drawMarket(making)),
    ...ref,
  }
}
