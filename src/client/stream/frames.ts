// Parameters and frames of subscriptions, typed by the name of the channel.

import type { Gather } from '../../protocol/words.ts'
import type { Interval } from '../../units/intervals.ts'
import type { DataOf, OfSource, Source } from '../methods.ts'

export type { DataOf } from '../methods.ts'

type ParamsByKind = Readonly<{
  all: Readonly<Record<never, never>>
  symbol: Readonly<{ symbol: string }>
  book: Readonly<{ symbol: string; agg_level?: Gather }>
  interval: Readonly<{ symbol: string; interval: Interval }>
  /** `account` is optional: the default is the account of the stream. */
  account: Readonly<{ account?: string }>
  /** `since`: the subscription starts with the events since this engine time, in milliseconds. */
  past: Readonly<{ account?: string; since?: number }>
}>

/** The parameters of a subscription to a channel, other than its name. */
export type ParamsOf<S extends Source> = ParamsByKind[OfSource<S>]

/** Why frames may be missing:
 *  - `reconnected`: the channel cannot resume after a lost connection;
 *  - `not_resumed`: the channel can resume, but the connection was lost for too long;
 *  - `reverted`: the sandbox was reverted to a snapshot;
 *  - `skipped`: the client read too slowly, and the exchange skipped frames;
 *  - `sequence`: a frame is missing; a book is requested again;
 *  - `checksum`: a change of the book is wrong; the book is requested again. */
export type GapReason =
  | 'reconnected'
  | 'not_resumed'
  | 'reverted'
  | 'skipped'
  | 'sequence'
  | 'checksum'

/** Reports that frames may be missing. */
export type Gap = Readonly<{
  /** Cause of the gap. */
  reason: GapReason
  /** Number of frames that the exchange skipped; 0 if it is unknown. */
  skipped: number
}>

/** One message of a channel. */
export type Frame<S extends Source = Source> = Readonly<{
  /** The channel, as named by the subscription. */
  source: S
  /** The rows or the value of the channel. */
  data: DataOf<S>
  /** Sequence number of the event that the frame reports, or of the state that it shows. */
  li: number
  /** If true, discard earlier data: this frame has the complete list or a new state. */
  begins: boolean
  /** The last gap since the previous frame. */
  gap: Gap | null
}>

/** A message as received. */
export type Message = Readonly<{
  channel?: string
  id?: string | number
  data?: unknown
  li?: number
  prev?: number | null
  skipped?: number
  code?: number
  /** Of a refusal: its entry in history. */
  seq?: number
  err?: string
}>
