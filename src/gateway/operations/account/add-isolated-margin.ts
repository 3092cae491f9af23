import { signed } from '../../operation.ts'
import { moneyOf } from '../order-fields.ts'
import { marketRejections } from '../orders/rejects.ts'
import { ask, marketOf, principalOf, requireOpen } from '../principal.ts'

export const addIsolatedMargin = signed({
  name: 'add_isolated_margin',
  group: 'Positions',
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
    const principal = principalOf(call, 'rules')
    const { account, proof } = principal
    const { id, params } = marketOf(principal, call.request.symbol)
    const amount = moneyOf('rules', 'amount', call.request.amount)
    const command = { type: 'MoveIsolatedMargin', account, proof, market: id, amount } as const
    await ask(principal, command, { params })
    return null
  },
})
