// The declaration of a channel. The server, the documents, the checks and the clients derive from
// it.

import type { TSchema } from '../schemas/typebox.ts'
import type { Fields } from './fields.ts'

/** The kind of parameter that a subscription has in addition to its source. */
export type ChannelOf = 'book' | 'symbol' | 'interval' | 'all' | 'account'

/** `state`: sends the current value first. `list`: sends the full list first, then changed rows.
 *  `events`: sends events only. */
export type ChannelSends = 'state' | 'list' | 'events'

export type Declaration = Readonly<{
  /** All aliases. The `channel` of a frame is the alias of the subscription. */
  sources: readonly [string, ...string[]]
  of: ChannelOf
  sends: ChannelSends
  /** A state that is sent completely once, then as changes. No frame is self-contained. */
  inParts?: true
  /** A subscription may start with the events since a given time (`since`). */
  since?: true
  /** Shows algos or places in queues: unless reads are public, only their owner may subscribe. */
  ownersOnly?: true
  summary: string
  /** Builds the schema of a frame's `data` from the given field types. */
  data(is: Fields): TSchema
}>

export type Declarations = Readonly<Record<string, Declaration>>
