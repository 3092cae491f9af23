import { signed } from '../../operation.ts'
import { ask, askerOf, marketOf, requireOpen } from '../asker.ts'
import { marketRejections } from '../orders/rejects.ts'

export const setLeverage = signed({
  name: 'update_leverage',
  group: 'Account',
  summary: 'Choose the leverage of a market; it may not fall while a position is open',
  cost: 'plain',
  refusals: 'rules',
  rejects: [...marketRejections, 'TRADING_DISABLED', 'INSUFFICIENT_BALANCE', 'INVALID_LEVERAGE'],
  async handle(call) {
    requireOpen(call.exchange)
    const asker = askerOf(call, 'rules')
    const { account, proof } = asker
    const { id, params } = marketOf(asker, call.request.symbol)
    const { leverage } = call.request
    await ask(asker, { type: 'SetLeverage', account, proof, market: id, leverage }, { params })
    return null
  },
})
