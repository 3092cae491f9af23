// The events of markets, given to the topics that someone reads.

import { columnsOf } from '../../core/events/event-columns.ts'
import { causes, type EventType, fillKinds, sides } from '../../core/events/event-fields.ts'
import { rowWidth } from '../../core/events/event-log.ts'
import type { MatchReader } from '../../projections/match-reader.ts'
import type { Outcome } from '../../sequencer/outcome.ts'
import { fillFactOf } from '../accounts/account-news.ts'
import type { LiquidationsTopic } from './liquidations-topic.ts'
import type { MarketTopic } from './market-topic.ts'
import type { StatusTopic } from './status-topic.ts'

const traded = columnsOf('Traded')
const filled = columnsOf('Filled')
const marked = columnsOf('MarkUpdated')
const past = columnsOf('PastTold')
const firstForced = fillKinds.indexOf('force_close_long')
const DELEVERAGE = causes.indexOf('deleverage')
const SETTLEMENT = causes.indexOf('settlement')

type Reader = (outcome: Outcome, row: number) => void

export class MarketNews {
  liquidations: LiquidationsTopic | null = null
  status: StatusTopic | null = null
  /** By market id; those of all markets hear of each. */
  private readonly topics = new Map<number, Set<MarketTopic>>()
  private readonly ofAll = new Set<MarketTopic>()
  /** Markets whose book this batch touched: by which order last, and when. */
  private readonly books = new Map<number, { order: number; seq: number }>()
  private taker = 0
  private maker = 0

  readonly reads: Partial<Record<EventType, Reader>> = {
    OrderRested: this.touches('OrderRested', 'order'),
    OrderReduced: this.touches('OrderReduced', 'order'),
    OrderCancelled: this.touches('OrderCancelled', 'order'),
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
      for (const topic of this.of(rows[at + marked.market]!)) topic.marked(mark, outcome)
    },
    PastTold: ({ log }, row) => {
      for (const topic of this.of(log.rows[row * rowWidth + past.market]!)) topic.pastTold()
    },
    FeedHealthChanged: () => this.status?.stir(),
    MarketModeSet: () => this.status?.stir(),
    ExchangeModeSet: () => this.status?.stir(),
    MarketSettled: () => this.status?.stir(),
    MarketListed: () => this.status?.stir(),
    EngineStarted: () => this.status?.stir(),
  }

  private touches(type: 'OrderRested' | 'OrderReduced' | 'OrderCancelled', field: 'order'): Reader {
    const columns = columnsOf(type)
    return ({ log, seq }, row) => {
      const at = row * rowWidth
      this.touched(log.rows[at + columns.market]!, log.rows[at + columns[field]]!, seq)
    }
  }

  private touched(market: number, order: number, seq: number): void {
    if (this.topics.size === 0 && this.ofAll.size === 0) return
    const news = this.books.get(market)
    if (news === undefined) this.books.set(market, { order, seq })
    else {
      news.order = order
      news.seq = seq
    }
  }

  add(topic: MarketTopic, market: number | null): void {
    if (market === null) this.ofAll.add(topic)
    else this.topics.set(market, (this.topics.get(market) ?? new Set()).add(topic))
  }

  remove(topic: MarketTopic, market: number | null): void {
    this.ofAll.delete(topic)
    if (market === null) return
    const topics = this.topics.get(market)
    topics?.delete(topic)
    if (topics?.size === 0) this.topics.delete(market)
  }

  *of(market: number): Iterable<MarketTopic> {
    yield* this.ofAll
    yield* this.topics.get(market) ?? []
  }

  /** One part of a fill. */
  filled(outcome: Outcome, at: number): void {
    const { rows } = outcome.log
    const cause = rows[at + filled.cause]!
    if (this.liquidations === null || cause === SETTLEMENT) return
    // In a deleveraging both sides are closed by force; the others have one victim.
    const isForced = rows[at + filled.kind]! >= firstForced || cause === DELEVERAGE
    if (isForced) this.liquidations.forced(fillFactOf(outcome, at))
  }

  matched({ seq, atMs }: Outcome, match: MatchReader): void {
    const topics = this.topics.get(match.market)
    if (topics === undefined) return
    const { history, market, price, lots } = match
    const row = { history, seq, atMs, market, price, lots, taker: this.taker, maker: this.maker }
    const kind = fillKinds[match.kind]!
    const words = { kind, side: sides[match.side]!, cause: causes[match.cause]! }
    for (const topic of topics) topic.traded({ ...row, ...words })
  }

  /** Gives the topics that have something to say. */
  batchEnded(): MarketTopic[] {
    for (const [market, news] of this.books)
      for (const topic of this.of(market)) topic.bookChanged(news)
    this.books.clear()
    const speaking: MarketTopic[] = []
    for (const topic of this.ofAll) if (topic.batchEnded()) speaking.push(topic)
    for (const topics of this.topics.values())
      for (const topic of topics) if (topic.batchEnded()) speaking.push(topic)
    return speaking
  }

  reverted(): void {
    this.books.clear()
  }
}
