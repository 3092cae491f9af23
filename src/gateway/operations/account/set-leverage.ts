import { signed } from '../../operation.ts'
import { marketRejections } from '../orders/rejects.ts'
import { ask, marketOf, principalOf, requireOpen } from '../principal.ts'

export const setLeverage = signed({
  name: 'update_leverage',
  group: 'Account',
  rejects: [...marketRejections, 'TRADING_DISABLED', 'INSUFFICIENT_BALANCE', 'INVALID_LEVERAGE'],
  async handle(call) {
    requireOpen(call.exchange)
    const principal = principalOf(call, 'rules')
    const { account, proof } = principal
    const { id, params } = marketOf(principal, call.request.symbol)
    const { leverage } = call.request
    await ask(principal, { type: 'SetLeverage', account, proof, market: id, leverage }, { params })
    return null
  },
})
