import { moneyText } from '../../../projections/market-text.ts'
import { unsigned } from '../../operation.ts'
import { accountPage } from '../paging.ts'

export const getBalanceHistory = unsigned({
  name: 'get_balance_history',
  group: 'account',
  cost: 'heavy',
  handle(call) {
    return accountPage(call, 'balances', call.exchange.history.balances, {
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
