import { marketSettings } from '../../../projections/current/account-numbers.ts'
import { paramsOfMarket } from '../../../projections/current/markets.ts'
import { unsigned } from '../../operation.ts'
import { readableAccount } from '../reading.ts'

export const getAccountSettings = unsigned({
  name: 'get_account_settings',
  group: 'account',
  summary: 'Margin mode and leverage where they differ from the defaults',
  cost: 'plain',
  refusals: 'rules',
  rejects: [],
  handle(call) {
    const account = readableAccount(call, call.request.account)
    if (account === 0) return []
    const { state } = call.exchange
    const chosen = call.request.chosen ?? false
    return marketSettings(state, account, chosen).map((setting) => ({
      symbol: paramsOfMarket(state, setting.market).symbol,
      isolated: setting.isolated,
      leverage: setting.leverage,
      ...(chosen && { leverage_set: setting.leverageSet === true }),
      created_at: setting.at,
      updated_at: setting.at,
    }))
  },
})
