// Books that leave what the sources see. All makers of a market move their quotes by some percent,
// and stay there for a while: they are right, and the sources are not. Then the index comes to the
// book, or the book to the index.

import type { Feed } from '../../../support/venue/feed.ts'
import type { Venue } from '../../../support/venue/venue.ts'
import type { Random } from '../../differential/random.ts'
import type { Crowd } from '../crowd.ts'

/** What is under way in a market; counted in steps of its world. */
type Dislocation = {
  readonly feed: Feed
  /** The index comes to the book. */
  readonly comesTrue: boolean
  steps: number
  meetsAfter: number
  /** In how many steps the two meet. */
  meetsIn: number
}

/** How often, for each market and minute. */
const perMinute = 0.6
const minute = 60_000
/** In steps. */
const settledAfter = 20

export class Dislocations {
  private readonly venue: Venue
  private readonly crowd: Crowd
  private readonly random: Random
  private open: readonly Dislocation[] = []

  constructor(venue: Venue, crowd: Crowd, random: Random) {
    this.venue = venue
    this.crowd = crowd
    this.random = random
  }

  /** Called before time advances by `ms`. */
  blow(ms: number): void {
    // Equally often for a number of commands, however long a step is.
    const part = Math.min(ms, 500) / minute
    for (const feed of this.venue.feeds)
      if (feed.away === 0 && this.random.chance(perMinute * part)) this.begin(feed)
    for (const one of this.open) this.goOn(one)
    this.open = this.open.filter(({ feed }) => feed.away !== 0)
  }

  private begin(feed: Feed): void {
    const { random, crowd } = this
    const isQuiet = feed.lie === null && !feed.isStale
    if (!isQuiet || !crowd.isMade(feed.market)) return
    feed.away = (0.02 + 0.06 * random.next()) * (random.chance(0.5) ? 1 : -1)
    const plan = { meetsAfter: random.between(40, 200), meetsIn: random.between(1, 120) }
    this.open = [...this.open, { feed, comesTrue: random.chance(0.5), steps: 0, ...plan }]
    this.venue.publishWorld()
    crowd.requote(feed.market)
  }

  private goOn(one: Dislocation): void {
    const { feed, comesTrue, steps } = one
    one.steps += 1
    // Orders in the way of the first quotes are taken by then.
    if (steps < settledAfter && steps % 4 === 3) this.crowd.requote(feed.market)
    if (steps < one.meetsAfter) return
    const { fair } = feed
    feed.away -= feed.away / one.meetsIn
    one.meetsIn -= 1
    if (comesTrue) feed.raw = Math.round(fair / (1 + feed.away))
    this.venue.publishWorld()
    if (feed.away === 0) this.crowd.requote(feed.market)
  }

  /** A calm end: the two meet. */
  clear(): void {
    for (const one of this.open) {
      one.meetsAfter = 0
      one.meetsIn = 1
      this.goOn(one)
    }
    this.open = []
  }
}
