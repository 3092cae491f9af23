import { unsigned } from '../../operation.ts'
import { readableAccount } from '../reading.ts'

export const getAccountSettings = unsigned({
  name: 'get_account_settings',
  group: 'account',
  handle(call) {
    const account = readableAccount(call, call.request.account)
    if (account === 0) return []
    const { view } = call.exchange
    const chosen = call.request.chosen ?? false
    const settings = view.accounts
      .settingsOf(account)
      .filter(({ differs, leverageSet }) => differs || (chosen && leverageSet))
    return settings.map((setting) => ({
      symbol: view.markets.paramsOf(setting.market).symbol,
      isolated: setting.isolated,
      leverage: setting.leverage,
      ...(chosen && { leverage_set: setting.leverageSet }),
      created_at: setting.at,
      updated_at: setting.at,
    }))
  },
})
