// Keys with a policy: their commands, and what is made in their name after the policy has become
// stricter, has expired, or was revoked with its key (ACCT-9).

import type { KnownMarket } from '../known.ts'
import * as trading from '../make-trading.ts'
import {
  agentsOf,
  drawAccount,
  drawHolder,
  drawMarket,
  freshName,
  ips,
  jumpTo,
  type Made,
  type Maker,
  type Making,
} from '../making.ts'
import { orAlgo } from '../trading/make-algos.ts'

/** Close enough to what the account does to be in its way now and then. */
export function drawPolicy(making: Making) {
  const { random, picture, world, atMs } = making
  const markets = [...picture.markets.keys()]
  const some = [random.pick(markets), random.pick(markets)]
  const money = (parts: readonly number[]) => {
    return random.chance(0.55) ? null : Math.max(1, Math.ceil(world.wealth * random.pick(parts)))
  }
  const ahead = [1, 1_000, 10_000, 60_000, 600_000, 0]
  return {
    markets: random.chance(0.75) ? null : random.chance(0.97) ? some : [],
    postOnly: random.chance(0.1),
    reduceOnly: random.chance(0.08),
    maxSlippagePpm: random.chance(0.4) ? null : random.pick([0, 1_000, 5_000, 20_000, 100_000]),
    maxOrderValue: money([0.01, 0.1, 1, 10]),
    maxPositionValue: money([0.01, 0.1, 1, 10]),
    maxDailyLoss: money([0.000001, 0.00001, 0.0001, 0.001, 0.1]),
    expiresAt: random.chance(0.7) ? null : atMs + random.pick(ahead),
    allow: random.pick([[], [], ['margin'], ['api_keys'], ['margin', 'api_keys']]),
  }
}

type Key = Readonly<{ account: number; agent: string; market: KnownMarket }>

/** The first command of it, which binds the key; the others are planned. */
export function limitedKey(making: Making): Made | undefined {
  const { random } = making
  const market = drawMarket(making)
  if (market === undefined) return undefined
  const account = drawHolder(making, market)?.id ?? drawAccount(making)
  const key = { account, agent: random.pick(agentsOf(account)), market }
  const kind = random.weighted({ asks: 40, fires: 25, slices: 20, keeps: 15 })
  const strict = kind === 'asks'
  if (strict) making.planned.push(...asking(making, key))
  else {
    const later = { fires: firing, slices: slicing, keeps: keeping }[kind]
    making.planned.push(...later(making, key))
  }
  return {
    type: 'BindAgent',
    account,
    proof: null,
    agent: key.agent,
    scopes: ['trade', 'margin'],
    policy: strict ? drawPolicy(making) : loosePolicy(making),
    ...(random.chance(0.8) ? { ips: random.pick([[ips[0]], [...ips], [ips[0], ips[0]]]) } : {}),
  }
}

function loosePolicy({ random }: Making) {
  return {
    markets: null,
    postOnly: false,
    reduceOnly: false,
    maxSlippagePpm: random.pick([null, 150_000, 5_000]),
    maxOrderValue: null,
    maxPositionValue: null,
    maxDailyLoss: random.chance(0.3) ? 2 ** 50 : null,
    expiresAt: null,
    allow: [],
  }
}

/** The same command by the key. */
function signed(making: Making, { agent }: Key, made: Made): Made {
  const { atMs } = making
  const textHash = freshName(making, 'key')
  const proof = { textHash, signedAtMs: atMs, expiresAtMs: atMs + 30_000, agent, ip: ips[0] }
  return made.type === 'Tick' ? made : { ...made, proof }
}

function asking(making: Making, key: Key): Maker[] {
  const { account } = key
  const all: readonly Maker[] = [
    (later) => orAlgo(later, trading.placeOrder(later, { account })),
    (later) => trading.placeOrder(later, { account }),
    (later) => trading.placeMarketOrder(later, { account }),
    (later) => trading.setPositionTpsl(later, { account }),
    (later) => trading.editOrder(later, { account }),
    (later) => ({ ...trading.placeStop(later), account }),
    (later) => ({ ...trading.placeTwap(later), account }),
  ]
  const asks = Array.from({ length: 5 }, (): Maker => {
    const maker = making.random.pick(all)
    return (later) => signed(later, key, maker(later))
  })
  // What it holds is worth less meanwhile.
  const lots = making.picture.lotsOf(account, key.market.id)
  const worse: Maker = () =>
    jumpTo(key.market, Math.ceil(key.market.mark * (lots > 0 ? 0.99 : 1.01)))
  return asks.toSpliced(2, 0, worse)
}

/** What happens to the key between its command and the time of the order. */
function turning({ random }: Making, { account, agent, market }: Key): Maker {
  const of = { account, proof: null, agent }
  const kind = random.weighted({ strict: 5, expired: 3, revoked: 2, unbound: 1, nothing: 1 })
  return (later) => {
    if (kind === 'nothing') return { type: 'Tick' }
    if (kind === 'revoked') return { type: 'RevokeAgent', ...of }
    if (kind === 'unbound') return { type: 'UnbindAgent', agent }
    const policy = loosePolicy(later)
    if (kind === 'expired')
      return { type: 'SetAgentPolicy', ...of, policy: { ...policy, expiresAt: later.atMs + 1 } }
    const stricter = random.pick([
      { markets: [...later.picture.markets.keys()].filter((id) => id !== market.id) },
      { maxOrderValue: 1 },
      { maxPositionValue: 1 },
      { postOnly: true },
      { reduceOnly: true },
      { maxSlippagePpm: 0 },
    ])
    return { type: 'SetAgentPolicy', ...of, policy: { ...policy, ...stricter } }
  }
}

function firing(making: Making, key: Key): Maker[] {
  const { random } = making
  const { id, mark, unit, params } = key.market
  const stopPrice = Math.floor(mark * 1.01) + 1
  const size = Math.ceil(params.orderValueMin / (mark * unit)) + random.between(1, 5)
  const stop: Maker = (later) => {
    const limitPrice = random.pick([null, stopPrice, Math.floor(stopPrice * 1.01)])
    const rest = { triggerBy: 'mark', clientOrderId: null }
    const level = { stopPrice, limitPrice, size, ...rest }
    const reduceOnly = random.chance(0.35)
    const of = { account: key.account, market: id, side: 'bid', reduceOnly, level }
    return signed(later, key, { type: 'PlaceStop', ...of })
  }
  const jump: Maker = (later) => {
    later.atMs += 1
    return jumpTo(key.market, stopPrice + 1)
  }
  return [stop, stop, turning(making, key), jump]
}

function slicing(making: Making, key: Key): Maker[] {
  const { random } = making
  const { id, mark, unit, params } = key.market
  const lots = Math.ceil(params.orderValueMin / (mark * unit)) + 1
  const twap: Maker = (later) =>
    signed(later, key, {
      type: 'PlaceTwap',
      account: key.account,
      market: id,
      side: random.pick(['bid', 'ask']),
      size: lots * 4,
      reduceOnly: random.chance(0.2),
      slippagePpm: random.pick([1_000, 10_000]),
      durationSeconds: 60,
      clientOrderId: null,
    })
  // Prices that are young enough for the next slice.
  const steps = Math.ceil(30_000 / Math.max(4_000, key.market.staleAfterMs))
  const lively: Maker = (later) => {
    later.atMs += Math.ceil(30_000 / steps)
    return jumpTo(key.market, later.picture.markets.get(id)?.mark ?? mark)
  }
  return [twap, turning(making, key), ...Array.from({ length: steps + 1 }, () => lively)]
}

function afterwards(ms: number): Maker {
  return (later) => {
    later.atMs += ms
    return { type: 'Tick' }
  }
}

/** A delayed batch: an edit and levels wait next to an order. */
function keeping(making: Making, key: Key): Maker[] {
  const { account, market } = key
  const batch: Maker = (later) => {
    const order = { ...trading.placeOrder(later, { account }), market: market.id, tif: 'GTC' }
    const actions: readonly Made[] = [
      order as Made,
      trading.editOrder(later, { account }),
      trading.setPositionTpsl(later, { account }),
      { ...trading.placeStop(later), account },
    ].filter(({ type }) => type !== 'Tick')
    if (later.random.chance(0.5))
      return { type: 'Batch', account, actions: actions.map((one) => signed(later, key, one)) }
    const unsigned = actions.map((one) => ({ ...one, proof: null }))
    return signed(later, key, { type: 'Batch', account, actions: unsigned })
  }
  return [batch, turning(making, key), afterwards(Math.max(1, market.params.speedBumpMs))]
}
