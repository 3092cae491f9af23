import { moneyText } from '../../market-text.ts'
import { unsigned } from '../../operation.ts'
import { cursorOfRequest, pageReply } from '../paging.ts'
import { readableAddress } from '../reading.ts'

export const getBalanceHistory = unsigned({
  name: 'get_balance_history',
  group: 'account',
  summary: 'Every change of an account’s balance, newest first; the amounts add up to it',
  cost: 'heavy',
  refusals: 'rules',
  rejects: [],
  async handle(call) {
    const { request, exchange } = call
    const account = readableAddress(call, request.account)
    const page = cursorOfRequest('balances', request)
    const rows = await exchange.history.balances(exchange.seq(), account, page)
    return pageReply('balances', page, rows, {
      idOf: ({ id }) => id,
      rowOf: (row) => ({
        amount: moneyText(row.amount),
        balance: moneyText(row.balance),
        pending_balance: moneyText(row.pending),
        event_type: row.event,
        created_at: row.atMs,
      }),
    })
  },
})
