// Channels of account events other than orders: fills, money, settings and liquidations.

import type { EventOf } from '../../core/index.ts'
import {
  averagePriceText,
  fillPriceText,
  moneyText,
  sizeText,
} from '../../projections/market-text.ts'
import { declared } from '../../protocol/streams/channels.ts'
import type { FillFact, Place } from '../accounts/facts.ts'
import { pastFills, pastTransfers } from '../accounts/past-facts.ts'
import { type Owner, paramsOf } from '../accounts/watch.ts'
import { factChannel, ownFactChannel, type Row } from './account-channel.ts'

type Transfer = Readonly<{ event: string; amount: number; balance: number; pending: number }>

type Liquidation = Readonly<{
  event: string
  /** 0 for the cross account. */
  market: number
  lots?: number
  value?: number
  equity?: number
  maintenance?: number
}>

type Setting<T> = Readonly<{ market: number; value: T }>

const transferEvents: readonly string[] = [
  ...['deposit', 'withdraw', 'withdraw_completed', 'withdraw_failed'],
  ...['subaccount_transfer', 'reserve_transfer'],
]

const transfers = {
  ...declared.accountTransfers,
  past: pastTransfers(({ event, amount, balance, pending }): Transfer | null =>
    transferEvents.includes(event) ? { event, amount, balance, pending } : null,
  ),
}

export const accountEventChannels = {
  userTradeHistory: factChannel({ ...declared.userTradeHistory, past: pastFills }, 'fill', fillRow),

  accountMargin: ownFactChannel<Setting<boolean>>(declared.accountMargin, {
    facts: { MarginModeSet: { account: ({ market, isolated: value }) => ({ market, value }) } },
    row: (owner, { market, value }, { atMs }) => ({
      ...settingHead(owner, market),
      i: value,
      t: atMs,
    }),
    each: true,
  }),

  accountLeverage: ownFactChannel<Setting<number>>(declared.accountLeverage, {
    facts: { LeverageSet: { account: ({ market, leverage: value }) => ({ market, value }) } },
    row: (owner, { market, value }, { atMs }) => ({
      ...settingHead(owner, market),
      l: `${value}`,
      t: atMs,
    }),
    each: true,
  }),

  accountTransfers: ownFactChannel<Transfer>(transfers, {
    facts: {
      Deposited: { account: (event) => moved('deposit', event.amount, event) },
      WithdrawalRequested: { account: (event) => moved('withdraw', -event.amount, event) },
      WithdrawalCompleted: { account: (event) => moved('withdraw_completed', 0, event) },
      WithdrawalFailed: { account: (event) => moved('withdraw_failed', event.amount, event) },
      Transferred: {
        from: ({ amount, fromBalance: balance, fromPending: pending }) =>
          moved('subaccount_transfer', -amount, { balance, pending }),
        to: ({ amount, toBalance: balance, toPending: pending }) =>
          moved('subaccount_transfer', amount, { balance, pending }),
      },
      ReserveMoved: {
        from: ({ amount, fromBalance: balance, fromPending: pending }) =>
          moved('reserve_transfer', -amount, { balance, pending }),
        to: ({ amount, toBalance: balance, toPending: pending }) =>
          moved('reserve_transfer', amount, { balance, pending }),
      },
    },
    row: transferRow,
  }),

  accountLiquidations: ownFactChannel<Liquidation>(declared.accountLiquidations, {
    facts: {
      LiquidationStarted: {
        account: ({ scope: market, equity, maintenance }) => ({
          ...{ event: 'liquidation_started', market, equity, maintenance },
        }),
      },
      LiquidationStepped: {
        account: ({ market, lots }) => ({ event: 'market_liquidation', market, lots }),
      },
      BackstopTookOver: {
        account: (event) => ({ event: 'backstop_liquidation', ...closed(event) }),
      },
      Deleveraged: { account: deleveraged, counterparty: deleveraged },
      InsurancePaid: {
        account: ({ scope: market, amount: value }) => ({ event: 'insurance_paid', market, value }),
      },
    },
    row: liquidationRow,
  }),
}

function moved(
  event: string,
  amount: number,
  { balance, pending }: Pick<Transfer, 'balance' | 'pending'>,
): Transfer {
  return { event, amount, balance, pending }
}

type Closed = Readonly<{ market: number; lots: number; value: number }>

function closed({ market, lots, value }: Closed): Closed {
  return { market, lots: Math.abs(lots), value: Math.abs(value) }
}

function deleveraged(event: EventOf<'Deleveraged'>): Liquidation {
  return { event: 'adl_liquidation', ...closed(event) }
}

function fillRow(owner: Owner, fact: FillFact): Row {
  const params = paramsOf(owner, fact.market)
  const { accounts } = owner.view
  return {
    h: fact.history,
    i: fact.order === 0 ? null : fact.order,
    I: fact.clientOrderId,
    u: owner.address,
    c: accounts.addressOf(fact.counterparty),
    s: params.symbol,
    a: sizeText(params, fact.lots),
    p: fillPriceText(params, fact),
    o: averagePriceText(params, fact.entryCost, fact.entryLots),
    f: moneyText(fact.fee),
    n: moneyText(fact.pnl),
    e: fact.kind,
    te: fact.role === 'maker' ? 'fulfill_maker' : 'fulfill_taker',
    ts: fact.kind.replace(/^force_/, ''),
    tc: fact.cause,
    t: fact.atMs,
    li: fact.seq,
  }
}

function settingHead(owner: Owner, market: number): Row {
  return { u: owner.address, s: paramsOf(owner, market).symbol }
}

function transferRow({ address }: Owner, transfer: Transfer, { seq, atMs }: Place): Row {
  return {
    account: address,
    amount: moneyText(transfer.amount),
    balance: moneyText(transfer.balance),
    pending_balance: moneyText(transfer.pending),
    event_type: transfer.event,
    created_at: atMs,
    li: seq,
  }
}

function liquidationRow(owner: Owner, step: Liquidation, { seq, atMs }: Place): Row {
  const { market, lots, value, equity, maintenance } = step
  const params = market === 0 ? null : paramsOf(owner, market)
  const money = (amount?: number) => (amount === undefined ? null : moneyText(amount))
  const size = params === null || lots === undefined ? null : sizeText(params, lots)
  const hasPrice = params !== null && lots !== undefined && value !== undefined
  return {
    account: owner.address,
    event_type: step.event,
    symbol: params?.symbol ?? null,
    amount: lots === undefined ? money(value) : size,
    price: hasPrice ? averagePriceText(params, value, lots) : null,
    equity: money(equity),
    maintenance_margin: money(maintenance),
    created_at: atMs,
    li: seq,
  }
}
