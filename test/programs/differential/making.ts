// What all makers of commands share: the world, the picture, the dice, and the small values (sizes,
// prices, client ids, proofs) that commands are made of.

import type { CommandType } from '../../../src/core/commands/commands.ts'
import type { KnownAccount, KnownMarket, KnownOrder } from './known.ts'
import type { Picture } from './picture.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'

/** A command before the types: makers also make what no type allows. */
export type Made = Readonly<{ type: CommandType } & Record<string, unknown>>
export type Maker = (making: Making) => Made

export type Making = {
  readonly world: World
  readonly picture: Picture
  readonly random: Random
  /** Time of the command being made, and how many were made before it. */
  atMs: number
  index: number
  /** Numbers for fresh texts, references and names. */
  fresh: number
  readonly usedTexts: { agent: string | null }[]
  readonly listed: string[]
  /** What comes next, before anything else is drawn. */
  readonly planned: Maker[]
}

export const sides = ['bid', 'ask'] as const
export type Side = (typeof sides)[number]
export const other = (side: Side): Side => (side === 'bid' ? 'ask' : 'bid')

export function freshName(making: Making, kind: string): string {
  making.fresh += 1
  return `${kind}-${making.fresh}`
}

/** The account that worlds of limits keep for that alone. */
export function hoarderOf({ world, picture }: Making): number | undefined {
  const kept = world.profile === 'texts' || world.profile === 'crowded'
  return kept ? picture.traders[0]?.id : undefined
}

/** A trader; now and then a reserved account, a backstop or an unknown one. */
export function drawAccount(making: Making): number {
  const { random, picture } = making
  if (random.chance(0.004)) return random.pick([1, 2, 3, 0, 9_999])
  if (random.chance(0.002)) return random.pick([...picture.markets.values()])?.backstop ?? 2
  const drawn = random.any(picture.traders)?.id ?? 1
  return drawn === hoarderOf(making) ? (picture.traders.at(-1)?.id ?? 1) : drawn
}

/** A market that trades if possible; now and then a settled or unknown one. */
export function drawMarket(making: Making): KnownMarket | undefined {
  const { random, picture } = making
  const all = [...picture.markets.values()]
  if (random.chance(0.003)) return random.any(all)
  return random.any(all.filter(({ settled }) => !settled)) ?? random.any(all)
}

/** Id of a market, or of none. */
export function marketId(making: Making, market: KnownMarket | undefined): number {
  if (market === undefined || making.random.chance(0.003)) return making.random.pick([0, 99, -1])
  return market.id
}

/** Someone with a position there, if anyone has one. */
export function drawHolder(making: Making, market: KnownMarket | undefined) {
  if (market === undefined) return undefined
  const holder = making.random.any(making.picture.holders(market.id))
  return holder?.id === hoarderOf(making) ? undefined : holder
}

export function clientIdOf(making: Making): string | null {
  const { random } = making
  return random.chance(0.25) ? `${random.chance(0.2) ? 'C' : 'c'}${random.below(12)}` : null
}

/** Near the mark or the book, so that crossings are common; sometimes far, sometimes outside. */
export function drawPrice(making: Making, market: KnownMarket, side: Side, eager = false): number {
  const { random, picture, world } = making
  const { mark, params } = market
  const sign = side === 'bid' ? 1 : -1
  const reach = Math.max(3, Math.floor(mark * 0.003))
  const skew = world.profile === 'funding' ? Math.floor(mark * (((world.seed % 7) - 3) / 400)) : 0
  const cross = eager ? 150 : 25
  const kind = random.weighted({ near: 48, cross, join: 12, step: 8, far: 5, outside: 1.5 })
  const opposite = picture.best(market.id, other(side))
  const own = picture.best(market.id, side)
  const near = mark + skew + random.between(-reach, reach) - sign * random.below(reach)
  switch (kind) {
    case 'cross':
      return Math.max(1, (opposite ?? near) + sign * random.below(reach))
    case 'join':
      return own ?? Math.max(1, near)
    case 'step':
      return Math.max(1, (own ?? near) + sign)
    case 'far':
      return Math.max(1, Math.floor(mark * (1 + (random.next() - 0.5) * 0.16)))
    case 'outside':
      return random.pick([params.tickMin - 1, params.tickMax, params.tickMax + 1, mark * 2])
    default:
      return Math.max(1, near)
  }
}

/** From one lot to far more than the account can carry; often what it holds, exactly or nearly. */
export function drawSize(making: Making, account: number, market: KnownMarket): number {
  const { random, picture, world } = making
  const held = Math.abs(picture.lotsOf(account, market.id))
  // Where prices are rough, accounts at full leverage are liquidated by the dozen.
  const bold = world.profile === 'crash' || world.profile === 'isolated' ? 45 : 20
  const kind = random.weighted({ tiny: 15, part: 45, held: 12, flip: 8, bold, huge: 2 })
  if (kind === 'tiny') return random.between(1, 3)
  if (kind === 'held' && held > 0) return random.chance(0.6) ? held : random.between(1, held)
  if (kind === 'flip' && held > 0) return held + random.between(1, held)
  const money = Math.max(0, picture.accounts.get(account)?.money ?? 0)
  const power = (money * market.params.leverageMax) / (market.mark * market.unit)
  if (kind === 'bold') return Math.max(1, Math.floor(power * random.next() * 1.1))
  if (kind === 'huge') return Math.max(1, Math.floor(power * random.pick([3, 1_000, 1e6])))
  return Math.max(1, Math.floor(power * random.next() ** 2 * 0.25))
}

/** The way the account leans; a holder that is to reduce gets the other side. */
export function drawSide(making: Making, account: KnownAccount | undefined): Side {
  const lean = (account?.bias ?? 0) * (making.world.profile === 'crash' ? 0.2 : 0.1)
  return making.random.next() < 0.5 + lean ? 'bid' : 'ask'
}

export function closingSide(making: Making, account: number, market: KnownMarket): Side {
  const side = making.picture.lotsOf(account, market.id) > 0 ? 'ask' : 'bid'
  return making.random.chance(0.88) ? side : other(side)
}

/** A level for a position of this side, around a price: mostly on the side where it may stand. */
export function drawLevel(
  making: Making,
  at: Readonly<{
    account: number
    market: KnownMarket
    price: number
    up: boolean
    mayTrail: boolean
  }>,
) {
  const { random } = making
  const { market, price, account } = at
  const reach = Math.max(4, Math.floor(market.mark * random.pick([0.002, 0.01, 0.05])))
  const away = random.between(random.chance(0.9) ? 1 : -3, reach)
  const stopPrice = Math.max(1, price + (at.up ? away : -away))
  const limit = stopPrice + random.between(-reach, reach)
  return {
    stopPrice,
    limitPrice: random.chance(0.5) ? null : Math.max(1, limit),
    size: random.chance(0.4) ? null : drawSize(making, account, market),
    triggerBy: random.pick(['mark', 'last', 'mid']),
    clientOrderId: clientIdOf(making),
    ...slippage(making),
    ...trailing(making, market, at.mayTrail),
  }
}

/** How far some go from the mark; of a limit now and then too, which is refused. */
function slippage({ index }: Making) {
  const turn = Math.floor(index / 2)
  if (index % 2 === 0 || turn % 4 === 3) return {}
  return { slippagePpm: [null, 0, 500, 2_000, 10_000, 50_000, 100_000, 100_001][turn % 8]! }
}

/** Some follow the mark: by their place, so that all else is drawn as without them. */
function trailing({ index }: Making, { mark }: KnownMarket, mayTrail: boolean) {
  if (index % (mayTrail ? 5 : 55) !== 3) return {}
  const turn = Math.floor(index / 5)
  const wrong = turn % 13 === 0
  const near = 1 + (turn % Math.max(2, Math.floor(mark / 50)))
  const share = [1_000, 2_500, 10_000, 30_000, 500_000][turn % 5]!
  const byTicks = turn % 2 === 0
  const trail = {
    distance: byTicks ? near : null,
    ppm: byTicks ? (wrong ? share : null) : share + (wrong ? 500_000 : 0),
    activation: turn % 3 === 0 ? Math.max(1, mark + (turn % 21) - 10) : null,
  }
  const words = turn % 17 === 0 ? {} : { stopPrice: 0, limitPrice: null, triggerBy: 'mark' }
  return { ...words, trail }
}

/** An order of the account by id, client id or both; sometimes one that does not fit. */
export function refTo(making: Making, order: KnownOrder | undefined, id = order?.id) {
  const { random } = making
  const clientOrderId = order?.clientOrderId ?? null
  const kind = random.weighted({ id: 55, client: 22, both: 12, wrong: 6, unknown: 4, none: 1 })
  if (kind === 'none') return { order: null, clientOrderId: null }
  if (kind === 'client' && clientOrderId !== null) return { order: null, clientOrderId }
  if (kind === 'both' && clientOrderId !== null) return { order: id ?? 1, clientOrderId }
  if (kind === 'wrong') return { order: id ?? 1, clientOrderId: `c${random.below(12)}` }
  if (kind === 'unknown') return { order: random.pick([0, 1, 1_000_000]), clientOrderId: null }
  return { order: id ?? 1, clientOrderId: null }
}

export const ips = ['10.0.0.1', '10.0.0.2', '10.0.0.3'] as const
export const agentsOf = (account: number): readonly string[] =>
  ['a', 'b', 'c', 'd'].map((name) => `agent-${account}-${name}`)

/** Bound by many, used by none. */
export const unsignedAgent = 'agent-of-crowd'

/** The same text in another hand: a bound agent's, or the owner's. */
function otherSigner(making: Making, account: number, agent: string | null): string | null {
  return agent === null ? (making.random.any(boundTo(making, account)) ?? null) : null
}

function boundTo({ picture }: Making, account: number): readonly string[] {
  const agents = picture.accounts.get(account)?.agents ?? []
  return agents.filter((each) => each !== unsignedAgent)
}

/** Mostly none: what came signed was checked before. Some texts come twice, some without a time. */
export function drawProof(making: Making, account: number, type: CommandType): unknown {
  const { random } = making
  const keys = making.picture.accounts.get(account)?.limited ?? []
  const limited = keys.length > 0 && random.chance(0.15) ? random.pick(keys) : undefined
  const byLimited = limited !== undefined
  if (!byLimited && !random.chance(0.2)) return null
  const used = random.any(making.usedTexts)
  if (!byLimited && used !== undefined && random.chance(0.08))
    return random.chance(0.7) ? used : { ...used, agent: otherSigner(making, account, used.agent) }
  const signedAtMs = making.atMs - random.below(2_000)
  const timed = !random.chance(type === 'SetPositionTpsl' ? 0.4 : 0.02)
  const bound = boundTo(making, account)
  const known = bound.length > 0 && random.chance(0.85)
  const asAgent = random.chance(bound.length > 0 ? 0.4 : 0.05)
  const drawn = asAgent ? random.pick(known ? bound : agentsOf(account)) : null
  const agent = byLimited ? limited : drawn
  const proof = {
    textHash: freshName(making, 'text'),
    signedAtMs,
    expiresAtMs: timed ? signedAtMs + random.between(0, 60_000) : null,
    agent,
    ip: random.chance(0.2) ? null : random.pick(ips),
  }
  making.usedTexts.push(proof)
  if (making.usedTexts.length > 20) making.usedTexts.shift()
  return proof
}

/** Far into the other side of the book, and still within the band. */
export function beyondMark({ mark }: KnownMarket, side: Side): number {
  const away = Math.floor(mark / 50)
  return side === 'bid' ? mark + away : mark - away
}

/** Mostly as it always was, without a word or with it. */
export function drawStp({ random }: Making) {
  const kind = random.weighted({ none: 62, cancel_maker: 5, cancel_taker: 18, cancel_both: 15 })
  return kind === 'none' ? {} : { stp: kind }
}

/** Often the same moment, so that more expire together than one command cancels. */
export function drawExpiry(making: Making, rests: boolean) {
  const { random, atMs: now } = making
  if (!random.chance(rests ? 0.25 : 0.01)) return {}
  const kind = random.weighted({ round: 70, near: 22, far: 4, early: 4 })
  const round = (Math.floor(now / 4_000) + random.between(1, 2)) * 4_000
  const expireTime = {
    round: Math.max(round, now + 1_000),
    near: now + random.between(1_000, 3_000),
    far: now + 365 * 86_400_000,
    early: now + random.pick([999, 499, 0, -1]),
  }[kind]
  return { expireTime }
}

/** Oracle and mark, in ticks. */
export function jumpTo({ id }: KnownMarket, ticks: number): Made {
  return {
    type: 'OracleTick',
    market: id,
    price: ticks * 1_000_000,
    observedAtMs: null,
    jump: true,
  }
}
