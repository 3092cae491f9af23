// Passes market events to the topics that have readers.

import { columnsOf, type EventOf, type EventType, takerKindOf } from '../../core/index.ts'
import type { Outcome } from '../../sequencer/outcome.ts'
import type { EventReader } from '../event-reader.ts'
import type { BookChange, MarketTopic, Match, Place } from './market-publisher.ts'

const traded = columnsOf('Traded')
const marked = columnsOf('MarkUpdated')
const past = columnsOf('PastTold')

export class MarketEvents {
  /** Topics by market id. Topics of all markets are in each set. */
  private readonly topics = new Map<number, Set<MarketTopic>>()
  private readonly ofAll = new Set<MarketTopic>()
  /** The last book change of each market in this batch. */
  private readonly books = new Map<number, BookChange>()

  private readonly reads: Partial<Record<EventType, EventReader>> = {
    OrderRested: this.touches('OrderRested'),
    OrderReduced: this.touches('OrderReduced'),
    OrderCancelled: this.touches('OrderCancelled'),
    Traded: (outcome, at) => {
      const { rows } = outcome.log
      const market = rows[at + traded.market]!
      this.touched(market, rows[at + traded.takerOrder]!, outcome)
      const topics = this.topics.get(market)
      if (topics === undefined) return
      const match = matchOf(outcome, at)
      for (const { publisher } of topics) publisher.traded?.(match)
    },
    MarkUpdated: (outcome, at) => {
      const { rows } = outcome.log
      const mark = rows[at + marked.mark]!
      for (const { publisher } of this.of(rows[at + marked.market]!))
        publisher.marked?.(mark, outcome)
    },
    PastTold: ({ log }, at) => {
      for (const { publisher } of this.of(log.rows[at + past.market]!)) publisher.pastChanged?.()
    },
  }

  /** Readers of an event type, including those of topics for other events. */
  readersOf(type: EventType): EventReader[] {
    const topics = [...this.ofAll, ...[...this.topics.values()].flatMap((each) => [...each])]
    const readers = topics.map(({ publisher }) => publisher.events?.[type])
    return [this.reads[type], ...readers].filter((reader) => reader !== undefined)
  }

  private touches(type: 'OrderRested' | 'OrderReduced' | 'OrderCancelled'): EventReader {
    const columns = columnsOf(type)
    return (outcome, at) => {
      const { rows } = outcome.log
      this.touched(rows[at + columns.market]!, rows[at + columns.order]!, outcome)
    }
  }

  private touched(market: number, order: number, { seq, atMs }: Place): void {
    if (this.topics.size === 0 && this.ofAll.size === 0) return
    this.books.set(market, { order, seq, atMs })
  }

  add(topic: MarketTopic): void {
    const market = marketOf(topic)
    if (market === null) this.ofAll.add(topic)
    else this.topics.set(market, (this.topics.get(market) ?? new Set()).add(topic))
  }

  remove(topic: MarketTopic): void {
    const market = marketOf(topic)
    this.ofAll.delete(topic)
    if (market === null) return
    const topics = this.topics.get(market)
    topics?.delete(topic)
    if (topics?.size === 0) this.topics.delete(market)
  }

  private *of(market: number): Iterable<MarketTopic> {
    yield* this.ofAll
    yield* this.topics.get(market) ?? []
  }

  /** Returns the topics with pending data. */
  batchEnded(): MarketTopic[] {
    for (const [market, change] of this.books)
      for (const { publisher } of this.of(market)) publisher.bookChanged?.(change)
    this.books.clear()
    const ready: MarketTopic[] = []
    for (const topic of this.ofAll) if (hasUpdates(topic)) ready.push(topic)
    for (const topics of this.topics.values())
      for (const topic of topics) if (hasUpdates(topic)) ready.push(topic)
    return ready
  }

  reverted(): void {
    this.books.clear()
  }
}

function marketOf({ id }: MarketTopic): number | null {
  return 'market' in id ? id.market : null
}

function hasUpdates(topic: MarketTopic): boolean {
  const { publisher } = topic
  publisher.batchEnded?.()
  return topic.hasPending || publisher.throttle?.hasChanged === true
}

function matchOf({ log, seq, atMs }: Outcome, at: number): Match {
  const { history, market, price, lots, side, cause, taker, maker, takerClosed } = log.read(
    at,
  ) as EventOf<'Traded'>
  const kind = takerKindOf({ side, cause, takerClosed })
  return { history, seq, atMs, market, price, lots, kind, side, cause, taker, maker }
}
