// Protection of makers, and quotes that are protected or not (ORDER-17, ORDER-18).

import type { KnownOrder } from '../known.ts'
import {
  drawAccount,
  drawMarket,
  drawPrice,
  drawProof,
  drawSize,
  type Made,
  type Making,
  marketId,
  sides,
} from '../making.ts'

/** Small enough to be reached by an order or two. */
export function setMmp(making: Making): Made {
  const { random } = making
  const { account, market } = drawMaker(making)
  const size = market === undefined ? 1 : drawSize(making, account, market)
  const lots = () => Math.ceil(size * random.pick([0.02, 0.2, 1]))
  const kind = random.weighted({ lots: 40, net: 30, both: 25, none: 5 })
  const limits = {
    windowMs: random.pick([100, 250, 1_000, 1_003, 10_000, 60_000, random.pick([99, 3_600_001])]),
    frozenMs: random.pick([0, 1, 500, 10_000, 600_000]),
    maxLots: kind === 'lots' || kind === 'both' ? lots() : null,
    maxNet: kind === 'net' || kind === 'both' ? lots() : null,
  }
  const made: Made = {
    type: 'SetMmp',
    account,
    proof: drawProof(making, account, 'SetMmp'),
    market: marketId(making, market),
    limits: random.chance(0.12) ? null : limits,
  }
  // What is taken away is there, now and then.
  const [present] = making.picture.protections.all().slice(making.index % 5)
  if (made.limits !== null || present === undefined || making.index % 3 !== 0) return made
  return { ...made, account: present.account, proof: null, market: present.market }
}

/** Now and then an order becomes the quote of a maker that is frozen just now. */
export function orFrozen({ index, picture, atMs }: Making, made: Made): Made {
  const frozen = index % 4 === 2 ? picture.protections.frozen(atMs) : []
  const maker = frozen[Math.floor(index / 4) % (frozen.length || 1)]
  const market = picture.markets.get(maker?.market ?? 0)
  if (made.type !== 'PlaceOrder' || maker === undefined || market === undefined) return made
  const { account } = maker
  const { proof: _, ...fields } = made
  const place = { account, proof: null, market: market.id, price: market.mark }
  const quoted = { reduceOnly: false, takeProfit: null, stopLoss: null, clientOrderId: null }
  return { ...fields, ...place, ...quoted, type: 'PlaceOrder', tif: 'ALO', mmp: true }
}

/** Mostly a maker that quotes there. */
function drawMaker(making: Making) {
  const { random, picture } = making
  const order = random.any(picture.ordersOf({ stop: false }))
  if (order === undefined || random.chance(0.3))
    return { account: drawAccount(making), market: drawMarket(making) }
  return { account: order.account, market: picture.markets.get(order.market) }
}

export function resetMmp(making: Making): Made {
  const { account, market } = drawMaker(making)
  return {
    type: 'ResetMmp',
    account,
    proof: drawProof(making, account, 'ResetMmp'),
    market: marketId(making, market),
  }
}

/** Mostly of an order that is there: as it is, elsewhere, into the book, or gone. */
export function quote(making: Making, given: Readonly<{ account: number }>): Made {
  const { random, picture } = making
  const { account } = given
  const named = picture.ordersOf({ account }).filter((one) => one.clientOrderId !== null)
  const order = random.chance(0.7) ? random.any(named) : undefined
  const market = order === undefined ? drawMarket(making) : picture.markets.get(order.market)
  if (market === undefined) return { type: 'Tick' }
  const side = order?.side ?? random.pick(sides)
  const price = drawPrice(making, market, side)
  return {
    type: 'Quote',
    account,
    proof: null,
    market: marketId(making, market),
    side: random.chance(0.02) ? random.pick(sides) : side,
    ...placeOf(making, order, price, drawSize(making, account, market)),
    clientOrderId: order?.clientOrderId ?? (random.chance(0.02) ? null : `c${random.below(12)}`),
    ...(random.chance(0.5) ? { mmp: random.chance(0.8) } : {}),
  } as unknown as Made
}

function placeOf({ random }: Making, old: KnownOrder | undefined, price: number, size: number) {
  const kind = random.weighted({ moved: 40, same: 20, smaller: 15, larger: 10, gone: 15 })
  if (kind === 'gone') return { price, size: 0 }
  if (old === undefined || kind === 'moved') return { price, size }
  const sizes = { same: old.remaining, smaller: Math.ceil(old.remaining / 2), larger: size }
  return { price: old.price, size: sizes[kind] }
}

/** Of an order that does not take; now and then of one that does. */
export function drawMmp({ random }: Making, takes: boolean) {
  return random.chance(takes ? 0.005 : 0.5) ? { mmp: true } : {}
}
