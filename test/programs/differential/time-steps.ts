// How time passes from one command to the next: mostly little, sometimes long enough for feeds to
// go stale, for an hour to pass, for a day to end. Funding worlds walk in five-second steps with
// ticks in time, because a rate needs up to 360 samples in its hour.

import type { KnownMarket } from './known.ts'
import type { Made, Making } from './making.ts'
import { oracleTick } from './markets/oracle-ticks.ts'

const SAMPLE_MS = 5_000
const SILENCE_MS = 10_000
/** No feed spans this with a tick. */
const LONG_MS = 20_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** Moves the time; gives the tick that keeps a feed alive, where the world wants one. */
export function advance(making: Making): Made | undefined {
  if (making.world.profile === 'funding') return fundingStep(making)
  const step = stepOf(making)
  const late = step < LONG_MS ? staleAt(making, making.atMs + step) : undefined
  if (late !== undefined && making.random.chance(0.93)) {
    // As a feed would have sent it: in time.
    const due = late.lastTickMs + Math.min(3_000, Math.floor((2 * late.staleAfterMs) / 3))
    making.atMs = Math.min(making.atMs + step, Math.max(making.atMs, due))
    return oracleTick(making, late)
  }
  making.atMs += step
  return undefined
}

/** A live market whose price will be too old by then. */
function staleAt({ picture }: Making, atMs: number): KnownMarket | undefined {
  for (const market of picture.markets.values()) {
    const { health, settled, lastTickMs, staleAfterMs } = market
    if (health === 'live' && !settled && atMs - lastTickMs > staleAfterMs) return market
  }
  return undefined
}

function fundingStep(making: Making): Made | undefined {
  const { random, world } = making
  const next = (Math.floor(making.atMs / SAMPLE_MS) + 1) * SAMPLE_MS
  // The first hour and every other: there a rate is reached soon, in between one trades more.
  const hours = Math.floor(making.atMs / HOUR_MS) - Math.floor(world.startMs / HOUR_MS)
  if (hours % 2 === 0 && random.chance(0.995)) return hurriedStep(making, next)
  const due = overdueAt(making, making.atMs + SAMPLE_MS)
  if (due !== undefined && random.chance(0.995)) return oracleTick(making, due)
  const kind = random.weighted({ sample: 84, none: 14, inside: 2 })
  if (kind === 'sample') making.atMs = next
  if (kind === 'inside') making.atMs = random.between(making.atMs, next)
  if (kind !== 'none' && random.chance(0.0004)) making.atMs += stepOf(making)
  return undefined
}

/** Nearly every command is a tick of the first market, at the next point at which it samples; the
 *  others are kept alive. */
function hurriedStep(making: Making, next: number): Made | undefined {
  const first = [...making.picture.markets.values()].find(({ settled }) => !settled)
  const late = overdueAt(making, next)
  if (late !== undefined) return oracleTick(making, late)
  if (making.random.chance(0.12)) return undefined
  making.atMs = next
  return first === undefined ? undefined : oracleTick(making, first)
}

/** A market whose feed will have sent nothing for too long by then. */
function overdueAt({ picture }: Making, atMs: number): KnownMarket | undefined {
  const markets = [...picture.markets.values()]
  return markets.find(({ settled, lastTickMs }) => !settled && atMs - lastTickMs > SILENCE_MS)
}

function stepOf({ random, atMs, world, picture }: Making): number {
  const days = world.profile === 'days'
  const kind = random.weighted({
    none: 45,
    little: 41,
    second: 10,
    slice: 2.5,
    silence: 0.5,
    minute: 0.1,
    hour: days ? 0.15 : 0.04,
    day: days ? 0.15 : 0.02,
  })
  // A waiting order is released exactly at the end of its speed bump: meet that moment often.
  const bump = [...picture.markets.values()][0]?.params.speedBumpMs ?? 0
  switch (kind) {
    case 'none':
      return 0
    case 'little':
      return random.chance(0.1) ? bump : random.between(1, 120)
    case 'second':
      return random.between(100, 1_500)
    case 'slice':
      return random.between(1_500, 8_000)
    case 'silence':
      return random.pick([4_499, 4_500, 4_501, random.between(1_000, 20_000)])
    case 'minute':
      return random.between(59_000, 130_000)
    case 'hour':
      return Math.max(0, HOUR_MS - (atMs % HOUR_MS) + random.between(-2, 2_000))
    case 'day':
      return DAY_MS * random.pick([1, 1, 1, 3]) - (atMs % DAY_MS) + random.below(DAY_MS)
  }
}
