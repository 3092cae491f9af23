// Whom a change of a market would reach, before it is made.

import type { ChangePreview, ExchangeView } from '../../core/index.ts'
import { symbol } from '../../protocol/schemas/field-types.ts'
import { Type } from '../../protocol/schemas/typebox.ts'
import { moneyText } from '../market-text.ts'
import { admin } from './admin-operation.ts'
import { changeBody } from './market-fields.ts'
import { changeableIn, changeIn } from './market-operations.ts'
import { requireValid } from './params-text.ts'

const usd = (description: string) => Type.String({ description })

/** The lists end here; the counts do not. */
const rowsMax = 1_000

export const previewMarketChange = admin({
  name: 'preview_market_change',
  http: 'POST /markets/preview_change',
  scope: 'read',
  summary:
    'Preview which accounts a change would affect once it is in full effect, at current ' +
    'positions and marks; nothing is changed',
  request: Type.Object({ symbol, change: changeBody }),
  reply: Type.Object({
    holders: Type.Integer({ description: 'Accounts with a position or an order there' }),
    below_maintenance: Type.Integer({ description: 'Accounts that are healthy and would not be' }),
    below_initial: Type.Integer({
      description: 'Accounts that would keep their positions, but could not open more',
    }),
    orders_cancelled: Type.Integer({ description: 'By the liquidations that it triggers' }),
    liquidated: Type.Array(
      Type.Object({
        account: Type.String(),
        scope: Type.String({ description: 'cross, or the isolated market' }),
        equity: Type.String(),
        maintenance: usd('Now'),
        maintenance_then: Type.String(),
        fate: Type.Enum(['step', 'backstop', 'waits'], {
          description:
            'At the next price: a step into the book; the backstop, up to its limits; or ' +
            'nothing before the market trades',
        }),
        orders_cancelled: Type.Integer(),
      }),
      { description: `At most ${rowsMax}, nearest to nothing first` },
    ),
    short_of_margin: Type.Array(
      Type.Object({
        account: Type.String(),
        equity: usd('Of its cross account'),
        requirement: usd('Now'),
        requirement_then: Type.String(),
      }),
      { description: `At most ${rowsMax}; their orders that add would be refused` },
    ),
  }),
  async handle({ request, exchange, operator }) {
    const market = await changeableIn({ exchange, operator }, request.symbol)
    const change = changeIn(exchange, market, request.change)
    requireValid(exchange, { ...market.params, ...change }, null)
    return previewWire(exchange.view, exchange.view.markets.previewOf(market.id, change))
  },
})

function previewWire(view: ExchangeView, { holders, fallen, short }: ChangePreview) {
  const { accounts, markets } = view
  const worst = fallen.toSorted((one, other) => one.equity - other.equity)
  return {
    holders,
    below_maintenance: fallen.length,
    below_initial: short.length,
    orders_cancelled: fallen.reduce((sum, { orders }) => sum + orders, 0),
    liquidated: worst.slice(0, rowsMax).map((each) => ({
      account: accounts.addressOf(each.account),
      scope: each.scope === 0 ? 'cross' : markets.paramsOf(each.scope).symbol,
      equity: moneyText(each.equity),
      maintenance: moneyText(each.maintenance),
      maintenance_then: moneyText(each.maintenanceThen),
      fate: each.fate,
      orders_cancelled: each.orders,
    })),
    short_of_margin: short.slice(0, rowsMax).map((each) => ({
      account: accounts.addressOf(each.account),
      equity: moneyText(each.equity),
      requirement: moneyText(each.requirement),
      requirement_then: moneyText(each.requirementThen),
    })),
  }
}
