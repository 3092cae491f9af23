// Finds when and at what price a market was settled. Only the journal has this; the core stores
// only that the market is settled.

import type { Command, MarketView } from '../../../core/index.ts'
import { HistoryBehind } from '../../../projections/history/history.ts'
import { priceText } from '../../../projections/market-text.ts'
import type { Operator } from '../operator.ts'

const pageMost = 1_000

export type Settlement = Readonly<{ price: string; at: string }>

/** `null` if the action is not found, or if history is not available. */
export async function settlementOf(
  operator: Pick<Operator, 'actions'>,
  market: MarketView,
): Promise<Settlement | null> {
  try {
    return await foundIn(operator, market)
  } catch (error) {
    // Without history the reply still reports that the market is settled.
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
