// The connection of one configured source. It is kept alive, and reopened when it is lost, idle or
// closed by the server. All messages are parsed, counted and thinned. No message can stop it, and
// it does not evaluate prices.

import type { Timers } from '../timers.ts'
import { Backoff } from './backoff.ts'
import { exactJson } from './exact-json.ts'
import { type Received, Thinner } from './thinner.ts'
import type { Heard, Quote, Ticker } from './ticker.ts'
import type { Address, OpenWire, Wire } from './wires/wire.ts'

const connectMsMax = 10_000
/** A connection without any data for this time is considered lost, even if the socket is open. */
const quietMsMax = 30_000
/** After this time in ms without prices, the server is assumed to have lost the subscriptions. */
const pricelessMsMax = 60_000
/** Maximum difference between the other side's clock and ours. */
const clockMsMax = 10_000
/** Maximum number of stored reasons per connection, because a source can send any number. */
const refusalsMax = 16

export type ConnectionState = 'connecting' | 'connected' | 'waiting' | 'closed'

/** Status of a connection, and counters since the start. */
export type ConnectionHealth = Readonly<{
  state: ConnectionState
  /** Wall time of the last message; `null` if there was none. */
  heardAtMs: number | null
  messages: number
  /** Messages that are malformed, or of symbols that were not requested. */
  garbage: number
  /** Messages that were not parsed because too many arrived. */
  thinned: number
  /** Quotes whose own time differs too much from our clock. Freshness of their price is based on
   *  the arrival, but the observation is as old as their time. */
  clockOff: number
  /** Number of lost connections and failed attempts. */
  reconnects: number
  /** Why the last connection was lost, or what was refused; `null` if nothing. */
  fault: string | null
  /** Reasons of the source for refusing subscriptions of the newest connection. */
  refusals: readonly string[]
}>

export type ConnectionParts = Readonly<{
  ticker: Ticker
  symbols: readonly string[]
  address: Address
  open: OpenWire
  wall: () => number
  monotonic: () => number
  timers: Timers
  random: () => number
  /** Called with quotes of requested symbols, at most ten a second for each. */
  onQuote: (quote: Received) => void
  /** Called for log messages. Repeated failures with the same reason are not reported. */
  note: (what: 'connected' | 'lost' | 'refused', why: string) => void
}>

export class Connection {
  private readonly parts: ConnectionParts
  private readonly backoff: Backoff
  private readonly thinner: Thinner
  private readonly counts = { messages: 0, garbage: 0, thinned: 0, clockOff: 0, reconnects: 0 }
  private state: ConnectionState = 'closed'
  private fault: string | null = null
  private refusals: string[] = []
  private heardAt: number | null = null
  private wire: Wire | null = null
  /** Incremented for each wire, so that data from an old wire is ignored. */
  private turn = 0
  private openedAt = 0
  private livedAt = 0
  private pricedAt = 0
  private clearWatch: () => void = () => undefined
  private clearKeepAlive: () => void = () => undefined

  constructor(parts: ConnectionParts) {
    const { symbols, wall, timers, onQuote } = parts
    this.parts = parts
    this.backoff = new Backoff(parts.random)
    this.thinner = new Thinner({ symbols: symbols.length, wall, timers, onQuote })
  }

  get health(): ConnectionHealth {
    const { state, fault, counts, heardAt, refusals } = this
    return { state, heardAtMs: heardAt, ...counts, fault, refusals }
  }

  start(): void {
    const { address, open, wall, timers } = this.parts
    const turn = ++this.turn
    const isNow = () => turn === this.turn
    this.state = 'connecting'
    this.openedAt = wall()
    this.clearWatch = timers.after(connectMsMax, () => this.lose('no connection in time'))
    try {
      this.wire = open(address, {
        opened: () => isNow() && this.opened(),
        said: (text, sentAtMs) => isNow() && this.said(text, sentAtMs),
        stirred: () => isNow() && this.lives(),
        ended: (why) => isNow() && this.lose(why),
      })
    } catch (error) {
      // An invalid address is treated like one that does not answer.
      this.lose((error as Error).message)
    }
  }

  close(): void {
    this.end('closed')
    this.thinner.close()
  }

  private opened(): void {
    const { ticker, symbols, wall, note } = this.parts
    this.state = 'connected'
    this.refusals = []
    this.openedAt = this.livedAt = this.pricedAt = wall()
    this.clearWatch()
    this.watch()
    this.keepAlive()
    note('connected', '')
    for (const text of ticker.subscriptions(symbols)) this.wire?.send(text)
  }

  private keepAlive(): void {
    const { keepAlive } = this.parts.ticker
    if (keepAlive === null) return
    this.clearKeepAlive = this.parts.timers.after(keepAlive.everyMs, () => {
      this.wire?.send(keepAlive.text)
      this.keepAlive()
    })
  }

  /** Schedules the next check at the earlier of the two timeouts. */
  private watch(): void {
    const { wall, timers } = this.parts
    const now = wall()
    const quietIn = this.livedAt + quietMsMax - now
    const pricelessIn = this.pricedAt + pricelessMsMax - now
    if (quietIn <= 0) return this.lose(`no data for ${quietMsMax / 1_000} s`)
    if (pricelessIn <= 0) return this.lose(`no price for ${pricelessMsMax / 1_000} s`)
    // Limited, so that a clock that was set back does not disable the check for long.
    const wait = Math.min(quietIn, pricelessIn, quietMsMax)
    this.clearWatch = timers.after(wait, () => this.watch())
  }

  private lives(): void {
    this.livedAt = this.parts.wall()
  }

  private said(text: string, sentAtMs: number | null): void {
    this.lives()
    this.heardAt = this.livedAt
    this.counts.messages += 1
    if (!this.thinner.takesMessage(text.length)) {
      this.counts.thinned += 1
      return
    }
    const heard = this.heardIn(text)
    switch (heard?.kind) {
      case undefined:
        this.counts.garbage += 1
        return
      case 'prices':
        for (const quote of heard.quotes) this.take(quote, quote.atMs ?? sentAtMs)
        return
      case 'refused':
        return this.refused(shortOf(heard.why))
      case 'ends':
        return this.lose(heard.why)
    }
  }

  private heardIn(text: string): Heard | null {
    const { ticker, symbols } = this.parts
    if (ticker.pong !== undefined && text === ticker.pong) return { kind: 'idle' }
    const message = exactJson(text)
    try {
      return message === undefined ? null : ticker.read(message, symbols)
    } catch {
      // A message that makes the parser throw is counted as garbage, because messages must not stop
      // the exchange.
      return null
    }
  }

  /** Logs each reason once per connection. */
  private refused(why: string): void {
    this.fault = why
    const { refusals } = this
    if (refusals.includes(why) || refusals.length >= refusalsMax) return
    this.refusals = [...refusals, why]
    this.parts.note('refused', why)
  }

  private take(quote: Quote, saidAtMs: number | null): void {
    if (!this.parts.symbols.includes(quote.symbol)) {
      this.counts.garbage += 1
      return
    }
    const now = this.parts.wall()
    if (saidAtMs !== null && Math.abs(saidAtMs - now) > clockMsMax) this.counts.clockOff += 1
    this.pricedAt = now
    this.thinner.take({ ...quote, receivedMs: now, receivedAt: this.parts.monotonic() })
  }

  private lose(why: string): void {
    const { wall, timers, note } = this.parts
    const wasConnected = this.state === 'connected'
    const isNews = wasConnected || this.fault !== shortOf(why)
    this.counts.reconnects += 1
    this.fault = shortOf(why)
    this.end('waiting')
    const wait = this.backoff.next(wasConnected ? wall() - this.openedAt : 0)
    this.clearWatch = timers.after(wait, () => this.start())
    if (isNews) note('lost', this.fault)
  }

  private end(state: 'waiting' | 'closed'): void {
    this.state = state
    this.turn += 1
    this.clearWatch()
    this.clearKeepAlive()
    this.wire?.close()
    this.wire = null
  }
}

/** Shortens and sanitizes external text of any length and characters, because it is shown on
 *  terminals. */
const shortOf = (why: string) => why.slice(0, 200).replace(/[^ -~]/g, '?')
