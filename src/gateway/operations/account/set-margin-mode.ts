import { signed } from '../../operation.ts'
import { ask, askerOf, marketOf, requireOpen } from '../asker.ts'
import { marketRejections } from '../orders/rejects.ts'

export const setMarginMode = signed({
  name: 'update_margin_mode',
  group: 'Account',
  summary: 'Choose cross or isolated margin for a market; fixed while anything is open there',
  cost: 'plain',
  refusals: 'rules',
  rejects: [...marketRejections, 'TRADING_DISABLED', 'CANNOT_UPDATE_MARGIN'],
  async handle(call) {
    requireOpen(call.exchange)
    const asker = askerOf(call, 'rules')
    const { account, proof } = asker
    const { id, params } = marketOf(asker, call.request.symbol)
    const isolated = call.request.is_isolated
    await ask(asker, { type: 'SetMarginMode', account, proof, market: id, isolated }, { params })
    return null
  },
})
