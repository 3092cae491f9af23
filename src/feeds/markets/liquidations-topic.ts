// `liquidations`: positions closed by force, on all markets, without saying whose.

import type { FillFact } from '../accounts/facts.ts'
import { fillPriceText, sizeText } from '../market-text.ts'
import type { Told } from '../topic.ts'
import { MarketTopic } from './market-topic.ts'

export class LiquidationsTopic extends MarketTopic {
  private rows: unknown[] = []
  private li = 0

  forced(fill: FillFact): void {
    if (fill.seq !== this.li) this.close()
    this.li = fill.seq
    const { params } = this.sight.state.markets[fill.market]!
    this.rows.push({
      history_id: fill.history,
      symbol: params.symbol,
      side: fill.kind,
      amount: sizeText(params, fill.lots),
      price: fillPriceText(params, fill),
      cause: fill.cause,
      created_at: fill.atMs,
      li: fill.seq,
    })
  }

  override batchEnded(): boolean {
    this.close()
    return this.hasPending
  }

  first(): Told | null {
    return null
  }

  private close(): void {
    if (this.rows.length > 0) this.tell({ data: JSON.stringify(this.rows), li: this.li })
    this.rows = []
  }
}
