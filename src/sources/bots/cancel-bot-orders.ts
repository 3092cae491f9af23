import type { AccountId } from '../../core/index.ts'
import { type SourceExchange, submitChecked } from '../exchange-port.ts'
import { accountOf, allBots } from './bot-accounts.ts'

/** Cancels all orders of stopped bots. */
export function cancelBotOrders(exchange: SourceExchange): Promise<unknown>[] {
  return allBots
    .map((bot) => accountOf(exchange.view, bot) as AccountId)
    .filter((account) => account !== 0)
    .map((account) =>
      submitChecked(exchange, {
        type: 'CancelAllOrders',
        account,
        proof: null,
        market: null,
        excludeReduceOnly: false,
      }),
    )
}
