// Algos whose orders rest. They are made of orders, by the turn and not by a draw: a world is the
// same but for them.

import type { KnownOrder } from '../known.ts'
import type { Made, Making } from '../making.ts'

const turns = 12

/** Now and then an order is the plan for several. */
export function asAlgo(making: Making, made: Made): Made {
  const turn = Math.floor(making.index / turns)
  return making.index % turns === 5 ? asIceberg(turn, made) : made
}

export function asIceberg(turn: number, made: Made): Made {
  if (made.type !== 'PlaceOrder') return made
  const { account, proof, market, side, price, reduceOnly, clientOrderId, expireTime } = made
  const size = Number(made.size) * (reduceOnly === true ? 1 : (turn % 3) + 1)
  const display = [size, Math.ceil(size / 2), Math.ceil(size / 3), Math.ceil(size / 5), 1, size + 1]
  return {
    type: 'PlaceIceberg',
    ...{ account, proof, market, side, size, price, reduceOnly, clientOrderId },
    display: display[turn % display.length],
    expireTime: expireTime ?? null,
  }
}

/** What a cancel names in place of this order, in some turns. */
export function algoInstead(
  { index, picture }: Making,
  order: KnownOrder | undefined,
): KnownOrder | undefined {
  const algos = [...picture.algos.values()]
  return index % 3 === 1 && algos.length > 0 ? algos[index % algos.length] : order
}
