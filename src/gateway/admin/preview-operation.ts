// Previews which accounts a market change would affect.

import type { ChangePreview, ExchangeView } from '../../core/index.ts'
import { moneyText } from '../../projections/market-text.ts'
import { previewRowsMax } from '../../protocol/admin/operations/market-operations.ts'
import { requireValid } from '../parameters/params-text.ts'
import type { AdminAnswers } from './admin-operation.ts'
import { changeableIn, changeIn } from './market-operations.ts'

function previewWire(view: ExchangeView, { holders, fallen, short }: ChangePreview) {
  const { accounts, markets } = view
  const worst = fallen.toSorted((one, other) => one.equity - other.equity)
  return {
    holders,
    below_maintenance: fallen.length,
    below_initial: short.length,
    orders_cancelled: fallen.reduce((sum, { orders }) => sum + orders, 0),
    liquidated: worst.slice(0, previewRowsMax).map((each) => ({
      account: accounts.addressOf(each.account),
      scope: each.scope === 0 ? 'cross' : markets.paramsOf(each.scope).symbol,
      equity: moneyText(each.equity),
      maintenance: moneyText(each.maintenance),
      maintenance_then: moneyText(each.maintenanceThen),
      fate: each.fate,
      orders_cancelled: each.orders,
    })),
    short_of_margin: short.slice(0, previewRowsMax).map((each) => ({
      account: accounts.addressOf(each.account),
      equity: moneyText(each.equity),
      requirement: moneyText(each.requirement),
      requirement_then: moneyText(each.requirementThen),
    })),
  }
}

export const previewAnswers = {
  async preview_market_change({ request, exchange, operator }) {
    const market = await changeableIn({ exchange, operator }, request.symbol)
    const change = changeIn(exchange, market, request.change)
    requireValid(exchange, { ...market.params, ...change }, null)
    return previewWire(exchange.view, exchange.view.markets.previewOf(market.id, change))
  },
} satisfies Partial<AdminAnswers>
