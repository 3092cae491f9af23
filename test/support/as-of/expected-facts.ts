// What readers see of one command, made from the events and the state of a core that was stepped
// command by command.

import type { MarketParams } from '../../../src/core/commands/market-params.ts'
import type { Event } from '../../../src/core/events/event-fields.ts'
import type { FillPart } from '../../../src/core/events/fills-of.ts'
import type { OrderEventRow } from '../../../src/projections/history/history.ts'
import {
  averagePriceText,
  fillPriceText,
  moneyText,
  priceText,
  sizeText,
} from '../../../src/projections/market-text.ts'
import { partsOf, withoutMoney } from '../history/naive-fills.ts'
import type { Row } from './readers.ts'

export type Params = (market: number) => MarketParams

export function partsIn(event: Event): readonly FillPart[] {
  if (event.type === 'Traded') return partsOf(event)
  return event.type === 'Filled' ? [{ ...withoutMoney(event), order: 0, fee: 0 }] : []
}

export function transferRows(event: Event, account: number): readonly Row[] {
  const row = (event_type: string, amount: number, balance: number, pending: number) => ({
    amount: moneyText(amount),
    balance: moneyText(balance),
    pending_balance: moneyText(pending),
    event_type,
  })
  if (event.type === 'Transferred' || event.type === 'ReserveMoved') {
    const { from, to, amount, fromBalance, fromPending, toBalance, toPending } = event
    const name = event.type === 'Transferred' ? 'subaccount_transfer' : 'reserve_transfer'
    return [
      ...(from === account ? [row(name, -amount, fromBalance, fromPending)] : []),
      ...(to === account ? [row(name, amount, toBalance, toPending)] : []),
    ]
  }
  if (!('account' in event) || event.account !== account) return []
  switch (event.type) {
    case 'Deposited':
      return [row('deposit', event.amount, event.balance, event.pending)]
    case 'WithdrawalRequested':
      return [row('withdraw', -event.amount, event.balance, event.pending)]
    case 'WithdrawalCompleted':
      return [row('withdraw_completed', 0, event.balance, event.pending)]
    case 'WithdrawalFailed':
      return [row('withdraw_failed', event.amount, event.balance, event.pending)]
    default:
      return []
  }
}

export function settingRows(event: Event, account: number, params: Params): readonly Row[] {
  if (event.type !== 'LeverageSet' && event.type !== 'MarginModeSet') return []
  if (event.account !== account) return []
  const s = params(event.market).symbol
  return [event.type === 'LeverageSet' ? { s, l: `${event.leverage}` } : { s, i: event.isolated }]
}

export function liquidationRows(event: Event, account: number, params: Params): readonly Row[] {
  const isOther = event.type === 'Deleveraged' && event.counterparty === account
  if (!('account' in event) || (event.account !== account && !isOther)) return []
  const closed = (name: string, market: number, lots: number, value: number) => ({
    event_type: name,
    symbol: params(market).symbol,
    amount: sizeText(params(market), Math.abs(lots)),
    price: averagePriceText(params(market), Math.abs(value), Math.abs(lots)),
  })
  switch (event.type) {
    case 'LiquidationStarted':
      return [
        {
          event_type: 'liquidation_started',
          equity: moneyText(event.equity),
          maintenance_margin: moneyText(event.maintenance),
        },
      ]
    case 'LiquidationStepped': {
      const { market, lots } = event
      const amount = sizeText(params(market), lots)
      return [{ event_type: 'market_liquidation', symbol: params(market).symbol, amount }]
    }
    case 'BackstopTookOver':
      return [closed('backstop_liquidation', event.market, event.lots, event.value)]
    case 'Deleveraged':
      return [closed('adl_liquidation', event.market, event.lots, event.value)]
    case 'InsurancePaid':
      return [{ event_type: 'insurance_paid', amount: moneyText(event.amount) }]
    default:
      return []
  }
}

/** A fill as it is published to its account. */
export function fillRow(part: FillPart, params: Params): Row {
  const of = params(part.market)
  return {
    h: part.history,
    i: part.order === 0 ? null : part.order,
    s: of.symbol,
    a: sizeText(of, part.lots),
    p: fillPriceText(of, part),
    o: averagePriceText(of, part.entryCost, part.entryLots),
    f: moneyText(part.fee),
    n: moneyText(part.pnl),
    e: part.kind,
    tc: part.cause,
  }
}

export function tradeRows(event: Event, params: Params): readonly Row[] {
  if (event.type !== 'Traded') return []
  const { history: h, market, lots, price, side, cause: tc } = event
  const of = params(market)
  const e = partsOf(event)[0]!.kind
  return [{ h, s: of.symbol, a: sizeText(of, lots), p: priceText(of, price), e, side, tc }]
}

export function forcedRows(event: Event, params: Params): readonly Row[] {
  return partsIn(event)
    .filter(({ cause, kind }) => cause === 'deleverage' || kind.startsWith('force'))
    .map((part) => ({
      history_id: part.history,
      symbol: params(part.market).symbol,
      side: part.kind,
      amount: sizeText(params(part.market), part.lots),
      price: fillPriceText(params(part.market), part),
      cause: part.cause,
    }))
}

/** An order as it was after a step. */
export function orderRow(row: OrderEventRow, params: Params): Row {
  const of = params(row.market)
  const { filledLots, filledValue } = row
  const average = filledLots === 0 ? null : averagePriceText(of, filledValue, filledLots)
  return {
    i: row.order,
    s: of.symbol,
    p: average,
    ip: priceText(of, row.price),
    a: sizeText(of, row.initialLots),
    f: sizeText(of, filledLots),
    c: sizeText(of, row.cancelledLots),
    oe: row.event,
    os: row.status,
  }
}

/** These fields of a row, and no others. */
export function picked(row: Row, like: Row): Row {
  return Object.fromEntries(Object.keys(like).map((key) => [key, row[key]]))
}
