import { signed } from '../../operation.ts'
import { refOf } from '../order-fields.ts'
import { marketRejections } from '../orders/rejects.ts'
import { ask, marketOf, principalOf } from '../principal.ts'

export const cancelTwap = signed({
  name: 'cancel_twap_order',
  group: 'Orders',
  cost: 'cancel',
  rejects: [...marketRejections, 'TWAP_NOT_FOUND'],
  async handle(call) {
    const principal = principalOf(call, 'rules')
    const { account, proof } = principal
    const ref = refOf(call.request)
    const { id, params } = marketOf(principal, call.request.symbol)
    const command = { type: 'CancelTwap', account, proof, market: id, ...ref } as const
    await ask(principal, command, { params, clientOrderId: ref.clientOrderId })
    return null
  },
})
