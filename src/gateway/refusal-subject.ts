// The subject and the context of a rejection, from which its message is made.

import type { MarketParams, MarketStatus } from '../core/index.ts'

/** What the request concerns; fields are `null` if the request does not have them. */
export type Subject = Readonly<{
  account: string
  params: MarketParams | null
  clientOrderId?: string | null
  /** A stop order, as opposed to a level of a position or an order. */
  isStop?: boolean
}> &
  Partial<Circumstances>

/** The context of a rejection. */
export type Circumstances = Readonly<{
  acceptable: Acceptable | null
  /** The exact cause, as a sentence that replaces the general one. */
  cause: string | null
  /** Status of the market; `frozen` if the account is frozen. */
  status: MarketStatus | 'frozen' | null
  stopsMost: number
  /** Whether the rejected value is the trailing distance of a stop or level. */
  trails?: boolean
  /** Whether the account's position in the market is isolated. */
  isolated?: boolean
  /** What is insufficient: the margin after a close, the margin of an isolated position, or its
   *  removable part. */
  lacking?: 'close' | 'wallet' | 'free' | null
  /** Positions that are not valued at mark (MARGIN-3). */
  guarded?: readonly Guarded[]
  /** Guarded equity of the cross account. */
  equity?: number
  maintenance?: number
  /** Cross positions in markets whose price is stale, and the margin kept for them (MARGIN-7). */
  stale?: readonly Readonly<{ symbol: string; kept: number }>[]
}>

export type Guarded = Readonly<{
  params: MarketParams
  isLong: boolean
  price: number
  mark: number
  catchesUp: boolean
}>

/** What would be accepted now: sizes in lots (0 if none), the best price of the other side, and
 *  the nearest price without a match (0 if there is none). */
export type Acceptable = Readonly<{
  least?: number
  most?: number
  best?: number
  rests?: number
  /** The `stp` setting by which the order is cancelled, because the first order that it meets has
   *  the same owner. */
  cancelledBy?: string
  /** Whether all orders that it would meet have the same owner. */
  meetsOwn?: boolean
}>
