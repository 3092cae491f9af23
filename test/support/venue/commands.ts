// The few commands that scenarios of many accounts are made of, in short.

import type { Command } from '../../../src/core/index.ts'

/** A command without the types that only the edge can vouch for. */
export type Plain = Readonly<{ type: Command['type'] } & Record<string, unknown>>

/** Lots above zero buy. */
export type OrderPlan = Readonly<{ market: number; lots: number; price: number; tif: string }>

export function orderCommand(account: number, { market, lots, price, tif }: OrderPlan): Plain {
  return {
    type: 'PlaceOrder',
    account,
    proof: null,
    market,
    side: lots > 0 ? 'bid' : 'ask',
    size: Math.abs(lots),
    price,
    tif,
    reduceOnly: false,
    clientOrderId: null,
    takeProfit: null,
    stopLoss: null,
  }
}

export type TakingPlan = Readonly<{ market: number; lots: number; reduceOnly: boolean }>

/** A market order that puts up with a tenth of the price. */
export function takingCommand(account: number, { market, lots, reduceOnly }: TakingPlan): Plain {
  return {
    type: 'PlaceMarketOrder',
    account,
    proof: null,
    market,
    side: lots > 0 ? 'bid' : 'ask',
    size: Math.abs(lots),
    slippagePpm: 100_000,
    reduceOnly,
    clientOrderId: null,
    takeProfit: null,
    stopLoss: null,
  }
}
