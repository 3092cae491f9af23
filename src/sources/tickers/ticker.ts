// The adapter of one price source: its address, subscriptions, message format, and keep-alive. All
// other code is shared by the sources.

import type { Json } from './exact-json.ts'

/** One price as received. */
export type Quote = Readonly<{
  /** The source's symbol. */
  symbol: string
  /** Decimal text; empty if it is missing. */
  price: string
  /** The source's own time of this price, of its trade or quote; `null` if it has none. */
  atMs: number | null
}>

/** Result of parsing a message. */
export type Heard =
  | Readonly<{ kind: 'prices'; quotes: readonly Quote[] }>
  /** A reply or a heartbeat. */
  | Readonly<{ kind: 'idle' }>
  /** A requested symbol is not available; others may be. */
  | Readonly<{ kind: 'refused'; why: string }>
  /** The server will send no more data on this connection. */
  | Readonly<{ kind: 'ends'; why: string }>

export type Ticker = Readonly<{
  wire: 'websocket' | 'events' | 'poll'
  /** Default address; `null` if it has to be configured. */
  url: string | null
  /** Full address for these symbols (default: the url). */
  addressOf?(url: string, symbols: readonly string[]): string
  /** Messages to send when a connection is open. */
  subscriptions(symbols: readonly string[]): readonly string[]
  keepAlive: Readonly<{ everyMs: number; text: string }> | null
  /** A message that is not JSON and is ignored. */
  pong?: string
  /** Parses a message; `null` if it is not understood. */
  read(message: Json, symbols: readonly string[]): Heard | null
}>

export const idle: Heard = { kind: 'idle' }
export const prices = (...quotes: readonly Quote[]): Heard => ({ kind: 'prices', quotes })
export const refused = (why: string | null): Heard => ({ kind: 'refused', why: why ?? 'no reason' })
export const ends = (why: string): Heard => ({ kind: 'ends', why })
