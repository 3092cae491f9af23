// The declaration of a channel for its subscribers. Server, documents, checks and clients derive
// from it.

import type { TSchema } from '../schemas/typebox.ts'
import type { Fields } from './fields.ts'

/** The parameter of a subscription, other than its source. */
export type ChannelOf = 'book' | 'symbol' | 'interval' | 'all' | 'account'

/** `state`: sends its present value first. `list`: a full list first, then changed rows. `events`:
 *  only events. */
export type ChannelSends = 'state' | 'list' | 'events'

export type Declaration = Readonly<{
  /** All spellings; a frame's `channel` is the one that was subscribed to. */
  sources: readonly [string, ...string[]]
  of: ChannelOf
  sends: ChannelSends
  /** A state that is sent whole once and then as changes: no frame of it is self-contained. */
  inParts?: true
  /** A subscription may begin with the events since a time (`since`). */
  since?: true
  /** Of algos: unless reads are public, only their owner may subscribe. */
  ofAlgos?: true
  summary: string
  /** The schema of a frame's `data`, made of these fields. */
  data(is: Fields): TSchema
}>

export type Declarations = Readonly<Record<string, Declaration>>
