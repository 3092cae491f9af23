// Limits the cost of message bursts. In a tenth of a second a maximum number and length of messages
// is parsed. The newest price of each symbol is passed on up to ten times per second. The last
// price of a burst is never lost.

import type { Timers } from '../timers.ts'
import type { Quote } from './ticker.ts'

/** A quote and the time of its receipt. */
export type Received = Quote &
  Readonly<{
    /** Wall time of the receipt. */
    receivedMs: number
    /** Time of the receipt on the monotonic clock. */
    receivedAt: number
  }>

export const apartMs = 100
const messagesMax = 8
const messagesMaxPerSymbol = 4
const charactersMax = 64 * 1024

export type ThinnerParts = Readonly<{
  symbols: number
  wall: () => number
  timers: Timers
  onQuote: (quote: Received) => void
}>

export class Thinner {
  private readonly parts: ThinnerParts
  private readonly waiting = new Map<string, Received>()
  private windowFrom = Number.NEGATIVE_INFINITY
  private messages = 0
  private characters = 0
  private flushedAt = Number.NEGATIVE_INFINITY
  private clear: (() => void) | null = null

  constructor(parts: ThinnerParts) {
    this.parts = parts
  }

  /** Whether to parse another message of this length now. Always true for the first one. */
  takesMessage(length: number): boolean {
    const now = this.parts.wall()
    if (now - this.windowFrom >= apartMs || now < this.windowFrom) {
      this.windowFrom = now
      this.messages = 0
      this.characters = 0
    }
    this.messages += 1
    this.characters += length
    if (this.messages === 1) return true
    const most = messagesMax + messagesMaxPerSymbol * this.parts.symbols
    return this.messages <= most && this.characters <= charactersMax
  }

  /** Adds a quote of a requested symbol. Other symbols are not accepted, so that their number is
   *  bounded. */
  take(quote: Received): void {
    this.waiting.set(quote.symbol, quote)
    if (this.clear !== null) return
    const since = this.parts.wall() - this.flushedAt
    if (since >= apartMs || since < 0) return this.flush()
    this.clear = this.parts.timers.after(apartMs - since, () => this.flush())
  }

  close(): void {
    this.clear?.()
    this.clear = null
    this.waiting.clear()
  }

  private flush(): void {
    this.clear = null
    this.flushedAt = this.parts.wall()
    const quotes = [...this.waiting.values()]
    this.waiting.clear()
    for (const quote of quotes) this.parts.onQuote(quote)
  }
}
