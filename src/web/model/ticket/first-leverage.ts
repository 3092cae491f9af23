// Sets a leverage before the first order of the terminal. Without a setting the exchange would use
// the market's maximum, which suits bots but not people.

import { ApiRefusal } from '../../../client/errors.ts'
import { readSettings } from '../account/account-stream.ts'
import type { Trader } from '../account/trader.ts'
import type { Desk } from '../desk.ts'

type Parts = Pick<Desk, 'account' | 'markets' | 'trader'>

/** Sets the leverage if needed. Throws if that fails, because then the order must not be sent. */
export async function ensureLeverage(desk: Parts, trader: Trader, symbol: string): Promise<void> {
  const { account, markets } = desk
  const most = markets.list.peek().find((market) => market.symbol === symbol)?.max_leverage ?? 1
  if (account.settings.peek() === null)
    await readSettings(desk, trader).catch(({ message }: Error) => {
      throw new Error(`Your leverage settings could not be read: ${message}`)
    })
  const leverage = account.firstLeverage(symbol, most)
  if (leverage === null) return
  await trader.client.updateLeverage({ symbol, leverage }).catch((error: Error) => {
    if (error instanceof ApiRefusal && error.reason === 'AGENT_NOT_ALLOWED')
      throw new Error(
        `No leverage is set for ${symbol} yet, and this key's policy does not let it set one. ` +
          "Use the account's own key, or allow `margin` in the policy.",
      )
    if (error instanceof ApiRefusal) throw error
    throw new Error(`The leverage could not be set before the order: ${error.message}`)
  })
  account.applyLeverage(symbol, leverage)
}
