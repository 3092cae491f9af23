// Options of `createExchange`, and their validation.

import { createHash } from 'node:crypto'
import type { ExchangeSettings } from '../../gateway/exchange.ts'
import { venueIdBytes } from '../../units/venue-id.ts'
import { type Instant, instantMs } from './duration.ts'
import { everyMarket, listingsOf, type MarketChoice } from './listings.ts'

export type ExchangeOptions = Readonly<{
  /** Symbols of the sandbox's markets, or custom markets (default: all of the sandbox's
   *  markets). */
  markets?: readonly MarketChoice[]
  /** Time moves only by `advance` and `setTime`. */
  clock?: 'manual'
  /** Seed of the simulated prices and the bots. */
  seed?: number | string
  /** Initial engine time. */
  start?: Instant
  /** `false`: signatures, timestamps and expiry windows are not required. */
  verify?: boolean
  /** `simulated`: as in the sandbox. `held`: a price stays until it is set. */
  prices?: 'simulated' | 'held'
  /** Whether the sandbox's bots trade while time passes. */
  bots?: boolean
  /** Whether orders that may take wait out the speed bump of their market. */
  speedBump?: boolean
  /** Which data of accounts is visible to other callers than their owner (default: `public`). */
  reads?: 'public' | 'resting' | 'owner'
  /** USD that a named account receives when it is first used. */
  funds?: string
  /** Maximum number of commands stored for history and replay. Beyond it both are discarded. */
  historyMax?: number
}>

export type Chosen = ReturnType<typeof chosenOf>

const names = [
  'markets',
  'clock',
  'seed',
  'start',
  'verify',
  'prices',
  'bots',
  'speedBump',
  'reads',
  'funds',
  'historyMax',
]
/** A fixed default start time, so that runs repeat exactly. */
const startMs = Date.UTC(2026, 0, 1)
const historyMaxStandard = 2_000_000

export function chosenOf(options: ExchangeOptions) {
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new TypeError(`createExchange has no option ${unknown}; it knows ${names.join(', ')}`)
  const { prices = 'simulated', seed = 1, clock = 'manual', funds = '100000' } = options
  if (clock !== 'manual')
    throw new TypeError(`clock must be 'manual', not ${JSON.stringify(clock)}: 'openperp' runs one`)
  if (prices !== 'simulated' && prices !== 'held')
    throw new TypeError(`prices must be 'simulated' or 'held', not ${JSON.stringify(prices)}`)
  const { historyMax = historyMaxStandard, reads = 'public' } = options
  if (reads !== 'public' && reads !== 'resting' && reads !== 'owner')
    throw new TypeError(
      `reads must be 'public', 'resting' or 'owner', not ${JSON.stringify(reads)}`,
    )
  if (!Number.isSafeInteger(historyMax) || historyMax < 0)
    throw new RangeError(`historyMax must be a non-negative integer, not ${historyMax}`)
  return {
    listings: listingsOf(options.markets ?? everyMarket),
    seed: String(seed),
    venue: venueOfSeed(String(seed)),
    startMs: instantMs(options.start ?? startMs),
    verify: flagOf('verify', options.verify, true),
    bots: flagOf('bots', options.bots, false),
    speedBump: flagOf('speedBump', options.speedBump, false),
    prices,
    reads,
    funds,
    historyMax,
  }
}

/** Settings of an embedded exchange that operations use. */
export function settingsOf({ reads, venue }: Chosen): ExchangeSettings {
  return {
    mode: 'sandbox',
    fork: false,
    reads,
    untimedTexts: true,
    creditsPerIp: 100,
    operatorAccounts: null,
    venue: { id: venue, required: false },
  }
}

function flagOf(name: string, given: unknown, otherwise: boolean): boolean {
  if (given === undefined) return otherwise
  if (typeof given === 'boolean') return given
  throw new TypeError(`${name} must be true or false, not ${JSON.stringify(given)}`)
}

/** Derives the venue id from the seed, so that runs repeat exactly. */
function venueOfSeed(seed: string): string {
  const digest = createHash('sha256').update(`openperp venue of seed ${seed}`).digest()
  return digest.subarray(0, venueIdBytes).toString('hex')
}
