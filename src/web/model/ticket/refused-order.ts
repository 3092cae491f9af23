// Collects the ticket's facts from which offers after a refusal are computed.

import type { Account } from '../account/account.ts'
import { type Entered, type LevelKind, priceOf } from '../levels/level-rows.ts'
import type { MarketGrid } from '../market/market-grid.ts'
import type { Markets } from '../market/markets.ts'
import { type Draft, enteredBy, isPriced, isTriggered, rowsIn } from './order-draft.ts'
import { slicesOf } from './order-request.ts'
import type { RefusedOrder } from './refusal-field.ts'

type Around = Readonly<{
  markets: Markets
  account: Account
  amount: string
  /** Maximum size; `null` if unknown. */
  most: string | null
}>

/** `draft` with its inputs replaced by numbers. */
export function refusedOrderOf(draft: Draft, around: Around): RefusedOrder {
  const { markets, account, amount, most } = around
  const { price, stop, side, reduceOnly } = draft
  const mark = markets.mark.peek()
  const entered = enteredBy(draft, amount, mark)
  const grid = markets.grid.peek()
  return {
    price: isPriced(draft) ? price : '',
    amount,
    stop: isTriggered(draft) ? stop : '',
    below: draft.kind === 'oco' && draft.pair !== 'rests' ? draft.below : '',
    levels: {
      take_profit: pricesOf(draft, 'take_profit', entered, grid),
      stop_loss: pricesOf(draft, 'stop_loss', entered, grid),
    },
    side,
    reduceOnly,
    tick: grid.tick,
    lot: grid.lot,
    mark,
    minOrderUsd: Number(markets.market.peek()?.min_order_size ?? 0),
    parts: draft.kind === 'twap' ? slicesOf(draft) : 1,
    maxAmount: most,
    position: account.position(markets.symbol.peek())?.a ?? null,
  }
}

function pricesOf(draft: Draft, kind: LevelKind, entered: Entered, grid: MarketGrid) {
  return rowsIn(draft, kind).map((row) => ({ price: priceOf(row, kind, entered, grid) }))
}
