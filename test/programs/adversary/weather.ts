// Outside prices, and how their feeds behave: a walk with jumps, slides and wicks, stale feeds,
// sources that lie, and restarts of the process.

import type { Feed } from '../../support/venue/feed.ts'
import type { Venue } from '../../support/venue/venue.ts'
import type { Random } from '../differential/random.ts'
import type { Sources } from './outside/sources.ts'

type Sky = {
  readonly feed: Feed
  readonly sources: Sources
  readonly sigma: number
  readonly sleepy: boolean
  /** Until when it is stale, until when a lie is sent, and where a wick goes back to. */
  staleUntil: number
  lieUntil: number
  /** The lie ends with the tick that carries it. */
  isOneTick: boolean
  wickUntil: number
  wickBack: number
  /** It slides: part of it each second, and until when. */
  slide: number
  slideUntil: number
  /** In calm weather: which way it goes, as a part of it each second, and until when. */
  trend: number
  trendUntil: number
}

/** How often, for each market and minute. */
const perMinute = {
  jump: 0.7,
  slide: 0.5,
  wick: 0.4,
  silence: 0.3,
  lie: 0.25,
  badTick: 0.25,
  /** One source of several. */
  sourceLie: 0.3,
  sourceSilence: 0.3,
  restart: 0.06,
}
/** A start of the process right after a jump. */
const restartAtJump = 0.1
const minute = 60_000
/** Calm: parts a second, either way, for some minutes each; and what is left of its walk. */
const trends = [0, 0.000003, 0.00001, 0.00003]
const calmPart = 0.1

export class Weather {
  private readonly venue: Venue
  private readonly random: Random
  private readonly skies: readonly Sky[]
  private readonly listed: readonly number[]
  /** Nothing jumps, sleeps or lies, and the process never restarts. */
  private readonly isCalm: boolean
  /** By the present step. */
  private jumped = false

  constructor(venue: Venue, random: Random, isCalm: boolean) {
    this.venue = venue
    this.isCalm = isCalm
    this.random = random
    this.listed = venue.feeds.map(({ raw }) => raw)
    this.skies = venue.feeds.map((feed, at) => ({
      feed,
      sources: feed.ears as Sources,
      sigma: [0.00012, 0.0003, 0.0001][at] ?? 0.0002,
      // The last market is closed for long stretches, as gold is at the weekend.
      sleepy: at === venue.feeds.length - 1,
      staleUntil: 0,
      lieUntil: 0,
      isOneTick: false,
      wickUntil: 0,
      wickBack: 0,
      slide: 0,
      slideUntil: 0,
      trend: 0,
      trendUntil: 0,
    }))
  }

  /** Called before time advances by `ms`. */
  blow(ms: number): void {
    if (this.isCalm) {
      for (const [at, sky] of this.skies.entries()) this.breathe(sky, this.listed[at]!, ms)
      return
    }
    // Long steps do not mean long storms: the number of jumps depends on the number of commands.
    const part = Math.min(ms, 500) / minute
    // Nothing else happens to a market whose book is away from what its sources see.
    for (const [at, sky] of this.skies.entries())
      this.blowOne(sky, this.listed[at]!, ms, sky.feed.away === 0 ? part : 0)
    this.venue.publishWorld()
    if (
      this.jumped ? this.random.chance(restartAtJump) : this.random.chance(perMinute.restart * part)
    )
      this.restart()
    this.jumped = false
  }

  /** Immediately, or after some seconds in which another process takes the lead. */
  private restart(): void {
    const { venue, random } = this
    if (random.chance(0.5)) venue.now += random.between(500, 10_000)
    venue.restart()
  }

  /** A price that goes one way for some minutes, slowly, and then another. */
  private breathe(sky: Sky, listed: number, ms: number): void {
    const { random } = this
    const { feed } = sky
    if (this.venue.now >= sky.trendUntil) {
      sky.trendUntil = this.venue.now + random.between(5, 40) * minute
      const back = Math.sign(listed - feed.raw)
      const way = Math.abs(feed.raw - listed) > listed / 20 ? back : random.pick([-1, 1])
      sky.trend = random.pick(trends) * way
    }
    const noise = (random.next() + random.next() - 1) * 2.4 * sky.sigma * calmPart
    feed.raw = Math.round(feed.raw * (1 + (sky.trend * ms) / 1_000 + noise))
  }

  private blowOne(sky: Sky, listed: number, ms: number, part: number): void {
    const { random } = this
    const { now } = this.venue
    const { feed } = sky
    const steps = Math.sqrt(Math.min(ms, 5_000) / 1_000)
    // Pulled back to where it began, so that no world runs away.
    const pull = (listed - feed.raw) / listed / 2_000
    let raw = feed.raw * (1 + pull + (random.next() + random.next() - 1) * 2.4 * sky.sigma * steps)
    if (sky.wickUntil !== 0 && now >= sky.wickUntil) {
      raw = sky.wickBack
      sky.wickUntil = 0
    }
    if (now < sky.slideUntil) raw *= 1 + (sky.slide * Math.min(ms, sky.slideUntil - now)) / 1_000
    else if (random.chance(perMinute.slide * part)) {
      sky.slideUntil = now + random.between(500, 5_000)
      sky.slide = (this.leap() * 1_000) / (sky.slideUntil - now)
    }
    if (random.chance(perMinute.jump * part)) {
      raw *= 1 + this.leap()
      this.jumped = true
    } else if (sky.wickUntil === 0 && random.chance(perMinute.wick * part)) {
      sky.wickBack = raw
      sky.wickUntil = now + random.between(500, 8_000)
      raw *= 1 + this.leap()
    }
    feed.raw = Math.round(Math.max(listed / 4, Math.min(listed * 3, raw)))
    this.hush(sky, part)
  }

  private hush(sky: Sky, part: number): void {
    const { random } = this
    const { now } = this.venue
    const { feed } = sky
    if (random.chance(perMinute.silence * part * (sky.sleepy ? 4 : 1))) {
      const longest = sky.sleepy ? 600_000 : 90_000
      sky.staleUntil = now + random.between(4_000, longest)
    }
    // A lie ends once it was sent.
    if (now >= sky.lieUntil || (sky.isOneTick && feed.sent === feed.lie)) feed.lie = null
    const isOneTick = random.chance(perMinute.badTick * part)
    if (feed.lie === null && (isOneTick || random.chance(perMinute.lie * part))) {
      feed.lie = Math.round(feed.raw * (1 + this.leap()))
      sky.lieUntil = now + random.between(100, 7_000)
      sky.isOneTick = isOneTick
    }
    feed.isStale = now < sky.staleUntil
    this.confuse(sky, part)
  }

  /** One source of several lies or says nothing. */
  private confuse({ sources }: Sky, part: number): void {
    const { random } = this
    const until = this.venue.now + random.between(500, 20_000)
    if (random.chance(perMinute.sourceLie * part))
      sources.lie(random.below(4), Math.round(this.leap() * 1_000_000), until)
    if (random.chance(perMinute.sourceSilence * part)) sources.mute(random.below(4), until)
  }

  /** Up to 30 % either way, small ones more often. */
  private leap(): number {
    const size = 0.01 + 0.29 * this.random.next() * this.random.next()
    return this.random.chance(0.5) ? size : -size
  }

  /** A calm end: every feed speaks, and says the truth. */
  clear(): void {
    for (const { feed, sources } of this.skies) {
      sources.clear()
      feed.isStale = false
      feed.lie = null
    }
  }
}
