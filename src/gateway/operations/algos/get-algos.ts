import { algoWire, pastAlgoWire, withSeenChild } from '../../../feeds/algo-text.ts'
import { unsigned } from '../../operation.ts'
import { accountPage } from '../paging.ts'
import { openRows, requireAlgoReader, sightOf } from '../reading.ts'

export const getAlgos = unsigned({
  name: 'get_algo_orders',
  group: 'orders',
  handle(call) {
    requireAlgoReader(call, call.request.account)
    const sight = sightOf(call, call.request.account)
    return openRows(call, 'algosOf', (params, row) =>
      algoWire(params, withSeenChild(sight, row, call.exchange.view)),
    )
  },
})

export const getAlgoHistory = unsigned({
  name: 'get_algo_history',
  group: 'orders',
  cost: 'heavy',
  handle(call) {
    const { history, view } = call.exchange
    requireAlgoReader(call, call.request.account)
    const sight = sightOf(call, call.request.account)
    return accountPage(call, 'algos', history.algos, {
      idOf: ({ order }) => order,
      rowOf: (row) => {
        const child = view.orders.childOf(row.order)
        const params = view.markets.paramsOf(row.market)
        return pastAlgoWire(params, withSeenChild(sight, { ...row, child }, view))
      },
    })
  },
})
