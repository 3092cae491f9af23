// The subject of a refusal and its context, from which the message is made.

import type { MarketParams, MarketStatus } from '../core/index.ts'

/** Parts of the message; `null` if the request does not have them. */
export type Subject = Readonly<{
  account: string
  params: MarketParams | null
  clientOrderId?: string | null
  /** A stop order, and not a level of a position or of another order. */
  isStop?: boolean
}> &
  Partial<Circumstances>

/** The state when something was refused. */
export type Circumstances = Readonly<{
  acceptable: Acceptable | null
  /** The exact cause, as a sentence in place of the general one. */
  cause: string | null
  /** Status of the market; or that the account is frozen. */
  status: MarketStatus | 'frozen' | null
  stopsMost: number
  /** The refused value is the trailing distance of a stop or level. */
  trails?: boolean
  /** The account's position in the market has its own margin. */
  isolated?: boolean
  /** What is insufficient: the remainder after a close, the margin of an isolated position, or the
   *  part of it that can be removed. */
  lacking?: 'close' | 'wallet' | 'free' | null
  /** Positions that do not count at mark (MARGIN-3). */
  guarded?: readonly Guarded[]
  /** Of the cross account: guarded equity. */
  equity?: number
  maintenance?: number
  /** Cross positions in markets whose price cannot be trusted, and what they keep (MARGIN-7). */
  stale?: readonly Readonly<{ symbol: string; kept: number }>[]
}>

export type Guarded = Readonly<{
  params: MarketParams
  isLong: boolean
  price: number
  mark: number
  catchesUp: boolean
}>

/** What would be accepted now instead: sizes in lots (0 for none), the best price of the other
 *  side, and the nearest price without a match (0 if there is none). */
export type Acceptable = Readonly<{
  least?: number
  most?: number
  best?: number
  rests?: number
  /** The `stp` by which it yields to an order of its owner, which is the first that it meets. */
  cancelledBy?: string
  /** All orders that it would meet are its owner's. */
  meetsOwn?: boolean
}>
