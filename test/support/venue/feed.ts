// The feed of one market: what it hears of the price outside, and when it sends that as a tick. The
// tick is built here and nowhere else.

import type { Plain } from './commands.ts'
import type { Cadence } from './edition.ts'

const PPM = 1_000_000
const MICRO = 1_000_000
const priceMin = 1_000

/** A price in millionths of a tick, and the engine time at which sources with more than half of the
 *  weight had observed it or a newer one. */
export type Heard = Readonly<{ price: number; observedAt: number }>

/** How a feed learns the price outside. */
export type Ears = Readonly<{
  /** The price outside is this from now on. */
  moved(price: number, now: number): void
  /** `null`: no price. */
  heard(now: number): Heard | null
  /** The first instant after this one at which it may hear something new. */
  nextAt(now: number): number
  restarted(now: number): void
}>

/** Knows every price immediately. */
function perfectEars(price: number): Ears {
  let world = price
  return {
    moved: (price) => {
      world = price
    },
    heard: (now) => ({ price: world * MICRO, observedAt: now }),
    nextAt: () => Number.POSITIVE_INFINITY,
    restarted: () => {},
  }
}

export class Feed {
  readonly market: number
  /** The price outside, in whole ticks. */
  raw: number
  /** It hears nothing from outside, and sends nothing. */
  isStale = false
  /** What most sources say instead of the price outside; `null`: no lie. */
  lie: number | null = null
  /** How far the honest traders of this market, who are right, are from what the sources see, as a
   *  part of it. */
  away = 0
  /** Price of its last tick. */
  sent: number
  /** Arrival of an order that waits for a tick; `null`: none waits. */
  awaitedSince: number | null = null
  /** It sends a tick for orders that wait for one. */
  answersOrders = true
  ears: Ears
  private readonly cadence: Cadence
  private sentAt: number
  private firstLeft = 0
  private seen: number
  private published: number
  private publishedAway = false

  constructor(cadence: Cadence, market: number, raw: number, atMs: number) {
    this.cadence = cadence
    this.market = market
    this.raw = raw
    this.sent = raw
    this.sentAt = atMs
    this.seen = raw
    this.published = raw
    this.ears = perfectEars(raw)
  }

  restarted(atMs: number): void {
    this.firstLeft = this.cadence.firstTicks
    this.sentAt = atMs
    this.ears.restarted(atMs)
  }

  /** What the sources see. */
  get outside(): number {
    return Math.max(priceMin, Math.round(this.lie ?? this.raw))
  }

  /** What honest traders quote around. */
  get fair(): number {
    return Math.max(priceMin, Math.round(this.raw * (1 + this.away)))
  }

  /** The price of the world: what honest traders know, unless the majority of sources lies. */
  get world(): number {
    return this.lie === null ? this.fair : this.outside
  }

  /** The price of the world, if it has moved since it was last published, or if the sources have
   *  left it or come back. */
  publish(now: number): number | null {
    const { outside, world } = this
    if (outside !== this.seen) this.ears.moved(outside, now)
    this.seen = outside
    const isAway = this.away !== 0
    if (world === this.published && isAway === this.publishedAway) return null
    this.published = world
    this.publishedAway = isAway
    return world
  }

  /** When the next one comes if the price stays where it is. */
  get nextAt(): number {
    const { everyMs, firstApartMs } = this.cadence
    return this.sentAt + (this.firstLeft > 0 ? firstApartMs : everyMs)
  }

  /** The next instant at which a tick may be due. */
  nextLookAt(now: number): number {
    if (this.isStale) return Number.POSITIVE_INFINITY
    const { nextAt } = this
    const apart = this.sentAt + this.cadence.apartMs
    const next = Math.min(nextAt > now ? nextAt : Number.POSITIVE_INFINITY, this.ears.nextAt(now))
    return apart > now ? Math.min(apart, next) : next
  }

  isDue(now: number): boolean {
    const heard = this.isStale ? null : this.ears.heard(now)
    if (heard === null) return false
    if (now >= this.nextAt) return true
    const { jumpPpm, apartMs } = this.cadence
    if (jumpPpm === null || now < this.sentAt + apartMs) return false
    if (this.answersOrders && this.awaitedSince !== null && heard.observedAt >= this.awaitedSince)
      return true
    return Math.abs(heard.price / MICRO - this.sent) * PPM >= jumpPpm * this.sent
  }

  /** To be called when it is due. */
  tick(now: number): Plain {
    const { price, observedAt } = this.ears.heard(now)!
    this.sent = price / MICRO
    this.sentAt = now
    this.firstLeft = Math.max(0, this.firstLeft - 1)
    const observedAtMs = Math.min(now, observedAt)
    const { market } = this
    return { type: 'OracleTick', market, price, observedAtMs, jump: false }
  }
}
