// Limits that chance would never reach: the texts remembered with a position, the open orders and
// the stops of an account. One account for each, the first a rich one that does nothing else,
// walks straight to them.

import { firstRules } from '../../../../src/core/rules/first-rules.ts'
import type { KnownMarket } from '../known.ts'
import { freshName, hoarderOf, jumpTo, type Made, type Maker, type Making } from '../making.ts'

/** Opens a small position once, then sends texts without a time about it, most of them new. */
export function fillTexts(making: Making): Made {
  const { picture, random } = making
  const account = hoarderOf(making)
  const market = picture.markets.get(1)
  if (account === undefined || market === undefined) return { type: 'Tick' }
  const held = picture.lotsOf(account, market.id)
  const { mark, unit, params } = market
  if (held === 0) {
    const side = random.pick(['bid', 'ask'] as const)
    const size = Math.ceil(params.orderValueMin / (mark * unit)) + 1
    return {
      type: 'PlaceMarketOrder',
      account,
      proof: null,
      market: market.id,
      side,
      size,
      slippagePpm: 50_000,
      reduceOnly: false,
      clientOrderId: null,
      takeProfit: null,
      stopLoss: null,
    }
  }
  const agents = picture.accounts.get(account)?.agents ?? []
  if (agents.length < 2 && random.chance(0.3)) {
    const agent = freshName(making, 'agent')
    return { type: 'BindAgent', account, proof: null, agent, scopes: ['trade'] }
  }
  const agent = random.chance(0.3) ? (random.any(agents) ?? null) : null
  const textHash = random.chance(0.95) ? freshName(making, 'untimed') : 'untimed-again'
  const proof = { textHash, signedAtMs: making.atMs, expiresAtMs: null, agent, ip: null }
  const side = held > 0 ? 'bid' : 'ask'
  return { type: 'SetPositionTpsl', account, proof, market: market.id, side }
}

/** Ten resting orders with two levels each, far from the mark, until no more are allowed. */
export function fillBook(making: Making): Made {
  const { picture, random } = making
  const account = hoarderOf(making)
  const market = picture.markets.get(1)
  if (account === undefined || market === undefined) return { type: 'Tick' }
  const { mark, unit, params } = market
  const level = (stopPrice: number) => ({
    stopPrice,
    limitPrice: null,
    size: null,
    triggerBy: 'mark',
    clientOrderId: null,
  })
  const place = () => {
    const price = Math.max(params.tickMin + 1, Math.floor(mark * 0.95) - random.below(3))
    const attached = random.chance(0.9)
    return {
      type: 'PlaceOrder' as const,
      account,
      proof: null,
      market: market.id,
      side: 'bid',
      price,
      size: Math.ceil(params.orderValueMin / (price * unit)),
      tif: 'ALO',
      reduceOnly: false,
      clientOrderId: null,
      takeProfit: attached ? level(price + 5) : null,
      stopLoss: attached ? level(price - 1) : null,
    }
  }
  const open = picture.ordersOf({ account }).length
  if (open > 990 || random.chance(0.1)) return place()
  return { type: 'Batch', account, actions: Array.from({ length: 10 }, place) }
}

/** From this number on the others follow without a break. */
const STOPS_ENOUGH = 40

/**
 * Stops at one price, until no more are allowed; then now and then the price that fires them. Few
 * outlast the prices of a hundred commands, so from some number on the others follow immediately.
 */
export function fillStops(making: Making): Made {
  const { picture, random } = making
  const account = picture.traders[2]?.id
  const market = picture.markets.get(1)
  if (account === undefined || market === undefined) return { type: 'Tick' }
  const waiting = picture.ordersOf({ account, stop: true }).length
  const nearly = waiting > firstRules.limits.stopsPerAccount - 10
  if (nearly && random.chance(0.06)) return jumpTo(market, firesAt(market) + 1)
  const stop: Maker = () => stopOf(account, market)
  const trades = market.health === 'live' && market.mode === 'open' && picture.mode === 'open'
  if (trades && waiting >= STOPS_ENOUGH && !nearly) {
    const missing = firstRules.limits.stopsPerAccount - waiting
    const length = missing + random.between(2, 6)
    making.planned.push(...Array.from({ length }, () => stop))
  }
  return stop(making)
}

function firesAt({ home }: KnownMarket): number {
  return Math.floor((home / 1_000_000) * 1.15)
}

function stopOf(account: number, market: KnownMarket): Made {
  const { mark, params, unit } = market
  return {
    type: 'PlaceStop',
    account,
    proof: null,
    market: market.id,
    side: 'bid',
    reduceOnly: false,
    level: {
      stopPrice: Math.max(firesAt(market), mark + 1),
      limitPrice: null,
      size: Math.ceil(params.orderValueMin / (mark * unit)) + 1,
      triggerBy: 'mark',
      clientOrderId: null,
    },
  }
}
