import { signed } from '../../operation.ts'
import { marketRejections } from '../orders/rejects.ts'
import { ask, marketOf, principalOf, requireOpen } from '../principal.ts'

export const setMarginMode = signed({
  name: 'update_margin_mode',
  group: 'Account',
  rejects: [...marketRejections, 'TRADING_DISABLED', 'CANNOT_UPDATE_MARGIN'],
  async handle(call) {
    requireOpen(call.exchange)
    const principal = principalOf(call, 'rules')
    const { account, proof } = principal
    const { id, params } = marketOf(principal, call.request.symbol)
    const isolated = call.request.is_isolated
    await ask(
      principal,
      { type: 'SetMarginMode', account, proof, market: id, isolated },
      { params },
    )
    return null
  },
})
