// The world a seed stands for: its profile, genesis, markets and how rich its accounts are. Small
// on purpose: few accounts on narrow books meet each other all the time.

import type { MarketParams } from '../../../src/core/commands/market-params.ts'
import type { Genesis } from '../../../src/core/state/genesis.ts'
import { liquidationParams } from './markets/liquidation-params.ts'
import type { Random } from './random.ts'

/**
 * What a world dwells on. `funding`: hours of five-second steps. `crash`: gaps, poor insurance.
 * `days`: the calendar. `texts` and `crowded`: the two limits that take hundreds of commands to
 * reach.
 */
export const profiles = [
  'mixed',
  'crash',
  'funding',
  'isolated',
  'mixed',
  'texts',
  'crash',
  'days',
  'mixed',
  'crowded',
  'funding',
  'crash',
] as const
export type Profile = (typeof profiles)[number]

export type World = Readonly<{
  seed: number
  profile: Profile
  genesis: Genesis
  startMs: number
  /** Commands to come, so that settling can wait for the end. */
  commands: number
  marketCount: number
  traderCount: number
  /** What an account deposits, in micro-dollars, by order of magnitude. */
  wealth: number
  insurance: number
}>

const MONEY_MAX = 2 ** 52
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** A UTC midnight. */
const EPOCH_MS = 1_750_032_000_000

export const reservedAddresses = ['fees', 'insurance', 'deficit'] as const

const feeTables: readonly (readonly [number, number, number][])[] = [
  [[0, 150, 400]],
  [[0, 0, 0]],
  [
    [0, 150, 400],
    [1_000, 50, 300],
    [50_000, -50, 200],
    [1_000_000, -100, 150],
  ],
  [
    [0, -90, 100],
    [10, -100, 500],
  ],
]

export function feeTiersOf(random: Random) {
  const table = random.pick(feeTables)
  return table.map(([volumeDollars, makerPpm, takerPpm]) => ({ volumeDollars, makerPpm, takerPpm }))
}

export function worldOf(seed: number, commands: number, random: Random): World {
  const profile = profiles[seed % profiles.length] as Profile
  const [feesAddress, insuranceAddress, deficitAddress] = reservedAddresses
  const addresses = { feesAddress, insuranceAddress, deficitAddress }
  const feeTiers = feeTiersOf(random) as unknown as Genesis['feeTiers']
  const wealth = random.pick([1e9, 1e10, 1e11, 1e12])
  const part = wealth / 1_000
  const crowd = { funding: 0.95, crash: 0.5 }[profile as string] ?? 0.15
  const traders = random.chance(crowd) ? crowdOf(random) : random.between(3, 12)
  const marketsMax = profile === 'funding' ? 2 : 4
  return {
    seed,
    profile,
    // Some worlds have prices that are observed and grow old.
    genesis: {
      ...{ ...addresses, feeTiers, pricesMayStand: seed % 3 !== 1 },
      withdrawalBrake: seed % 2 === 1,
    },
    startMs: startOf(profile, random),
    commands,
    marketCount: random.between(profile === 'crash' ? 2 : 1, marketsMax),
    // A short history would be over before a crowd had all its money.
    traderCount: Math.min(traders, Math.ceil(commands / 20)),
    wealth,
    insurance: random.pick([0, part, wealth / 10, profile === 'crash' ? 0 : wealth]),
  }
}

/** More than one command can deal with, now and then. */
function crowdOf(random: Random): number {
  return random.chance(0.3) ? random.between(66, 80) : random.between(20, 40)
}

function startOf(profile: Profile, random: Random): number {
  const hour = EPOCH_MS + random.below(1_000) * HOUR_MS
  // Half an hour has just the samples that a rate needs.
  if (profile === 'funding') return hour + HOUR_MS / 2 - random.between(0, 300_000)
  if (profile === 'days') return EPOCH_MS + DAY_MS * random.below(100) - random.between(0, 600_000)
  // Just before or after a full hour, where most of the clockwork meets.
  return hour + random.between(-120_000, 120_000)
}

type Grid = Readonly<{ tick: readonly [number, number]; lot: readonly [number, number] }>

/** Tick and lot as [value, scale]; K comes out between 1 and 1,000. */
const grids: readonly Grid[] = [
  { tick: [1, 0], lot: [1, 5] },
  { tick: [1, 1], lot: [1, 3] },
  { tick: [1, 2], lot: [1, 2] },
  { tick: [5, 1], lot: [2, 3] },
  { tick: [25, 2], lot: [1, 3] },
  { tick: [1, 0], lot: [1, 6] },
  { tick: [1, 3], lot: [1, 0] },
  { tick: [3, 4], lot: [7, 2] },
]

export type Listing = Readonly<{ params: MarketParams; oracle: number }>

/** A market that can be listed; `index` makes its names. */
export function listingOf(world: World, index: number, random: Random): Listing {
  const ticks = random.pick([1_000, 2_000, 5_000, 20_000, 60_000]) + random.below(500)
  const grid = random.pick(grids)
  const unit = grid.tick[0] * grid.lot[0] * 10 ** (6 - grid.tick[1] - grid.lot[1])
  const leverageMax = random.pick([3, 7, 10, 20, 30, 50, 60, 100])
  const isolatedOnly = random.chance(world.profile === 'isolated' ? 0.5 : index === 2 ? 0.5 : 0.1)
  const few = Math.ceil((world.wealth * random.pick([0.3, 2])) / (ticks * unit))
  const scaled = random.chance(0.4)
  const lower = world.wealth * random.pick([1, 5])
  const params = {
    symbol: `M${index}-USD`,
    baseAsset: `M${index}`,
    tickSize: { value: grid.tick[0], scale: grid.tick[1] },
    lotSize: { value: grid.lot[0], scale: grid.lot[1] },
    tickMin: random.chance(0.7) ? 1 : Math.ceil(ticks * 0.6),
    tickMax: Math.ceil(ticks * random.pick([1.4, 3, 6])),
    leverageMax,
    isolatedOnly,
    orderValueMin: random.pick([1, 1_000_000, world.wealth / 1_000]),
    orderValueMax: random.pick([MONEY_MAX, MONEY_MAX, world.wealth * 30]),
    bandNearPpm: random.pick([20_000, 50_000, 100_000, 1_000_000]),
    bandFarPpm: random.pick([100_000, 500_000, 1_000_000]),
    speedBumpMs: random.chance(0.5) ? 0 : random.pick([200, 200, 50, 1_000]),
    openInterestMax: random.chance(0.3) ? few : MONEY_MAX,
    ownerInterestMax: random.chance(0.2) ? Math.max(1, Math.ceil(few / 3)) : MONEY_MAX,
    openInterestLower: scaled ? lower : 0,
    openInterestUpper: scaled ? lower * random.pick([3, 20]) : 0,
    riskTiers: tiersOf(world, leverageMax, random),
    impactValue: Math.ceil(world.wealth * random.pick([0.001, 0.05, 1])),
    // Hours of five-second steps need prices that live longer than one.
    staleAfterMs:
      world.profile === 'funding'
        ? 10_000
        : random.pick([4_500, 4_500, 4_500, 10_000, 60_000, random.between(1_000, 4_500)]),
    observedWithinMs: random.pick([1_000, 1_000, 300, 5_000]),
    fundingSamplesMin: random.pick([360, 360, 1, 40]),
    minSources: random.between(1, 3),
    backstopAddress: `backstop-${index}`,
    backstopValueMax: Math.ceil(world.wealth * random.pick([0, 0.5, 20, 1_000])),
    backstopDailyLossMax: Math.ceil(world.wealth * random.pick([0, 0.1, 1_000])),
    ...liquidationParams(world.wealth, random),
  }
  const oracle = ticks * 1_000_000 + (random.chance(0.5) ? random.below(1_000_000) : 0)
  return { params: params as unknown as MarketParams, oracle }
}

export function tiersOf(world: World, leverageMax: number, random: Random) {
  const count = random.pick([0, 0, 1, 2, 4])
  let fromValue = 0
  let maxLeverage = leverageMax
  const tiers: { fromValue: number; maxLeverage: number }[] = []
  while (tiers.length < count && maxLeverage > 1) {
    fromValue += Math.ceil(world.wealth * random.pick([0.01, 0.1, 0.5, 2]))
    maxLeverage -= random.between(1, Math.ceil(maxLeverage / 2))
    if (maxLeverage >= 1) tiers.push({ fromValue, maxLeverage })
  }
  return tiers
}
