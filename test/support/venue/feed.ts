// The feed of one market: it knows the price outside and sends it when its edition's cadence says.

import type { Plain } from './commands.ts'
import type { Cadence } from './edition.ts'

const PPM = 1_000_000

export class Feed {
  readonly market: number
  /** The price outside, in whole ticks. */
  raw: number
  /** It hears nothing from outside, and sends nothing. */
  isSilent = false
  /** What a source that lies says instead; null: nobody lies. */
  lie: number | null = null
  /** What its last tick said. */
  sent: number
  private readonly cadence: Cadence
  private sentAt: number
  private firstLeft = 0

  constructor(cadence: Cadence, market: number, raw: number, atMs: number) {
    this.cadence = cadence
    this.market = market
    this.raw = raw
    this.sent = raw
    this.sentAt = atMs
  }

  restarted(atMs: number): void {
    this.firstLeft = this.cadence.firstTicks
    this.sentAt = atMs
  }

  /** When the next one comes if the price stays where it is. */
  get nextAt(): number {
    const { everyMs, firstApartMs } = this.cadence
    return this.sentAt + (this.firstLeft > 0 ? firstApartMs : everyMs)
  }

  isDue(now: number): boolean {
    if (this.isSilent) return false
    if (now >= this.nextAt) return true
    const { atOncePpm, apartMs } = this.cadence
    if (atOncePpm === null || now < this.sentAt + apartMs) return false
    return Math.abs(this.told() - this.sent) * PPM >= atOncePpm * this.sent
  }

  tick(now: number): Plain {
    this.sent = this.told()
    this.sentAt = now
    this.firstLeft = Math.max(0, this.firstLeft - 1)
    const price = this.sent * 1_000_000
    return { type: 'OracleTick', market: this.market, price, external: null, jump: false }
  }

  private told(): number {
    return Math.max(1_000, Math.round(this.lie ?? this.raw))
  }
}
