// The last event of a command that says what there is of something says what the core has.

import assert from 'node:assert/strict'
import type { Event } from '../../../src/core/events/event-fields.ts'
import { findRow } from '../../../src/core/margin/position-row.ts'
import { DEFICIT, FEES, INSURANCE } from '../../../src/core/pools/account-pool.ts'
import type { State } from '../../../src/core/state/state.ts'
import { feedHealths, modes } from '../../../src/words/order-words.ts'

/** The last number that was published, by what it is and whose. */
type Latest = Map<string, number>

/** Called for each number of an event that describes the state. */
type Note = (what: string, of: string | number, number: number) => void

export function checkEvents(state: State, seq: number, events: readonly Event[]): void {
  const latest: Latest = new Map()
  for (const event of events) {
    const note: Note = (what, of, number) => {
      latest.set(`${what} ${of}`, number)
      // A position that is opened again starts with no funding paid, and no event repeats that.
      if (what === 'lots' && event.type !== 'FundingPaid') latest.delete(`fundingPaid ${of}`)
    }
    noteMoney(event, note)
    notePositions(event, note)
    noteOrders(event, note)
    noteMarkets(event, note)
  }
  for (const [what, number] of latest)
    assert.equal(number, numberOf(state, what), `seq ${seq}: ${what}`)
}

function noteMoney(event: Event, note: Note): void {
  const account = (of: number, balance: number, pending?: number) => {
    note('balance', of, balance)
    if (pending !== undefined) note('pending', of, pending)
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

function notePositions(event: Event, note: Note): void {
  const position = (account: number, market: number, held: Held) => {
    for (const [what, number] of Object.entries(held)) note(what, `${account} ${market}`, number)
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

function noteOrders(event: Event, note: Note): void {
  const level = (side: string, price: number, market: number, lots: number) =>
    note('level', `${market} ${side} ${price}`, lots)
  switch (event.type) {
    case 'OrderPlaced':
      return note('remaining', event.order, event.size)
    case 'OrderRested':
      note('remaining', event.order, event.remaining)
      return level(event.side, event.price, event.market, event.levelLots)
    case 'OrderReduced':
      note('remaining', event.order, event.remaining)
      if (event.levelLots >= 0) level(event.side, event.price, event.market, event.levelLots)
      return
    case 'OrderCancelled':
      note('remaining', event.order, 0)
      note('stop', event.order, -1)
      if (event.levelLots >= 0) level(event.side, event.price, event.market, event.levelLots)
      return
    case 'Traded': {
      note('remaining', event.takerOrder, event.takerRemaining)
      note('remaining', event.makerOrder, event.makerRemaining)
      const side = event.side === 'bid' ? 'ask' : 'bid'
      return level(side, event.price, event.market, event.levelLots)
    }
    case 'StopArmed':
    case 'StopReduced':
      return note('stop', event.order, event.size)
    case 'StopTriggered':
      return note('stop', event.order, -1)
    case 'AlgoFilled':
      note('twapLots', event.algo, event.filled)
      return note('twapValue', event.algo, event.filledValue)
    case 'AlgoStepped':
      return note('twapSlice', event.algo, event.step)
    case 'AlgoEnded':
      for (const what of ['twapLots', 'twapValue', 'twapSlice']) note(what, event.algo, -1)
  }
}

function noteMarkets(event: Event, note: Note): void {
  if ('openInterest' in event) note('openInterest', event.market, event.openInterest)
  switch (event.type) {
    case 'MarkUpdated':
      note('mark', event.market, event.mark)
      return note('oracle', event.market, event.oracle)
    case 'MarketModeSet':
      return note('mode', event.market, modes.indexOf(event.mode))
    case 'ExchangeModeSet':
      return note('exchangeMode', 0, modes.indexOf(event.mode))
    case 'FeedHealthChanged':
      return note('health', event.market, feedHealths.indexOf(event.health))
    case 'MarketSettled':
      return note('settled', event.market, 1)
    case 'LeverageSet':
      return note('leverage', `${event.account} ${event.market}`, event.leverage)
    case 'MarginModeSet':
      return note('isolated', `${event.account} ${event.market}`, +event.isolated)
    case 'AccountFrozen':
      return note('frozen', event.account, +event.frozen)
    case 'FundingFixed':
      return note('rate', event.market, event.rate)
  }
}

/** What the core has of it now. */
function numberOf(state: State, latest: string): number {
  const [what, ...of] = latest.split(' ')
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
