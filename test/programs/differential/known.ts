// What the generator keeps of each order, account and market (picture.ts).

import type { MarketParams } from '../../../src/core/commands/market-params.ts'
import type { EventOf } from '../../../src/core/events/event-fields.ts'

export type Mode = EventOf<'MarketModeSet'>['mode']

export type KnownOrder = {
  id: number
  account: number
  market: number
  side: 'bid' | 'ask'
  /** Of a stop: its stop price. */
  price: number
  /** Of a stop: 0 for the whole position. */
  remaining: number
  clientOrderId: string | null
  stop: boolean
  resting: boolean
}
export type KnownAccount = {
  id: number
  main: number
  address: string
  money: number
  frozen: boolean
  agents: string[]
  /** Those with a policy. */
  limited: string[]
  keys: string[]
  armed: string[]
  /** + or −: which way this account likes to trade. */
  bias: number
}
export type KnownMarket = {
  id: number
  backstop: number
  params: MarketParams
  /** K of UNITS-1. */
  unit: number
  /** Micro-ticks: where the oracle began and where it is. */
  home: number
  oracle: number
  mark: number
  /** The newest price as it came, before the oracle was held back. */
  raw: number
  catchingUp: boolean
  lastTickMs: number
  staleAfterMs: number
  /** Numbers of its announced changes; of one that was dropped too. */
  announced: number[]
  health: EventOf<'FeedHealthChanged'>['health']
  mode: Mode
  settled: boolean
}

export function pickAlgo({ order, price, size, ...event }: EventOf<'AlgoPlaced'>): KnownOrder {
  const { account, market, side, clientOrderId } = event
  const known = { id: order, account, market, side, price, clientOrderId }
  return { ...known, remaining: size, stop: false, resting: false }
}
