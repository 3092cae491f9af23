// Algos whose orders rest. They are made of orders, by the turn and not by a draw: a world is the
// same but for them.

import type { KnownOrder } from '../known.ts'
import type { Made, Making } from '../making.ts'

const turns = 12

/** Now and then an order becomes the plan for several. Orders that must fill immediately, or that
 *  are protected, stay as they are. */
export function asAlgo(making: Making, made: Made): Made {
  const place = making.index % turns
  if (made.tif === 'FOK' || made.mmp === true) return made
  if (place === 5 || place === 11) return asIceberg(making, made)
  return place === 2 || place === 9 ? asChase(making, made) : made
}

/** In every other turn. */
export function orAlgo(making: Making, made: Made): Made {
  const place = making.index % 4
  if (place === 1) return asIceberg(making, made)
  return place === 3 ? asChase(making, made) : made
}

/** Orders that do not take immediately get a limited life more often. */
export function asIceberg(making: Making, made: Made): Made {
  if (made.type !== 'PlaceOrder') return made
  const turn = Math.floor(making.index / turns)
  const { market, side, reduceOnly, expireTime } = made
  const many = reduceOnly === true ? [1, 1, 4, 1][turn % 4]! : (turn % 3) + 1
  const size = Number(made.size) * many
  const parts = [1, 2, 3, 5, 2, 1, 3].map((count) => Math.ceil(size / count))
  const display = [...parts, 1, size + 1]
  const away = turn % 3 !== 1 ? Math.ceil(Number(made.price) / 200) : 0
  return {
    type: 'PlaceIceberg',
    ...{ market, side, size, reduceOnly },
    ...crowded(making, made),
    price: Number(made.price) - away * (side === 'bid' ? 1 : -1),
    display: display[turn % display.length],
    expireTime: turn % 20 === 7 ? making.atMs : (expireTime ?? null),
  }
}

/** Its bound is where the order was to stand, or beyond, so that it has somewhere to go. It lasts
 *  for a while, at times for longer than it may. */
export function asChase(making: Making, made: Made): Made {
  if (made.type !== 'PlaceOrder') return made
  const { market, side, reduceOnly } = made
  const turn = Math.floor(making.index / turns)
  const price = Number(made.price)
  const beyond = [0, 1, Math.ceil(price / 1_000), Math.ceil(price / 300), Math.ceil(price / 100)]
  const many = turn % 40 === 11 ? 0 : reduceOnly === true && turn % 4 === 2 ? 4 : 1
  const lasting = { 1: 5_000, 4: 60_000, 9: 999, 14: 3_600_001 }[turn % 20]
  return {
    type: 'PlaceChase',
    ...{ market, side, size: Number(made.size) * many, reduceOnly },
    ...crowded(making, made),
    price: price + beyond[turn % beyond.length]! * (side === 'bid' ? 1 : -1),
    expireTime: lasting === undefined ? null : making.atMs + lasting,
  }
}

/** Often of an account that has one in that market, at times under the same name. */
function crowded({ index, picture }: Making, made: Made) {
  const { account, market, clientOrderId, proof, reduceOnly } = made
  const turn = Math.floor(index / turns)
  const other = [...picture.algos.values()].find((algo) => algo.market === market)
  const alone = other === undefined || reduceOnly === true || turn % 2 === 0
  if (alone) return { account, clientOrderId, proof }
  const name = turn % 6 === 1 ? other.clientOrderId : clientOrderId
  return { account: other.account, clientOrderId: name, proof: null }
}

/** What a cancel names in place of this order, in some turns. */
export function algoInstead(
  { index, picture }: Making,
  order: KnownOrder | undefined,
): KnownOrder | undefined {
  const algos = [...picture.algos.values()]
  return index % 5 === 1 && algos.length > 0 ? algos[index % algos.length] : order
}
