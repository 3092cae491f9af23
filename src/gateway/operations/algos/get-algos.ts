import { algoWire, pastAlgoWire } from '../../../feeds/algo-text.ts'
import { unsigned } from '../../operation.ts'
import { accountPage } from '../paging.ts'
import { openRows } from '../reading.ts'

export const getAlgos = unsigned({
  name: 'get_algo_orders',
  group: 'orders',
  summary: 'Chases and icebergs of an account that are running, newest first',
  cost: 'plain',
  refusals: 'rules',
  rejects: [],
  handle: (call) => openRows(call, 'algosOf', algoWire),
})

export const getAlgoHistory = unsigned({
  name: 'get_algo_history',
  group: 'orders',
  summary: 'Chases and icebergs of an account as they are now or as they ended, newest first',
  cost: 'heavy',
  refusals: 'rules',
  rejects: [],
  handle(call) {
    const { history, view } = call.exchange
    return accountPage(call, 'algos', history.algos, {
      idOf: ({ order }) => order,
      rowOf: (row) => {
        const child = view.orders.childOf(row.order)
        return pastAlgoWire(view.markets.paramsOf(row.market), { ...row, child })
      },
    })
  },
})
