import { signed } from '../../operation.ts'
import { ask, askerOf, marketOf } from '../asker.ts'
import { refOf } from '../order-fields.ts'
import { marketRejections } from '../orders/rejects.ts'

export const cancelTwap = signed({
  name: 'cancel_twap_order',
  group: 'Orders',
  summary: 'End a TWAP; what it filled stays',
  cost: 'cancel',
  refusals: 'rules',
  rejects: [...marketRejections, 'TWAP_NOT_FOUND'],
  async handle(call) {
    const asker = askerOf(call, 'rules')
    const { account, proof } = asker
    const ref = refOf(call.request)
    const { id, params } = marketOf(asker, call.request.symbol)
    const command = { type: 'CancelTwap', account, proof, market: id, ...ref } as const
    await ask(asker, command, { params, clientOrderId: ref.clientOrderId })
    return null
  },
})
