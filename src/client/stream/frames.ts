// What is subscribed to and what comes, typed by the spelling of the channel.

import type { Gather } from '../../protocol/words.ts'
import type { Interval } from '../../units/intervals.ts'
import type { DataOf, OfSource, Source } from '../methods.ts'

export type { DataOf } from '../methods.ts'

type ParamsByKind = Readonly<{
  all: Readonly<Record<never, never>>
  symbol: Readonly<{ symbol: string }>
  book: Readonly<{ symbol: string; agg_level?: Gather }>
  interval: Readonly<{ symbol: string; interval: Interval }>
  /** The stream's own account, which need not be named. */
  account: Readonly<{ account?: string }>
  /** `since`, in milliseconds of engine time: it begins with the events since then. */
  past: Readonly<{ account?: string; since?: number }>
}>

/** The parameters of a subscription to a channel, other than its name. */
export type ParamsOf<S extends Source> = ParamsByKind[OfSource<S>]

/** Why something may be missing:
 *  - `reconnected`: the channel cannot go on where a lost connection ended;
 *  - `not_resumed`: it can, but we were away for too long;
 *  - `reverted`: the sandbox went back to a snapshot;
 *  - `skipped`: we read too slowly, and the exchange left frames out;
 *  - `sequence`: a frame is missing; a book is requested again;
 *  - `checksum`: a change of the book is wrong, and the book is requested again. */
export type GapReason =
  | 'reconnected'
  | 'not_resumed'
  | 'reverted'
  | 'skipped'
  | 'sequence'
  | 'checksum'

/** Something may be missing. */
export type Gap = Readonly<{
  /** Why. */
  reason: GapReason
  /** How many frames the exchange left out; 0: it does not say. */
  skipped: number
}>

/** One message of a channel. */
export type Frame<S extends Source = Source> = Readonly<{
  /** The channel, as it was subscribed to. */
  source: S
  /** Its rows, or its value. */
  data: DataOf<S>
  /** The entry in history that it reports, or is true as of. */
  li: number
  /** Forget what you have: a list is whole, a state is new. */
  begins: boolean
  /** The last gap since the frame before this one. */
  gap: Gap | null
}>

/** A message as it comes. */
export type Message = Readonly<{
  channel?: string
  id?: string | number
  data?: unknown
  li?: number
  prev?: number | null
  skipped?: number
  code?: number
  err?: string
}>
