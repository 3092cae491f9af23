// The accounts of the bots and their money. A bot that has lost half of its money gets it again, as
// any account of the sandbox can from the faucet, but at most `refillsMax` times. After that its
// orders are refused and it stops trading.

import type { AccountId, CommandOf, ExchangeView } from '../../core/index.ts'
import { MICRO_PER_DOLLAR, type Quote } from '../../units/units.ts'
import { type SourceExchange, submitChecked } from '../exchange-port.ts'
import { ownerlessAddress } from '../ownerless-address.ts'

export type Bot = Readonly<{ name: string; address: string; dollars: number }>

const bot = (name: string, dollars: number): Bot => ({
  name,
  address: ownerlessAddress(`bot ${name}`),
  dollars,
})

export const makers: readonly Bot[] = [bot('maker 1', 20_000_000), bot('maker 2', 20_000_000)]
/** Takers. The first one also takes other accounts' orders at prices that the market has moved
 *  through. */
export const takers: readonly Bot[] = [
  bot('taker 1', 5_000_000),
  bot('taker 2', 5_000_000),
  bot('taker 3', 5_000_000),
  bot('taker 4', 5_000_000),
]
export const allBots: readonly Bot[] = [...makers, ...takers]

/** Limits the history of bots, which trade all day. A venue has no bots. */
export const botHistory = {
  addresses: allBots.map(({ address }) => address),
  keepRows: 20_000,
} as const

export const refillsMax = 50

/** Account of a bot; 0 if it has none. */
export function accountOf({ accounts }: ExchangeView, { address }: Bot): AccountId {
  return accounts.idOf(address)
}

export function openingDeposits(): CommandOf<'Deposit'>[] {
  return allBots.map((each) => deposit(each, `opening ${each.name}`))
}

/** The opening deposits that the bots do not have yet. */
export function missingDeposits({ money }: ExchangeView): CommandOf<'Deposit'>[] {
  return openingDeposits().filter(({ reference }) => money.depositUnder(reference) === null)
}

/** Deposits for bots that have lost money. Past refills are read from the state, so that they are
 *  counted across restarts. */
export function refills(view: ExchangeView): CommandOf<'Deposit'>[] {
  return allBots.flatMap((each) => {
    const account = accountOf(view, each)
    if (account === 0) return []
    if (view.accounts.crossEquityOf(account) >= (each.dollars * MICRO_PER_DOLLAR) / 2) return []
    for (let time = 1; time <= refillsMax; time++) {
      const reference = `refill ${each.name} ${time}`
      if (view.money.depositUnder(reference) === null) return [deposit(each, reference)]
    }
    return []
  })
}

function deposit(each: Bot, reference: string): CommandOf<'Deposit'> {
  const amount = (each.dollars * MICRO_PER_DOLLAR) as Quote
  return { type: 'Deposit', address: each.address, amount, reference }
}

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
