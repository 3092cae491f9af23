// `market_status`: markets whose status is another than before.

import { allMarkets, type MarketStatus } from '../../projections/current/markets.ts'
import type { Sight } from '../sight.ts'
import type { Told } from '../topic.ts'
import { MarketTopic } from './market-topic.ts'

export class StatusTopic extends MarketTopic {
  private known: ReadonlyMap<string, MarketStatus>
  private stirred = false

  constructor(key: string, sight: Sight) {
    super(key, sight, null)
    this.known = this.statuses()
  }

  /** Something happened that may change a status. */
  stir(): void {
    this.stirred = true
  }

  override marked(): void {
    this.stirred = true
  }

  override batchEnded(): boolean {
    if (this.stirred) this.compare()
    this.stirred = false
    return this.hasPending
  }

  first(): Told | null {
    return null
  }

  override reverted(): void {
    super.reverted()
    this.compare()
  }

  private compare(): void {
    const before = this.known
    this.known = this.statuses()
    const timestamp = this.sight.state.atMs
    const rows = [...this.known]
      .filter(([symbol, status]) => before.get(symbol) !== status)
      .map(([symbol, status]) => ({ symbol, status, timestamp }))
    if (rows.length > 0) this.tell({ data: JSON.stringify(rows), li: this.sight.seq() })
  }

  private statuses(): Map<string, MarketStatus> {
    return new Map(
      allMarkets(this.sight.state).map(({ params, status }) => [params.symbol, status]),
    )
  }
}
