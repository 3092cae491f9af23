// A world with a stolen key: two markets, makers in one, both or none, an account whose key has a
// policy, and a thief with a friend. The loss of the account is compared with the sum that
// docs/api/keys.md names for a stolen key.

import { anything } from '../../../support/key-scene.ts'
import { DOLLAR, type Edition, type MarketPlan } from '../../../support/venue/edition.ts'
import { quote } from '../../../support/venue/quoting.ts'
import { Venue } from '../../../support/venue/venue.ts'
import { Random } from '../../differential/random.ts'
import { Weather } from '../weather.ts'
import type { Plot } from './theft.ts'
import { KEY, lotAt, type Policy, Thief } from './thief.ts'

const PPM = 1_000_000
const takerPpm = 400
const dayMs = 86_400_000
const stepMs = 500

export type StolenPlan = Readonly<{ edition: Edition; seed: number; turns: number; plot: Plot }>

export type Stolen = Readonly<{
  commands: number
  /** Micro-dollars, at marks. */
  lost: number
  /** The sum of the page for the days of the world. */
  sum: number
  /** What marks moved, on the largest position that is allowed or the one that is held. */
  moved: number
}>

export function takesTooMuch({ lost, sum, moved }: Stolen): boolean {
  return lost > sum + moved
}

const market: MarketPlan = {
  symbol: 'BTC',
  leverageMax: 50,
  tiers: [[2_000_000, 20]],
  speedBumpMs: 0,
  interestDollars: 100_000_000,
  impactDollars: 6_000,
  backstopDollars: 1_000_000,
  backstopLossDollars: 1_000_000,
}

export function policyOf(random: Random): Policy {
  const maxPositionValue = random.pick([2_000, 10_000, 50_000]) * DOLLAR
  return {
    ...anything,
    maxPositionValue,
    maxOrderValue: random.pick([null, maxPositionValue]),
    maxSlippagePpm: random.pick([2_000, 10_000, 30_000]),
    maxDailyLoss: random.pick([50, 200, 1_000]) * DOLLAR,
    markets: random.pick([null, [1, 2], [1]]),
  }
}

function sumOf(policy: Policy, listed: number, days: number): number {
  const markets = policy.markets?.length ?? listed
  const { maxDailyLoss, maxSlippagePpm, maxPositionValue } = policy
  const there = ((maxSlippagePpm + takerPpm) * maxPositionValue) / PPM
  return days * (maxDailyLoss + markets * 3 * there)
}

export function playStolen({ edition, seed, turns, plot }: StolenPlan): Stolen {
  const random = new Random(seed)
  const venue = new Venue(edition)
  const speedBumpMs = random.pick([0, 200])
  for (const symbol of ['BTC', 'ALT']) venue.list({ ...market, symbol, speedBumpMs })
  venue.deposit('insurance', 5_000_000)
  const account = venue.deposit('owner', 2_000_000)
  const friend = venue.deposit('friend', 2_000_000)
  const makers = [0, 1].map((at) => venue.deposit(`maker-${at}`, 20_000_000))
  const quoted = venue.feeds.filter(() => random.chance(0.5))
  const policy = policyOf(random)
  const bound = { agent: KEY, scopes: ['trade', 'margin'], policy }
  // Some worlds have a midnight in them.
  if (random.chance(0.3)) venue.now += 3_600_000 - stepMs * Math.floor(turns / 2)
  for (let ticks = 0; ticks < 6; ticks++) venue.step(3_000)
  venue.run({ type: 'BindAgent', account, proof: null, ...bound })
  const weather = random.chance(0.5) ? null : new Weather(venue, random, true)
  const thief = new Thief(venue, { account, friend, policy }, plot)
  const began = venue.equityOf(account)
  const firstDay = Math.floor(venue.now / dayMs)
  const most = venue.feeds.map(
    ({ market }) => policy.maxPositionValue / lotAt(venue.markOf(market)),
  )
  let marks = venue.feeds.map(({ market }) => venue.markOf(market))
  let moved = 0
  for (let turn = 0; turn < turns; turn++) {
    weather?.blow(stepMs)
    for (const { market, raw } of quoted)
      quote(venue, makers[turn % 2]!, market, raw, {
        halfPpm: 200,
        levels: 2,
        stepPpm: 300,
        lots: 20,
      })
    venue.step(stepMs)
    for (let made = 0; made < 3; made++) thief.turn()
    for (const [at, { market }] of venue.feeds.entries()) {
      const mark = venue.markOf(market)
      const held = Math.abs(venue.view.positions.lotsOf(account, market))
      moved += Math.abs(lotAt(mark) - lotAt(marks[at]!)) * Math.max(held, most[at]!)
    }
    marks = venue.feeds.map(({ market }) => venue.markOf(market))
  }
  const days = Math.floor(venue.now / dayMs) - firstDay + 1
  const lost = began - venue.equityOf(account)
  return { commands: venue.seq, lost, sum: sumOf(policy, venue.feeds.length, days), moved }
}
