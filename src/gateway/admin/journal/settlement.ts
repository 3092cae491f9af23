// When a market was settled and at what price, which only the journal knows: the core keeps that
// it is.

import type { Command, MarketView } from '../../../core/index.ts'
import { priceText } from '../../../feeds/market-text.ts'
import { HistoryBehind } from '../../../projections/history/history.ts'
import type { Operator } from '../operator.ts'

const pageMost = 1_000

export type Settlement = Readonly<{ price: string; at: string }>

/** `null` if the operator is not found, or history is not available now. */
export async function settlementOf(
  operator: Pick<Operator, 'actions'>,
  market: MarketView,
): Promise<Settlement | null> {
  try {
    return await foundIn(operator, market)
  } catch (error) {
    // That it is settled is known all the same, and says what is to be done.
    if (error instanceof HistoryBehind) return null
    throw error
  }
}

async function foundIn(
  { actions }: Pick<Operator, 'actions'>,
  { id, params }: MarketView,
): Promise<Settlement | null> {
  for (let before: number | null = null; ; ) {
    const page = await actions(pageMost, before)
    for (const { what, command, atMs, rejection } of page) {
      if (what !== 'SettleMarket' || rejection !== null) continue
      const settled = JSON.parse(command) as Extract<Command, { type: 'SettleMarket' }>
      if (settled.market === id)
        return { price: priceText(params, settled.price), at: new Date(atMs).toISOString() }
    }
    if (page.length < pageMost) return null
    before = page.at(-1)!.seq
  }
}
