// The events of markets, given to the topics that someone reads.

import { causes, columnsOf, type EventType, fillKinds, rowWidth, sides } from '../../core/index.ts'
import type { MatchReader } from '../../projections/match-reader.ts'
import type { Outcome } from '../../sequencer/outcome.ts'
import type { EventReader } from '../event-reader.ts'
import type { MarketTopic } from './market-publisher.ts'

const traded = columnsOf('Traded')
const marked = columnsOf('MarkUpdated')
const past = columnsOf('PastTold')

export class MarketEvents {
  /** By market id; topics of all markets are given what happens in each. */
  private readonly topics = new Map<number, Set<MarketTopic>>()
  private readonly ofAll = new Set<MarketTopic>()
  /** Markets whose book this batch touched: by which order last, and when. */
  private readonly books = new Map<number, { order: number; seq: number }>()
  private taker = 0
  private maker = 0

  private readonly reads: Partial<Record<EventType, EventReader>> = {
    OrderRested: this.touches('OrderRested'),
    OrderReduced: this.touches('OrderReduced'),
    OrderCancelled: this.touches('OrderCancelled'),
    Traded: ({ log, seq }, row) => {
      const { rows } = log
      const at = row * rowWidth
      this.taker = rows[at + traded.taker]!
      this.maker = rows[at + traded.maker]!
      this.touched(rows[at + traded.market]!, rows[at + traded.takerOrder]!, seq)
    },
    MarkUpdated: (outcome, row) => {
      const { rows } = outcome.log
      const at = row * rowWidth
      const mark = rows[at + marked.mark]!
      for (const { publisher } of this.of(rows[at + marked.market]!))
        publisher.marked?.(mark, outcome)
    },
    PastTold: ({ log }, row) => {
      for (const { publisher } of this.of(log.rows[row * rowWidth + past.market]!))
        publisher.pastTold?.()
    },
  }

  /** With those of topics that read such events themselves. */
  readersOf(type: EventType): EventReader[] {
    const topics = [...this.ofAll, ...[...this.topics.values()].flatMap((each) => [...each])]
    const readers = topics.map(({ publisher }) => publisher.events?.[type])
    return [this.reads[type], ...readers].filter((reader) => reader !== undefined)
  }

  private touches(type: 'OrderRested' | 'OrderReduced' | 'OrderCancelled'): EventReader {
    const columns = columnsOf(type)
    return ({ log, seq }, row) => {
      const at = row * rowWidth
      this.touched(log.rows[at + columns.market]!, log.rows[at + columns.order]!, seq)
    }
  }

  private touched(market: number, order: number, seq: number): void {
    if (this.topics.size === 0 && this.ofAll.size === 0) return
    const change = this.books.get(market)
    if (change === undefined) this.books.set(market, { order, seq })
    else {
      change.order = order
      change.seq = seq
    }
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

  matched({ seq, atMs }: Outcome, match: MatchReader): void {
    const topics = this.topics.get(match.market)
    if (topics === undefined) return
    const { history, market, price, lots } = match
    const row = { history, seq, atMs, market, price, lots, taker: this.taker, maker: this.maker }
    const kind = fillKinds[match.kind]!
    const made = { ...row, kind, side: sides[match.side]!, cause: causes[match.cause]! }
    for (const { publisher } of topics) publisher.traded?.(made)
  }

  /** Gives the topics that have something to send. */
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
