import { signed } from '../../operation.ts'
import { ask, askerOf, marketOf, requireOpen } from '../asker.ts'
import { moneyOf } from '../order-fields.ts'
import { marketRejections } from '../orders/rejects.ts'

export const addIsolatedMargin = signed({
  name: 'add_isolated_margin',
  group: 'Positions',
  summary: 'Add margin to an isolated position, or take back what is free',
  cost: 'plain',
  refusals: 'rules',
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
