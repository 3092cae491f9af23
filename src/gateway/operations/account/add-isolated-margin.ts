import { isolatedMarginBody } from '../../../protocol/schemas/account-requests.ts'
import { nothing } from '../../../protocol/schemas/field-types.ts'
import { signed } from '../../operation.ts'
import { ask, askerOf, marketOf, requireOpen } from '../asker.ts'
import { moneyOf } from '../order-fields.ts'
import { marketRejections } from '../orders/rejects.ts'

export const addIsolatedMargin = signed({
  name: 'add_isolated_margin',
  http: 'POST /positions/add_isolated_margin',
  ws: null,
  group: 'Positions',
  summary: 'Add margin to an isolated position, or take back what is free',
  signs: 'add_isolated_margin',
  cost: 'plain',
  wraps: 'envelope',
  refusals: 'rules',
  request: isolatedMarginBody,
  reply: nothing,
  rejects: [
    ...marketRejections,
    'TRADING_DISABLED',
    'INVALID_AMOUNT',
    'POSITION_NOT_FOUND',
    'INSUFFICIENT_BALANCE',
    'CANNOT_UPDATE_MARGIN',
    'WITHDRAWAL_BLOCKED',
  ],
  async handle(call) {
    requireOpen(call.exchange)
    const asker = askerOf(call, 'rules')
    const { account, proof } = asker
    const { id, params } = marketOf(asker, call.request.symbol)
    const amount = moneyOf('rules', 'amount', call.request.amount)
    const command = { type: 'MoveIsolatedMargin', account, proof, market: id, amount } as const
    await ask(asker, command, { params })
    return null
  },
})
