// A day of stops: 60 longs of 20,000 to 61,000 dollars, each with a market stop near the price, a
// book of 20,000 dollars a level that is quoted again after each tick, ticks three seconds apart,
// and a price that falls within 20 seconds.

import type { Event, EventLog } from '../../../src/core/index.ts'
import { type Edition, START_TICKS } from '../venue/edition.ts'
import { btc, Day, lotsFor, minute } from './day.ts'

export const fallsPercent = [3, 6, 10] as const

export type StopFigures = Readonly<{
  /** Lots of traders whose stop fired, and how many of them were sold by it. */
  fired: number
  sold: number
  /** From the first stop that fired to the last lot sold. */
  seconds: number
  /** Mean price of what was sold against its stop's price. */
  fromStop: number
  /** Traders whose stop fired and that still have a position at the end. */
  left: number
}>

const traders = 60
const tickMs = 3_000
const fallMs = 20_000
const afterMs = 10 * minute
const book = { halfPpm: 300, levels: 20, stepPpm: 1_200, lots: lotsFor(20_000) }

type Trader = { readonly account: number; readonly stopPrice: number; lots: number }

export function stopFigures(edition: Edition, fallPercent: number): StopFigures {
  const day = new Day({ edition, seed: 11, markets: [btc], fund: 1_000_000, reserve: 1_000_000 })
  const house = day.maker(50_000_000)
  const list = Array.from({ length: traders }, (_, at) => openTrader(day, house, at))
  const sales = new Sales(day, list)
  const feed = day.feed(1)
  // Ticks come by the clock alone, whatever waits for them.
  feed.answersOrders = false
  day.begin()
  const start = day.venue.now
  while (day.venue.now < start + fallMs + afterMs) {
    const part = Math.min(1, (day.venue.now - start) / fallMs)
    feed.raw = Math.round(START_TICKS * (1 - (fallPercent / 100) * part))
    day.quoteAll(1, book, feed.sent)
    day.venue.walk(tickMs)
  }
  return sales.figures()
}

function openTrader(day: Day, house: number, at: number): Trader {
  const { venue } = day
  const dollars = 20_000 + Math.floor((41_000 * at) / (traders - 1))
  const account = day.trader(`stop-${at}`, dollars)
  day.open(1, account, house, dollars)
  const stopPrice = Math.round(START_TICKS * (1 - 0.003 - 0.0001 * at))
  const level = { stopPrice, limitPrice: null, size: null, triggerBy: 'mark', clientOrderId: null }
  const own = { account, proof: null, market: 1 }
  venue.run({ type: 'PlaceStop', ...own, side: 'ask', reduceOnly: true, level })
  return { account, stopPrice, lots: venue.view.positions.lotsOf(account, 1) }
}

class Sales {
  private readonly day: Day
  private readonly traders: ReadonlyMap<number, Trader>
  private readonly fired = new Set<number>()
  private firstAt = 0
  private lastAt = 0
  private sold = 0
  private distance = 0

  constructor(day: Day, list: readonly Trader[]) {
    this.day = day
    this.traders = new Map(list.map((trader) => [trader.account, trader]))
    day.venue.listeners.push((_, log, atMs) => this.hear(log, atMs))
  }

  private hear(log: EventLog, atMs: number): void {
    const { kindAt, kindOfEvent, nextAfter } = this.day.venue.edition.core
    const kinds = [kindOfEvent('StopTriggered'), kindOfEvent('Traded')]
    for (let at = 0; at < log.end; at = nextAfter(log.rows, at))
      if (kinds.includes(kindAt(log.rows, at))) this.note(log.read(at), atMs)
  }

  private note(event: Event, atMs: number): void {
    if (event.type === 'StopTriggered' && this.traders.has(event.account)) {
      if (this.fired.size === 0) this.firstAt = atMs
      this.fired.add(event.account)
    }
    const trader = event.type === 'Traded' ? this.traders.get(event.taker) : undefined
    if (event.type !== 'Traded' || trader === undefined || event.side !== 'ask') return
    this.sold += event.lots
    this.distance += event.lots * (event.price / trader.stopPrice - 1)
    this.lastAt = atMs
  }

  figures(): StopFigures {
    const { positions } = this.day.venue.view
    const fired = [...this.fired].map((account) => this.traders.get(account)!)
    const left = fired.filter(({ account }) => positions.lotsOf(account, 1) > 0)
    return {
      fired: fired.reduce((sum, { lots }) => sum + lots, 0),
      sold: this.sold,
      seconds: Math.max(0, this.lastAt - this.firstAt) / 1_000,
      fromStop: this.sold === 0 ? 0 : this.distance / this.sold,
      left: left.length,
    }
  }
}
