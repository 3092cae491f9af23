// A topic of one market, or of all of them. It hears what happened in a batch and says something at
// the next flush, or later if it spoke a short while ago.

import type { TradeRow } from '../../projections/history/history.ts'
import type { Sight } from '../sight.ts'
import { Topic } from '../topic.ts'

/** A match with its two accounts. */
export type Match = TradeRow & Readonly<{ taker: number; maker: number }>

/** What touched the book of a market last. */
export type BookNews = Readonly<{ order: number; seq: number }>

export abstract class MarketTopic extends Topic {
  protected readonly sight: Sight
  /** Null: of all markets. */
  readonly market: number | null
  /** Not before this time of the machine's clock does it speak again. */
  nextAt = 0

  constructor(key: string, sight: Sight, market: number | null) {
    super(key)
    this.sight = sight
    this.market = market
  }

  bookChanged(_news: BookNews): void {}
  traded(_match: Match): void {}
  marked(_mark: number, _place: Readonly<{ seq: number; atMs: number }>): void {}
  /** Charts learned of minutes from before the market began. */
  pastTold(): void {}
  /** The batch is over. True: it has something to say at the next flush. */
  batchEnded(): boolean {
    return this.hasPending
  }

  /** Gathers what it has to say now; true: there is more to say later, at `nextAt`. */
  collect(_nowMs: number): boolean {
    return false
  }

  reverted(): void {
    this.nextAt = 0
  }

  protected place(): number {
    return this.sight.seq()
  }
}
