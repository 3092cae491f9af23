// Cases that random draws rarely combine: an account that is bankrupt in one market while another
// of its markets has no price, requests at a wrong price or one that the book does not confirm,
// orders that wait when the mode becomes stricter, more of them than one command may release, a
// halted exchange, and a connection whose signer was revoked.

import type { KnownMarket } from '../known.ts'
import { cancelOrder } from '../make-trading.ts'
import {
  drawAccount,
  drawHolder,
  drawMarket,
  drawSize,
  freshName,
  ips,
  jumpTo,
  type Made,
  type Maker,
  type Making,
} from '../making.ts'
import { limitedKey } from './limited-keys.ts'
import { type RareScene, rareScenes, rareWeights } from './rare-scenes.ts'

/** More than one command releases, in batches of ten. */
const STORM_BATCHES = 31

export type Crisis =
  | 'halt'
  | 'barred'
  | 'caught'
  | 'restricted'
  | 'ruin'
  | 'heldBack'
  | 'leftBehind'
  | 'closing'
  | 'stops'
  | 'storm'
  | 'keys'
  | RareScene

/** In a thousand draws. */
export const crisisWeights: Readonly<Record<Crisis, number>> = {
  halt: 0,
  barred: 0,
  caught: 0,
  restricted: 0,
  ruin: 14,
  heldBack: 5,
  leftBehind: 3,
  closing: 3,
  stops: 1.2,
  storm: 0.8,
  keys: 0,
  ...rareWeights,
}

/** The first command of a crisis, the others being planned; mostly none. */
export function drawCrisis(
  making: Making,
  weights: Readonly<Record<Crisis, number>>,
): Made | undefined {
  const { random, world } = making
  if (world.profile === 'funding') return undefined
  const some = Object.values(weights).reduce((sum, weight) => sum + weight, 0)
  const kind = random.weighted({ none: 1_000 - some, ...weights })
  switch (kind) {
    case 'halt':
      return halt(making)
    case 'barred':
      return barredSigner(making)
    case 'caught':
      return bankruptcy(making, { staleShare: 0 })
    case 'restricted':
      return bankruptcy(making, { staleShare: 0, restricted: true })
    case 'ruin':
      return bankruptcy(making, { staleShare: 0.6 })
    case 'heldBack':
      return heldBack(making)
    case 'leftBehind':
      return leftBehind(making)
    case 'closing':
      return closing(making)
    case 'stops':
      return stopsAtOnePrice(making)
    case 'storm':
      return releaseStorm(making)
    case 'keys':
      return limitedKey(making)
    case 'none':
      return undefined
    default:
      return rareScenes[kind](making)
  }
}

/** The whole exchange stands still; what is open can be cancelled all the same. */
function halt({ planned }: Making): Made {
  planned.push((later) => cancelOrder(later))
  return { type: 'SetExchangeMode', mode: 'halted' }
}

/** An agent arms a connection and then may not act any more; the end of it cancels nothing. */
function barredSigner(making: Making): Made {
  const { random } = making
  const account = drawAccount(making)
  const agent = freshName(making, 'agent')
  const connection = freshName(making, 'connection')
  const ip = random.pick(ips)
  const of = { account, proof: null, agent }
  const barred = random.pick<Made>([
    { type: 'RevokeAgent', ...of },
    { type: 'UnbindAgent', agent },
    { type: 'SetAgentIpFilter', ...of, enabled: true },
  ])
  making.planned.push(
    ({ atMs }) => {
      const textHash = freshName(making, 'arming')
      const proof = { textHash, signedAtMs: atMs, expiresAtMs: atMs + 30_000, agent, ip }
      const keepProtective = random.chance(0.5)
      return { type: 'ArmConnection', account, proof, connection, keepProtective }
    },
    () => barred,
    () => ({ type: 'EndConnection', account, connection }),
  )
  return { type: 'BindAgent', ...of, scopes: ['trade'] }
}

/**
 * One market of an account goes stale, this often, or is held back; then the price of another ruins
 * the account. `restricted`: no market does, and the one that ruins it may only be reduced in.
 */
function bankruptcy(
  making: Making,
  { staleShare, restricted = false }: Readonly<{ staleShare: number; restricted?: boolean }>,
): Made | undefined {
  const { random, picture } = making
  const markets = [...picture.markets.values()].filter(
    ({ health, settled }) => health === 'live' && !settled,
  )
  const several = picture.traders.filter(
    ({ id }) => markets.filter((market) => picture.lotsOf(id, market.id) !== 0).length > 1,
  )
  const account = random.any(several)
  if (account === undefined) return undefined
  const held = markets.filter(({ id }) => picture.lotsOf(account.id, id) !== 0)
  const ruin = random.pick(held)
  const away = random.pick([0.01, 0.02, 0.05, 0.15, 0.3, 0.5, 0.7])
  const fall = picture.lotsOf(account.id, ruin.id) > 0 ? 1 - away : 1 + away
  const gap: Maker = () => tickTo(ruin, fall, true)
  if (random.chance(0.5)) making.planned.push(richFund)
  if (random.chance(staleShare)) {
    const silence = Math.max(...held.map(({ staleAfterMs }) => staleAfterMs))
    making.planned.push((later) => {
      if (silence <= 10_000) later.atMs += silence + 1
      return gap(later)
    })
    return making.planned.shift()?.(making)
  }
  making.planned.push(gap)
  if (restricted) return { type: 'SetMarketMode', market: ruin.id, mode: 'reduce_only' }
  const other = random.pick(held.filter((market) => market !== ruin))
  return tickTo(other, random.pick([0.8, 0.9, 1.1, 1.2]), false)
}

/** So that the fund can pay, and a scope for which it has paid keeps nothing. */
const richFund: Maker = (making) => {
  const amount = Math.ceil(making.world.wealth * 3)
  return {
    type: 'Deposit',
    address: 'insurance',
    amount,
    reference: freshName(making, 'reference'),
  }
}

/** A price far from the oracle, and together with it orders that must not profit from the mark. */
function heldBack(making: Making): Made | undefined {
  const market = drawDoubtful(making)
  if (market === undefined) return undefined
  const falls = making.random.chance(0.5)
  making.planned.push(...temptations(making, market, falls ? 'bid' : 'ask'))
  return tickTo(market, falls ? 0.85 : 1.15, false)
}

/** Quotes at the best prices, old enough to count; the price jumps away from them, and immediately
 *  come orders that must not profit from a mark that the book does not confirm (MARGIN-3). */
function leftBehind(making: Making): Made | undefined {
  const { random, picture } = making
  const market = drawDoubtful(making)
  if (market === undefined) return undefined
  const { id, params, unit, mark } = market
  const quote = (side: 'bid' | 'ask', price: number): Maker => {
    const account = drawAccount(making)
    const least = Math.max(params.orderValueMin, params.impactValue)
    const order = plainOrder(account, market, Math.max(params.tickMin, price))
    const size = Math.ceil(least / (order.price * unit)) + 1
    return () => ({ ...order, side, size, tif: 'ALO' })
  }
  making.planned.push(
    quote('ask', (picture.best(id, 'bid') ?? mark - 1) + 1),
    quote('bid', (picture.best(id, 'ask') ?? mark + 1) - 1),
  )
  const rises = random.chance(0.5)
  making.planned.push((later) => {
    later.atMs += Math.max(2 * params.speedBumpMs, 250)
    const far = random.pick([0.01, 0.03, 0.1])
    return tickTo(market, rises ? 1 + far : 1 - far, true)
  })
  making.planned.push(...temptations(making, market, rises ? 'bid' : 'ask'))
  return making.planned.shift()?.(making)
}

/** A live market, an isolated one rather often. */
function drawDoubtful(making: Making): KnownMarket | undefined {
  const { random, picture } = making
  const alone = [...picture.markets.values()].filter(({ params }) => params.isolatedOnly)
  const market = random.chance(0.5) ? (random.any(alone) ?? drawMarket(making)) : drawMarket(making)
  return market?.health === 'live' && !market.settled ? market : undefined
}

/** To add on this side, to lower the leverage, to take margin or money out. */
function temptations(making: Making, market: KnownMarket, side: 'bid' | 'ask'): readonly Maker[] {
  const { random, picture } = making
  const of = (account: number) => ({ account, proof: null, market: market.id })
  const holder = () => drawHolder(making, market)?.id ?? drawAccount(making)
  const plain = { reduceOnly: false, clientOrderId: null, takeProfit: null, stopLoss: null }
  return [
    () => {
      const account = random.chance(0.5) ? holder() : drawAccount(making)
      const size = drawSize(making, account, market)
      const order = { type: 'PlaceMarketOrder', ...of(account), side, size, ...plain } as const
      return { ...order, slippagePpm: 50_000 }
    },
    () => ({ type: 'SetLeverage', ...of(holder()), leverage: random.between(1, 5) }),
    () => {
      const account = holder()
      const money = Math.max(1, picture.accounts.get(account)?.money ?? 1)
      const amount = -Math.ceil(money / random.pick([1, 10, 100, 1_000]))
      return { type: 'MoveIsolatedMargin', ...of(account), amount }
    },
    () => {
      const account = holder()
      const amount = Math.max(1_000_000, picture.accounts.get(account)?.money ?? 0)
      return { type: 'Withdraw', account, proof: null, amount }
    },
  ]
}

/** Orders wait that would take; then a mode or a limit under which they may not. */
function closing(making: Making): Made | undefined {
  const { random, picture } = making
  const market = drawMarket(making)
  const bump = market?.params.speedBumpMs ?? 0
  if (market === undefined || bump === 0) return undefined
  const side = random.pick(['bid', 'ask'] as const)
  const best = picture.best(market.id, side === 'bid' ? 'ask' : 'bid')
  if (best === undefined) return undefined
  const account = drawAccount(making)
  const order: Maker = () => {
    const size = drawSize(making, account, market)
    return { ...plainOrder(account, market, best), side, size }
  }
  making.planned.push(order, order)
  making.planned.push(() => {
    const mode = random.pick(['reduce_only', 'post_only', undefined])
    if (mode !== undefined) return { type: 'SetMarketMode', market: market.id, mode }
    const owner = picture.accounts.get(account)?.main ?? account
    return { type: 'SetOwnerLimit', owner, market: market.id, lots: 0 }
  })
  making.planned.push(() => {
    making.atMs += bump
    return { type: 'Tick' }
  })
  return order(making)
}

/** Stops of several accounts at one price, and then that price. */
function stopsAtOnePrice(making: Making): Made | undefined {
  const market = drawMarket(making)
  if (market === undefined) return undefined
  const { id, mark, unit, params } = market
  const stopPrice = Math.floor(mark * 1.02) + 1
  const size = Math.ceil(params.orderValueMin / (mark * unit)) + 1
  const rest = { limitPrice: null, triggerBy: 'mark', clientOrderId: null }
  const stop: Maker = () => ({
    type: 'PlaceStop',
    account: drawAccount(making),
    proof: null,
    market: id,
    side: 'bid',
    reduceOnly: false,
    level: { stopPrice, size, ...rest },
  })
  making.planned.push(stop, stop, stop, stop, stop, stop, () => jumpTo(market, stopPrice + 1))
  return stop(making)
}

function tickTo({ id, oracle }: KnownMarket, factor: number, jump: boolean): Made {
  const price = Math.max(1, Math.floor(oracle * factor))
  return { type: 'OracleTick', market: id, price, observedAtMs: null, jump }
}

/** Hundreds of orders that wait, all due at one time, and then that time. */
function releaseStorm(making: Making): Made | undefined {
  const { random, picture } = making
  const waiting = [...picture.markets.values()].filter(({ params }) => params.speedBumpMs > 0)
  const market = random.any(waiting)
  const rich = picture.traders.toSorted((one, other) => other.money - one.money)
  const account = random.any(rich.slice(0, 3))
  const bump = market?.params.speedBumpMs ?? 0
  if (market === undefined || account === undefined || bump === 0) return undefined
  const storm: Maker = () => ({
    type: 'Batch',
    account: account.id,
    actions: Array.from({ length: 10 }, () => farOrder(making, account.id, market)),
  })
  making.planned.push(...Array.from({ length: STORM_BATCHES }, () => storm))
  making.planned.push(() => {
    making.atMs += bump
    return { type: 'Tick' }
  })
  const reset = { proof: null, market: null, excludeReduceOnly: false }
  making.planned.push(() => ({ type: 'CancelAllOrders', account: account.id, ...reset }))
  return { type: 'CancelAllOrders', account: account.id, ...reset }
}

/** As small as it may be, and so far from the mark that it takes nothing. */
function farOrder({ random }: Making, account: number, market: KnownMarket) {
  const { mark, unit, params } = market
  const price = Math.max(params.tickMin, Math.floor(mark * 0.985) - random.below(20))
  return {
    ...plainOrder(account, market, price),
    side: 'bid',
    size: Math.ceil(params.orderValueMin / (price * unit)),
  }
}

function plainOrder(account: number, market: KnownMarket, price: number) {
  return {
    type: 'PlaceOrder',
    account,
    proof: null,
    market: market.id,
    price,
    tif: 'GTC',
    reduceOnly: false,
    clientOrderId: null,
    takeProfit: null,
    stopLoss: null,
  } as const
}
