// Pages of order history, filtered by what the reader may see. History knows which orders ended
// before their release; only the state knows which orders are waiting now.

import type { ExchangeView } from '../../../core/index.ts'
import type { OrderRow, Page } from '../../../projections/history/history.ts'
import type { Sight } from '../../../projections/sight.ts'
import type { Exchange } from '../../exchange.ts'

type SeenPage = Page & Readonly<{ sight: Sight }>

/** Returns one page. Rows that are filtered out are replaced by further rows. */
export async function ordersSeen(
  exchange: Exchange,
  account: string,
  page: SeenPage,
): Promise<readonly OrderRow[]> {
  const seen: OrderRow[] = []
  let { before } = page
  for (;;) {
    const rows = await rowsOf(exchange, account, { ...page, before })
    const { orders } = exchange.view
    for (const row of rows)
      if (page.sight === 'all' || !orders.isUnreleased(row.order)) seen.push(row)
    if (rows.length < page.limit || seen.length >= page.limit) return seen.slice(0, page.limit)
    before = rows.at(-1)!.order
  }
}

/** Reads the rows again if one of the orders ended meanwhile, because its end shows whether it was
 *  released. */
async function rowsOf(exchange: Exchange, account: string, page: SeenPage) {
  const rows = await exchange.history.orders(exchange.seq(), account, page)
  const isSure = page.sight === 'all' || !rows.some((row) => hasEndedSince(exchange.view, row))
  return isSure ? rows : exchange.history.orders(exchange.seq(), account, page)
}

type Row = Readonly<Pick<OrderRow, 'order' | 'status' | 'filledLots' | 'stopPrice'>>

/** Whether the order is open in history but no longer in the state, which is newer. */
export function hasEndedSince({ orders }: ExchangeView, row: Row): boolean {
  const isOpen = row.status === 'open' && row.filledLots === 0 && row.stopPrice === null
  return isOpen && !orders.isLive(row.order)
}
