// The initial contents of a sandbox: its genesis, its markets and their characters, and the money
// of its insurance fund and backstops. The product of tick and lot is a whole number of
// micro-dollars in every market.

import {
  type AccountId,
  type Command,
  DEFICIT,
  type FeeTier,
  type Genesis,
  INSURANCE,
  type MarketParams,
  marketDefaults,
  ownerInterestDefault,
  type Step,
  unitValueOf,
} from '../core/index.ts'
import { divFloor } from '../units/rounding.ts'
import {
  type Lots,
  MICRO_PER_DOLLAR,
  MICRO_PER_TICK,
  type MicroTicks,
  type Ppm,
  type Quote,
  type Ticks,
} from '../units/units.ts'
import { ownerlessAddress } from './ownerless-address.ts'

/** How a market behaves in the simulation, and how deep its bots quote. */
export type Character = Readonly<{
  /** Annual volatility, ppm. */
  volatilityPpm: number
  /** Half of the makers' best spread, ppm. */
  spreadPpm: number
  /** Size of a maker's best quote in dollars; further levels are multiples. */
  depthDollars: number
}>

type Plan = Character &
  Readonly<{
    symbol: string
    tick: Step
    lot: Step
    /** Initial price in ticks. */
    start: number
    leverage: number
    isolatedOnly?: true
    interestDollars: number
    /** Whether margin grows with open interest, starting at a quarter of the cap. */
    scales?: true
    impactDollars: number
    /** Tiers: [from dollars, leverage]. */
    tiers: readonly (readonly [number, number])[]
  }>

const step = (value: number, scale: number): Step => ({ value, scale })

const plans: readonly Plan[] = [
  {
    symbol: 'BTC',
    tick: step(1, 0),
    lot: step(1, 5),
    start: 105_000,
    leverage: 50,
    interestDollars: 200_000_000,
    impactDollars: 20_000,
    tiers: [
      [2_000_000, 25],
      [10_000_000, 10],
      [50_000_000, 5],
    ],
    volatilityPpm: 350_000,
    spreadPpm: 150,
    depthDollars: 8_000,
  },
  {
    symbol: 'ETH',
    tick: step(1, 1),
    lot: step(1, 4),
    start: 35_000,
    leverage: 50,
    interestDollars: 150_000_000,
    impactDollars: 20_000,
    tiers: [
      [2_000_000, 25],
      [10_000_000, 10],
      [50_000_000, 5],
    ],
    volatilityPpm: 450_000,
    spreadPpm: 180,
    depthDollars: 6_000,
  },
  {
    symbol: 'SOL',
    tick: step(1, 2),
    lot: step(1, 2),
    start: 17_000,
    leverage: 20,
    interestDollars: 80_000_000,
    impactDollars: 20_000,
    tiers: [
      [1_000_000, 10],
      [5_000_000, 5],
    ],
    volatilityPpm: 600_000,
    spreadPpm: 250,
    depthDollars: 4_000,
  },
  {
    symbol: 'DOGE',
    tick: step(1, 5),
    lot: step(1, 0),
    start: 20_000,
    leverage: 20,
    interestDollars: 40_000_000,
    impactDollars: 6_000,
    tiers: [
      [500_000, 10],
      [2_000_000, 5],
    ],
    volatilityPpm: 700_000,
    spreadPpm: 300,
    depthDollars: 2_000,
  },
  {
    symbol: 'HYPE',
    tick: step(1, 3),
    lot: step(1, 2),
    start: 40_000,
    leverage: 10,
    interestDollars: 30_000_000,
    impactDollars: 6_000,
    tiers: [
      [500_000, 5],
      [2_000_000, 3],
    ],
    volatilityPpm: 800_000,
    spreadPpm: 350,
    depthDollars: 2_000,
  },
  {
    symbol: 'XAU',
    tick: step(1, 1),
    lot: step(1, 3),
    start: 34_000,
    leverage: 25,
    interestDollars: 60_000_000,
    impactDollars: 20_000,
    tiers: [
      [2_000_000, 10],
      [10_000_000, 5],
    ],
    volatilityPpm: 150_000,
    spreadPpm: 100,
    depthDollars: 5_000,
  },
  {
    symbol: 'PEPE',
    tick: step(1, 9),
    lot: step(1_000, 0),
    start: 11_200,
    leverage: 10,
    interestDollars: 10_000_000,
    scales: true,
    impactDollars: 6_000,
    tiers: [
      [250_000, 5],
      [1_000_000, 3],
    ],
    volatilityPpm: 900_000,
    spreadPpm: 450,
    depthDollars: 1_500,
  },
  {
    symbol: 'WIF',
    tick: step(1, 4),
    lot: step(1, 0),
    start: 9_000,
    leverage: 5,
    isolatedOnly: true,
    interestDollars: 5_000_000,
    impactDollars: 6_000,
    tiers: [
      [200_000, 3],
      [1_000_000, 2],
    ],
    volatilityPpm: 900_000,
    spreadPpm: 500,
    depthDollars: 1_200,
  },
]

/** Character of a market that an operator adds to a running sandbox. */
const plain: Character = { volatilityPpm: 600_000, spreadPpm: 400, depthDollars: 1_500 }
const characters = new Map<string, Character>(plans.map((plan) => [plan.symbol, plan]))

export function characterOf(symbol: string): Character {
  return characters.get(symbol) ?? plain
}

const dollars = (amount: number) => (amount * MICRO_PER_DOLLAR) as Quote

function paramsOf(plan: Plan): MarketParams {
  const unit = unitValueOf({ tickSize: plan.tick, lotSize: plan.lot } as MarketParams)
  const interest = dollars(plan.interestDollars)
  return {
    symbol: plan.symbol,
    baseAsset: plan.symbol,
    tickSize: plan.tick,
    lotSize: plan.lot,
    tickMin: 1 as Ticks,
    tickMax: (10 * plan.start) as Ticks,
    leverageMax: plan.leverage,
    isolatedOnly: plan.isolatedOnly ?? false,
    orderValueMin: dollars(10),
    orderValueMax: dollars(5_000_000),
    bandNearPpm: 300_000 as Ppm,
    bandFarPpm: 900_000 as Ppm,
    speedBumpMs: 200,
    openInterestMax: divFloor(interest, plan.start * unit) as Lots,
    ownerInterestMax: ownerInterestDefault(divFloor(interest, plan.start * unit)),
    openInterestLower: (plan.scales ? interest / 4 : 0) as Quote,
    openInterestUpper: (plan.scales ? interest : 0) as Quote,
    riskTiers: plan.tiers.map(([from, maxLeverage]) => ({
      fromValue: dollars(from),
      maxLeverage,
    })),
    impactValue: dollars(plan.impactDollars),
    ...marketDefaults,
    // Funding is paid in the first hour, even if the sandbox was started late in it.
    fundingSamplesMin: 1,
    backstopAddress: ownerlessAddress(`backstop ${plan.symbol}`),
    backstopValueMax: dollars(10_000_000),
    backstopDailyLossMax: dollars(1_000_000),
  }
}

export type Listing = Readonly<{ params: MarketParams; oracle: MicroTicks }>

/** Listings in order of market id, from 1. */
export const sandboxListings: readonly Listing[] = plans.map((plan) => ({
  params: paramsOf(plan),
  oracle: (plan.start * MICRO_PER_TICK) as MicroTicks,
}))

const tier = (volumeDollars: number, makerPpm: number, takerPpm: number): FeeTier => ({
  volumeDollars,
  makerPpm: makerPpm as Ppm,
  takerPpm: takerPpm as Ppm,
})

export const standardGenesis: Genesis = {
  feesAddress: ownerlessAddress('fees'),
  insuranceAddress: ownerlessAddress('insurance'),
  deficitAddress: ownerlessAddress('deficit'),
  feeTiers: [
    tier(0, 150, 400),
    tier(5_000_000, 120, 380),
    tier(10_000_000, 90, 360),
    tier(25_000_000, 60, 340),
    tier(50_000_000, 30, 320),
    tier(100_000_000, 0, 300),
    tier(250_000_000, 0, 280),
  ],
  pricesMayStand: true,
}

/** The initial parameters of a new exchange (CORE-1). In a sandbox prices hold until the next
 *  price; in a venue they expire. A venue begins with the withdrawal brake on (ACCT-11). */
export function newGenesis(mode: 'sandbox' | 'venue'): Genesis {
  const isVenue = mode === 'venue'
  return { ...standardGenesis, pricesMayStand: !isVenue, withdrawalBrake: isVenue }
}

const reserveDollars = 1_000_000
const insuranceDollars = 20_000_000

/** Commands that turn an empty exchange into a sandbox, in this order. Deposits for the bots are
 *  added. */
export function openingCommands(listings = sandboxListings): Command[] {
  const markets = listings.map((listing) => ({ type: 'ListMarket' as const, ...listing }))
  const reserves = listings.map((_, at) => ({
    type: 'MoveReserve' as const,
    from: INSURANCE as AccountId,
    // Valid for an exchange that has only its own accounts and then these backstops.
    to: (DEFICIT + 1 + at) as AccountId,
    amount: dollars(reserveDollars),
  }))
  const insurance = {
    type: 'Deposit' as const,
    address: standardGenesis.insuranceAddress,
    amount: dollars(insuranceDollars),
    reference: 'opening insurance',
  }
  return [...markets, insurance, ...reserves]
}
