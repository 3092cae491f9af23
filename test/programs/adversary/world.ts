// A world from a seed: an exchange with three markets, its operator, a crowd, some rings, and
// weather. It is the same each time for the same seed and the same scripts.

import type { Plain } from '../../support/venue/commands.ts'
import { DOLLAR, type Edition, type MarketPlan, UNIT_VALUE } from '../../support/venue/edition.ts'
import { quote } from '../../support/venue/quoting.ts'
import { Venue } from '../../support/venue/venue.ts'
import { Random } from '../differential/random.ts'
import { Crowd } from './crowd.ts'
import { Operator } from './operator.ts'
import { Dislocations } from './outside/dislocations.ts'
import { drawSources, type SourceKind, Sources } from './outside/sources.ts'
import { Referee, type Verdict } from './referee.ts'
import { Ring } from './ring.ts'
import type { Script } from './script.ts'
import { Weather } from './weather.ts'

export type WorldPlan = Readonly<{
  edition: Edition
  seed: number
  commands: number
  scripts: readonly Script[]
  /** All sources are of this kind; not set: of any. */
  sources?: SourceKind | null
  /** Every command is written down here. */
  journal?: Step[]
}>

/** A command, or where the price outside goes (`World`), and its time. `fixed`: accounts and
 *  markets, which everything after it builds on. */
export type Step = Readonly<{ atMs: number; plain: Plain | WorldMove; fixed: boolean }>
type WorldMove = Readonly<{
  type: 'World'
  market: number
  price: number
  isAway: boolean
  account?: undefined
}>

/** In a calm world the operator does in a step what it does elsewhere in this time. */
const calmMs = 50
const fundDollars = 5_000_000
const reserveDollars = 1_000_000

/** Every fourth world is calm: nothing jumps, sleeps or lies, and each ring has a market in which
 *  no other account quotes, so that it can push the mark. */
export const isCalm = (seed: number) => seed % 4 === 3

/** Half of the worlds, of both kinds, have books that leave the index. */
export const isAstray = (seed: number) => (isCalm(seed) ? seed % 8 === 7 : seed % 2 === 0)

/** Of the calm worlds from this seed on, the one with this number. */
export const nextCalm = (seed: number, number: number) => seed + ((7 - (seed % 4)) % 4) + 4 * number

/** The first for the crowd, then one for each ring. */
function calmPlansOf(random: Random, rings: number): readonly MarketPlan[] {
  const [main] = plansOf(random) as [MarketPlan]
  const own = Array.from({ length: Math.max(2, rings) }, (_, at): MarketPlan => {
    const leverageMax = random.pick([20, 50, 50, 50])
    const backstopDollars = random.pick([0, 5_000_000, 10_000_000, 10_000_000])
    const tiers: MarketPlan['tiers'] = [[5_000_000, leverageMax / 2]]
    const own = { symbol: `OWN${at}`, leverageMax, tiers, backstopDollars }
    return { ...main, ...own, speedBumpMs: 0, impactDollars: 6_000 }
  })
  return [main, ...own]
}

/** What a ring calls the first market, the second and the third. */
function marketsOf(calm: boolean, ring: number, rings: number): readonly number[] {
  if (!calm) return [1, 2, 3]
  return [1, 2 + ring, 2 + ((ring + 1) % Math.max(2, rings))]
}

function plansOf(random: Random): readonly MarketPlan[] {
  const speedBumpMs = random.pick([0, 200, 200])
  const main: MarketPlan = {
    symbol: 'BTC',
    leverageMax: 50,
    tiers: [
      [2_000_000, 20],
      [10_000_000, 10],
    ],
    speedBumpMs,
    interestDollars: 100_000_000,
    impactDollars: 20_000,
    backstopDollars: random.pick([0, 5_000_000, 10_000_000]),
    backstopLossDollars: 1_000_000,
  }
  return [
    main,
    // A third of the worlds have a grid that a price can leave.
    {
      ...main,
      symbol: 'ALT',
      leverageMax: 20,
      tiers: [[500_000, 10]],
      impactDollars: 6_000,
      gridParts: random.pick([1.15, 10, 10]),
    },
    { ...main, symbol: 'XAU', leverageMax: 20, tiers: [[1_000_000, 10]] },
  ]
}

export function playWorld(plan: WorldPlan): Verdict {
  const random = new Random(plan.seed)
  const calm = isCalm(plan.seed)
  const count = plan.scripts.length
  const venue = new Venue(plan.edition)
  const referee = new Referee(venue)
  const { journal } = plan
  let fixed = true
  if (journal !== undefined) {
    venue.listeners.push((plain, _, atMs) => journal.push({ atMs, plain, fixed }))
    venue.worldListeners.push((market, price, atMs, isAway) => {
      journal.push({ atMs, plain: { type: 'World', market, price, isAway }, fixed })
    })
  }
  const markets = calm ? calmPlansOf(random, count) : plansOf(random)
  const sources = new Random(plan.seed + 4_000_003)
  for (const market of markets) {
    const feed = venue.list(market)
    feed.ears = new Sources(drawSources(sources, plan.sources ?? null), feed.raw)
  }
  venue.deposit('insurance', fundDollars + markets.length * reserveDollars)
  for (const { market } of venue.feeds) venue.moveReserve(market, reserveDollars)
  const people = {
    count: random.between(50, calm ? 80 : 300),
    desert: random.chance(0.3) ? 2 : 0,
    markets: calm ? 1 : markets.length,
  }
  const crowd = new Crowd(venue, new Random(plan.seed + 1_000_003), people)
  const rings = plan.scripts.map((script, at) => {
    const own = marketsOf(calm, at, count)
    return new Ring(venue, script, { number: at, markets: own })
  })
  const dealers = [0, 1, 2].map((at) => venue.deposit(`dealer-${at}`, dealerDollars))
  const stepMs = random.pick(calm ? [3_000, 4_000] : [100, 100, 250, 1_000, 4_000])
  // Some worlds begin shortly before a full hour.
  if (random.chance(0.5)) venue.now += 3_600_000 - random.between(60_000, 300_000)
  const operator = new Operator(venue, new Random(plan.seed + 3_000_003))
  operator.announce(stepMs * 2_000)
  fixed = false
  // Prices of a day before are none: feeds prove themselves before anybody acts.
  for (let ticks = 0; ticks < 6; ticks++) venue.walk(3_000)
  const weather = new Weather(venue, new Random(plan.seed + 2_000_003), calm)
  const away = new Random(plan.seed + 5_000_003)
  const dislocations = isAstray(plan.seed) ? new Dislocations(venue, crowd, away) : null
  const end = plan.commands - 500
  const isNearChange = (market: number) => operator.isNearChange(market)
  while (venue.seq < end) {
    weather.blow(stepMs)
    dislocations?.blow(calm ? calmMs : stepMs)
    operator.act(calm ? calmMs : stepMs)
    if (venue.feeds.some((feed) => feed.isDue(venue.now + stepMs)))
      for (const ring of rings) ring.turn({ phase: 'before-tick', isNearChange })
    const phase = venue.walk(stepMs) ? 'after-tick' : 'between'
    for (const ring of rings) ring.turn({ phase, isNearChange })
    crowd.act(calm ? random.between(0, 1) : random.between(1, 3))
  }
  dislocations?.clear()
  weather.clear()
  operator.clear()
  windDown(venue, { crowd, rings, dealers })
  return referee.verdict()
}

/** A quiet minute in which everyone who wants gets out: dealers take what there is at the price
 *  outside. */
function windDown(
  venue: Venue,
  { crowd, rings, dealers }: Readonly<{ crowd: Crowd; rings: readonly Ring[]; dealers: number[] }>,
): void {
  for (let at = 0; at < 30; at++) {
    if (at >= 6 && at % 4 === 2) deal(venue, dealers)
    if (at >= 6 && at % 4 === 3) for (const ring of rings) ring.windDown()
    crowd.act(1)
    venue.walk(2_000)
  }
}

const dealerDollars = 200_000_000

function deal(venue: Venue, dealers: readonly number[]): void {
  for (const dealer of dealers)
    for (const { market, raw } of venue.feeds) {
      const lots = Math.floor((4_000_000 * DOLLAR) / (raw * UNIT_VALUE))
      quote(venue, dealer, market, raw, { halfPpm: 20, levels: 2, stepPpm: 20, lots })
    }
}
