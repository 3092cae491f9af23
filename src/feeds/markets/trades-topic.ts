// `trades`: one row per match. The matches of one command are one frame.

import { priceText, sizeText } from '../market-text.ts'
import type { Told } from '../topic.ts'
import { MarketTopic, type Match } from './market-topic.ts'

export class TradesTopic extends MarketTopic {
  private rows: string[] = []
  private li = 0

  override traded(match: Match): void {
    if (match.seq !== this.li) this.close()
    this.li = match.seq
    this.rows.push(this.rowOf(match))
  }

  override batchEnded(): boolean {
    this.close()
    return this.hasPending
  }

  first(): Told | null {
    return null
  }

  private close(): void {
    if (this.rows.length > 0) this.tell({ data: `[${this.rows.join()}]`, li: this.li })
    this.rows = []
  }

  private rowOf(match: Match): string {
    const { namesAccounts, state } = this.sight
    const { params } = state.markets[match.market]!
    const address = (account: number) =>
      namesAccounts ? state.accounts.records[account]!.address : null
    return JSON.stringify({
      h: match.history,
      s: params.symbol,
      a: sizeText(params, match.lots),
      p: priceText(params, match.price),
      d: match.kind.replace(/^force_/, ''),
      e: match.kind,
      side: match.side,
      tc: match.cause,
      u: address(match.taker),
      c: address(match.maker),
      t: match.atMs,
      li: match.seq,
    })
  }
}
