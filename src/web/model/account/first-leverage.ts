// Sets a leverage before the first order of the terminal. Without a setting the exchange would use
// the market's maximum, which suits bots but not people.

import { ApiRefusal } from '../../../client/errors.ts'
import type { Desk } from '../desk.ts'
import { readSettings } from './account-stream.ts'
import type { Trader } from './trader.ts'

type Parts = Pick<Desk, 'account' | 'markets' | 'trader'>

/** Sets the leverage if needed. Throws if that fails, because then the order must not be sent. */
export async function ensureLeverage(desk: Parts, trader: Trader, symbol: string): Promise<void> {
  const { account, markets } = desk
  const most = markets.list.peek().find((market) => market.symbol === symbol)?.max_leverage ?? 1
  if (account.settings.peek() === null)
    await readSettings(desk, trader).catch(({ message }: Error) => {
      throw new Error(`which leverage you have chosen could not be read: ${message}`)
    })
  const leverage = account.firstLeverage(symbol, most)
  if (leverage === null) return
  await trader.client.updateLeverage({ symbol, leverage }).catch((error: Error) => {
    if (error instanceof ApiRefusal && error.reason === 'AGENT_NOT_ALLOWED')
      throw new Error(
        `no leverage is chosen for ${symbol} yet, and the policy of this key does not let it ` +
          'choose one: do so with the key of the account, or allow `margin`',
      )
    if (error instanceof ApiRefusal) throw error
    throw new Error(`the leverage could not be set first: ${error.message}`)
  })
  account.applyLeverage(symbol, leverage)
}
