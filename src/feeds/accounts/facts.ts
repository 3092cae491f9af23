// What happened to an account, kept for a while so that a reader who was away can be told. Facts
// are complete in themselves: what they speak of may have ended since.

import type { FillRow } from '../../projections/history/history.ts'
import type { LiveOrder } from './live-orders.ts'
import type { LiveTwap } from './live-twaps.ts'

type Place = Readonly<{ seq: number; atMs: number }>

/** A step in the life of an order, with the order as it was after it. */
export type OrderFact = Place &
  Readonly<{
    type: 'order'
    order: Readonly<LiveOrder>
    /** Micro-dollars of its fills. */
    value: number
    /** Lots placed, filled or cancelled by this step. */
    lots: number
    /** Of the fill that this step is, in ticks; 0: it is none. */
    fillPrice: number
  }>

/** As history has it, but the counterparty is an account's id, and the owner whoever is told. */
export type FillFact = Readonly<{ type: 'fill'; counterparty: number }> &
  Omit<FillRow, 'account' | 'counterparty'>

export type SettingFact = Place &
  (
    | Readonly<{ type: 'margin'; market: number; isolated: boolean }>
    | Readonly<{ type: 'leverage'; market: number; leverage: number }>
  )

export type TransferFact = Place &
  Readonly<{
    type: 'transfer'
    event: 'deposit' | 'withdraw' | 'withdraw_completed' | 'withdraw_failed' | 'subaccount_transfer'
    amount: number
    balance: number
    pending: number
  }>

export type LiquidationFact = Place &
  Readonly<{
    type: 'liquidation'
    event:
      | 'liquidation_started'
      | 'market_liquidation'
      | 'backstop_liquidation'
      | 'adl_liquidation'
      | 'insurance_paid'
    /** 0: the cross account. */
    market: number
    /** Null where the event has none. */
    lots: number | null
    value: number | null
    equity: number | null
    maintenance: number | null
  }>

export type TwapFact = Place &
  Readonly<{ type: 'twap'; twap: Readonly<LiveTwap>; event: string; status: string }>

export type Fact = OrderFact | FillFact | SettingFact | TransferFact | LiquidationFact | TwapFact
