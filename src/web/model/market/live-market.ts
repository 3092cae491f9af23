// The selected market: order book, tape and candles. They change more often than the screen, so
// they are plain data with listeners, drawn once per frame.

import { type Signal, signal } from '@preact/signals'
import type { Client } from '../../../client/client.ts'
import type { GridStep } from '../../../units/decimal.ts'
import type { Level, Side } from './book-rows.ts'
import { Candles } from './candles.ts'
import { numberOnGrid } from './market-grid.ts'
import { Tape } from './tape.ts'

type Sides = readonly [bids: readonly Level[], asks: readonly Level[]]

export class LiveMarket {
  readonly tape = new Tape()
  readonly candles: Candles
  /** Whether the shown data may be stale, because the connection is lost or late. */
  readonly stale: Signal<boolean> = signal(true)
  /** Whether the book is requested again, because of a gap or a wrong checksum. */
  readonly repairing: Signal<boolean> = signal(false)
  private read: Sides = [[], []]
  private unread: (() => Sides) | null = null
  private readonly listeners = new Set<() => void>()

  constructor(client: Client) {
    this.candles = new Candles(({ kind, symbol, interval, start, end }) => {
      const wish = { symbol, interval, start_time: start, end_time: end }
      return kind === 'trade' ? client.getCandles(wish) : client.getMarkCandles(wish)
    })
  }

  /** Levels of a side, best first. */
  levels(side: Side): readonly Level[] {
    return this.sides()[side === 'bid' ? 0 : 1]
  }

  publishBook(bids: readonly Level[], asks: readonly Level[]): void {
    this.scheduleBook(() => [bids, asks])
  }

  /** Schedules drawing. `read` is called when needed, and returns bids and asks, best first. */
  scheduleBook(read: () => Sides): void {
    this.unread = read
    for (const listener of this.listeners) listener()
  }

  /** Marks the book as inconsistent. The last drawing stays, greyed, until the book is repaired. */
  publishBroken(): void {
    this.repairing.value = true
    this.unread = null
  }

  private sides(): Sides {
    if (this.unread !== null) this.read = this.unread()
    this.unread = null
    return this.read
  }

  onBook(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  spread(): number | null {
    const bid = this.levels('bid')[0]
    const ask = this.levels('ask')[0]
    return bid === undefined || ask === undefined ? null : ask.price - bid.price
  }

  /** Best price of a side, or the middle of both, on the grid. */
  best(which: Side | 'mid', tick: GridStep): string | null {
    const bid = this.levels('bid')[0]?.price
    const ask = this.levels('ask')[0]?.price
    const price = which === 'bid' ? bid : which === 'ask' ? ask : middle(bid, ask)
    return price === undefined ? null : numberOnGrid(price, tick)
  }
}

function middle(bid: number | undefined, ask: number | undefined): number | undefined {
  return bid === undefined || ask === undefined ? undefined : (bid + ask) / 2
}
