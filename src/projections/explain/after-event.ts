// Values of accounts after an event.

import type { Event, EventOf } from '../../core/index.ts'

export type After = Readonly<{
  account: number
  /** Market of the position; 0 if there is none. */
  market: number
  balance?: number
  wallet?: number
  lots?: number
  cost?: number
}>

export function afterEvent(event: Event): readonly After[] {
  switch (event.type) {
    case 'Traded':
      return sidesOf(event)
    case 'Filled': {
      const { account, market, balance, wallet, positionLots: lots, positionCost: cost } = event
      return [{ account, market, balance, wallet, lots, cost }]
    }
    case 'FundingPaid':
    case 'IsolatedMarginMoved': {
      const { account, market, balance, wallet, lots, cost } = event
      return [{ account, market, balance, wallet, lots, cost }]
    }
    case 'InsurancePaid':
    case 'DeficitBooked': {
      const { account, scope: market, balance, wallet } = event
      return [{ account, market, balance, ...(market !== 0 && { wallet }) }]
    }
    case 'BackstopTookOver': {
      const { account, market, balance, wallet, backstop, backstopBalance } = event
      const taker = { account: backstop, market: 0, balance: backstopBalance }
      return [{ account, market, balance, wallet }, taker]
    }
    case 'Deleveraged': {
      const { account, market, accountBalance: balance, accountWallet: wallet } = event
      return [{ account, market, balance, wallet }]
    }
    case 'Transferred':
    case 'ReserveMoved':
      return [
        { account: event.from, market: 0, balance: event.fromBalance },
        { account: event.to, market: 0, balance: event.toBalance },
      ]
    case 'Deposited':
    case 'WithdrawalRequested':
    case 'WithdrawalFailed':
      return [{ account: event.account, market: 0, balance: event.balance }]
    default:
      return []
  }
}

function sidesOf(trade: EventOf<'Traded'>): readonly After[] {
  const { market } = trade
  return [
    {
      ...{ account: trade.taker, market, balance: trade.takerBalance, wallet: trade.takerWallet },
      ...{ lots: trade.takerLots, cost: trade.takerCost },
    },
    {
      ...{ account: trade.maker, market, balance: trade.makerBalance, wallet: trade.makerWallet },
      ...{ lots: trade.makerLots, cost: trade.makerCost },
    },
  ]
}
