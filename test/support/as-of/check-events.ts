// The last event of a command that says what there is of something says what the core has.

import assert from 'node:assert/strict'
import { DEFICIT, FEES, INSURANCE } from '../../../src/core/accounts/account-pool.ts'
import { findRow } from '../../../src/core/accounts/position-row.ts'
import { type Event, feedHealths, modes } from '../../../src/core/events/event-fields.ts'
import type { State } from '../../../src/core/state/state.ts'

/** By what it is about, in words: what was told of it last. */
type Told = Map<string, number>

/** `tell(what, of, number)`, for each number of an event that speaks of what there is. */
type Tell = (what: string, of: string | number, number: number) => void

export function checkEvents(state: State, seq: number, events: readonly Event[]): void {
  const told: Told = new Map()
  for (const event of events) {
    const tell: Tell = (what, of, number) => {
      told.set(`${what} ${of}`, number)
      // One that is opened anew starts with nothing paid, and no event repeats that.
      if (what === 'lots' && event.type !== 'FundingPaid') told.delete(`fundingPaid ${of}`)
    }
    tellMoney(event, tell)
    tellPositions(event, tell)
    tellOrders(event, tell)
    tellMarkets(event, tell)
  }
  for (const [what, number] of told)
    assert.equal(number, numberOf(state, what), `seq ${seq}: ${what}`)
}

function tellMoney(event: Event, tell: Tell): void {
  const account = (of: number, balance: number, pending?: number) => {
    tell('balance', of, balance)
    if (pending !== undefined) tell('pending', of, pending)
  }
  if ('account' in event && 'balance' in event) {
    account(event.account, event.balance)
    if ('pending' in event) account(event.account, event.balance, event.pending)
  }
  if ('fund' in event) account(INSURANCE, event.fund)
  if ('deficit' in event) account(DEFICIT, event.deficit)
  switch (event.type) {
    case 'Traded':
      account(event.taker, event.takerBalance)
      account(event.maker, event.makerBalance)
      return account(FEES, event.fees)
    case 'Transferred':
    case 'ReserveMoved':
      account(event.from, event.fromBalance, event.fromPending)
      return account(event.to, event.toBalance, event.toPending)
    case 'BackstopTookOver':
      return account(event.backstop, event.backstopBalance)
    case 'FeesShared':
      return account(FEES, event.fees)
    case 'Deleveraged':
      account(event.account, event.accountBalance)
      return account(event.counterparty, event.counterpartyBalance)
  }
}

type Held = Readonly<{ lots?: number; cost?: number; wallet?: number; fundingPaid?: number }>

function tellPositions(event: Event, tell: Tell): void {
  const position = (account: number, market: number, held: Held) => {
    for (const [what, number] of Object.entries(held)) tell(what, `${account} ${market}`, number)
  }
  switch (event.type) {
    case 'Traded': {
      const { takerLots, takerCost, takerWallet, makerLots, makerCost, makerWallet } = event
      const took = { lots: takerLots, cost: takerCost, wallet: takerWallet }
      position(event.taker, event.market, took)
      const made = { lots: makerLots, cost: makerCost, wallet: makerWallet }
      return position(event.maker, event.market, made)
    }
    case 'Filled': {
      const { positionLots: lots, positionCost: cost, wallet } = event
      return position(event.account, event.market, { lots, cost, wallet })
    }
    case 'FundingPaid': {
      const { lots, cost, wallet, fundingPaid } = event
      return position(event.account, event.market, { lots, cost, wallet, fundingPaid })
    }
    case 'IsolatedMarginMoved': {
      const { lots, cost, wallet } = event
      return position(event.account, event.market, { lots, cost, wallet })
    }
    case 'BackstopTookOver':
      return position(event.account, event.market, { wallet: event.wallet })
    case 'InsurancePaid':
    case 'DeficitBooked':
      if (event.scope !== 0) position(event.account, event.scope, { wallet: event.wallet })
      return
    case 'Deleveraged': {
      const { accountLots, accountWallet, counterpartyLots, counterpartyWallet } = event
      const own = { lots: accountLots, wallet: accountWallet }
      position(event.account, event.market, own)
      const others = { lots: counterpartyLots, wallet: counterpartyWallet }
      return position(event.counterparty, event.market, others)
    }
  }
}

function tellOrders(event: Event, tell: Tell): void {
  const level = (side: string, price: number, market: number, lots: number) =>
    tell('level', `${market} ${side} ${price}`, lots)
  switch (event.type) {
    case 'OrderPlaced':
      return tell('remaining', event.order, event.size)
    case 'OrderRested':
      tell('remaining', event.order, event.remaining)
      return level(event.side, event.price, event.market, event.levelLots)
    case 'OrderReduced':
      tell('remaining', event.order, event.remaining)
      if (event.levelLots >= 0) level(event.side, event.price, event.market, event.levelLots)
      return
    case 'OrderCancelled':
      tell('remaining', event.order, 0)
      tell('stop', event.order, -1)
      if (event.levelLots >= 0) level(event.side, event.price, event.market, event.levelLots)
      return
    case 'Traded': {
      tell('remaining', event.takerOrder, event.takerRemaining)
      tell('remaining', event.makerOrder, event.makerRemaining)
      const side = event.side === 'bid' ? 'ask' : 'bid'
      return level(side, event.price, event.market, event.levelLots)
    }
    case 'StopArmed':
    case 'StopReduced':
      return tell('stop', event.order, event.size)
    case 'StopTriggered':
      return tell('stop', event.order, -1)
    case 'AlgoFilled':
      tell('twapLots', event.algo, event.filled)
      return tell('twapValue', event.algo, event.filledValue)
    case 'AlgoStepped':
      return tell('twapSlice', event.algo, event.step)
    case 'AlgoEnded':
      for (const what of ['twapLots', 'twapValue', 'twapSlice']) tell(what, event.algo, -1)
  }
}

function tellMarkets(event: Event, tell: Tell): void {
  if ('openInterest' in event) tell('openInterest', event.market, event.openInterest)
  switch (event.type) {
    case 'MarkUpdated':
      tell('mark', event.market, event.mark)
      return tell('oracle', event.market, event.oracle)
    case 'MarketModeSet':
      return tell('mode', event.market, modes.indexOf(event.mode))
    case 'ExchangeModeSet':
      return tell('exchangeMode', 0, modes.indexOf(event.mode))
    case 'FeedHealthChanged':
      return tell('health', event.market, feedHealths.indexOf(event.health))
    case 'MarketSettled':
      return tell('settled', event.market, 1)
    case 'LeverageSet':
      return tell('leverage', `${event.account} ${event.market}`, event.leverage)
    case 'MarginModeSet':
      return tell('isolated', `${event.account} ${event.market}`, +event.isolated)
    case 'AccountFrozen':
      return tell('frozen', event.account, +event.frozen)
    case 'FundingFixed':
      return tell('rate', event.market, event.rate)
  }
}

/** What the core has of it now. */
function numberOf(state: State, told: string): number {
  const [what, ...of] = told.split(' ')
  const [first, second, third] = of
  const [one, other] = [+first!, +second!]
  const { accounts, positions, markets, orders } = state
  const row = () => findRow(markets[other]!, one)
  const market = () => markets[one]!
  switch (what) {
    case 'balance':
      return accounts.balance[one]!
    case 'pending':
      return accounts.pending[one]!
    case 'frozen':
      return accounts.frozen[one]!
    case 'lots':
      return positions.lots[row()]!
    case 'cost':
      return positions.cost[row()]!
    case 'wallet':
      return positions.wallet[row()]!
    case 'fundingPaid':
      return positions.fundingPaid[row()]!
    case 'leverage':
      return positions.leverage[row()]!
    case 'isolated':
      return positions.isolated[row()]!
    case 'remaining': {
      const slot = orders.slotOf(one)
      return slot === 0 ? 0 : orders.remaining(slot)
    }
    case 'stop':
      return state.triggers.get(one)?.size ?? -1
    case 'twapLots':
      return state.algos.get(one)?.filled ?? -1
    case 'twapValue':
      return state.algos.get(one)?.filledValue ?? -1
    case 'twapSlice':
      return state.algos.get(one)?.steps ?? -1
    case 'level': {
      const { bids, asks } = market()
      const level = (second === 'bid' ? bids : asks).levelOf(state.levels, +third!)
      return level === 0 ? 0 : state.levels.lots[level]!
    }
    case 'exchangeMode':
      return state.mode
    case 'settled':
      return +market().settled
    case 'rate':
      return market().fundingRate
    default:
      return market()[what as 'mark' | 'oracle' | 'mode' | 'health' | 'openInterest']
  }
}
