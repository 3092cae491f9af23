// What happened to an account, kept for a while so that a reader who was away gets it. Facts
// are complete in themselves: what they are about may have ended since.

import type { FillRow } from '../../projections/history/history.ts'
import type { ChannelName } from '../../protocol/streams/channels.ts'
import type { LiveOrder } from './live-order.ts'
import type { LiveTwap } from './live-twaps.ts'

export type Place = Readonly<{ seq: number; atMs: number }>

/** A step in the life of an order, with the order as it was after it. */
export type OrderFact = Place &
  Readonly<{
    type: 'order'
    order: Readonly<Omit<LiveOrder, 'released'>> & { released: boolean }
    /** Micro-dollars of its fills. */
    value: number
    /** Lots placed, filled or cancelled by this step. */
    lots: number
    /** Of the fill that this step is, in ticks; 0: it is none. */
    fillPrice: number
    /** The order that it came with or from is not released. */
    parentUnreleased: boolean
    /** The order's placing, published to others at its release; its owner got it earlier. */
    late: boolean
  }>

/** As history has it, but the counterparty is an account's id, and the owner the account. */
export type FillFact = Readonly<{ type: 'fill'; counterparty: number }> &
  Omit<FillRow, 'account' | 'counterparty'>

export type TwapFact = Place &
  Readonly<{ type: 'twap'; twap: Readonly<LiveTwap>; event: string; status: string }>

/** Of one channel alone, which made it from an event and knows what is in it. */
export type ChannelFact = Place &
  Readonly<{ type: 'channel'; channel: ChannelName; content: unknown }>

export type Fact = OrderFact | FillFact | TwapFact | ChannelFact
