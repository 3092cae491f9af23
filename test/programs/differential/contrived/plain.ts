// What scenes are made of: open markets, rich accounts, plain orders and their smallest sizes.

import type { KnownMarket } from '../known.ts'
import type { Making, Side } from '../making.ts'

/** A little more than the least that an order may be worth. */
export function smallest({ mark, unit, params }: KnownMarket): number {
  return Math.ceil((params.orderValueMin * 1.2) / (mark * unit)) + 1
}

export function richest({ picture }: Making): number {
  const [rich] = picture.traders.toSorted((one, other) => other.money - one.money)
  return rich?.id ?? 1
}

/** Where orders run when they arrive. */
export function isOpen({ health, mode, settled, params }: KnownMarket): boolean {
  return health === 'live' && mode === 'open' && !settled && params.speedBumpMs === 0
}

export function order(
  account: number,
  market: KnownMarket,
  side: Side,
  price: number,
  size: number,
) {
  return {
    type: 'PlaceOrder',
    ...{ account, proof: null, market: market.id, side, size, tif: 'GTC', reduceOnly: false },
    price: Math.max(market.params.tickMin, price),
    ...{ clientOrderId: null, takeProfit: null, stopLoss: null },
  } as const
}
