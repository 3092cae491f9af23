// How a stream is made, and what it needs of its client.

import type { FieldsOf, WsName } from '../methods.ts'
import type { SocketMaker } from '../platform/socket.ts'
import type { Fields } from '../requests.ts'
import type { Health } from './connection.ts'
import type { Timers } from './timers.ts'

/** How a stream connects. */
export type StreamOptions = Readonly<{
  /** Called when the connection opens or ends, or its latency was measured. */
  onHealth?: ((health: Health) => void) | undefined
  /** Called with errors that belong to no pending call. */
  onError?: ((error: Error) => void) | undefined
  /** In place of the platform's own websocket. */
  openSocket?: SocketMaker | undefined
  /** In place of the platform's own timers. */
  timers?: Timers | undefined
  /** How long to wait for replies, in milliseconds (default: the client's). */
  timeoutMs?: number | undefined
  /** Milliseconds between two pings (default: 15 s). */
  pingMs?: number | undefined
  /** Milliseconds before another attempt to connect: after the first failure, and at most (default:
   *  250 ms and 15 s). */
  backoffMs?: Readonly<{ first: number; most: number }> | undefined
}>

export type StreamParts = Readonly<{
  urls: readonly string[]
  headers: Readonly<Record<string, string>>
  apiKey: string | null
  account: string | null
  /** The body of a signed read; null: no key signs reads. */
  signedRead(): Promise<Fields> | null
  timers: Timers
  openSocket: SocketMaker
  timeoutMs: number
  options: StreamOptions
  /** Signs a request. */
  body<N extends WsName>(name: N, fields: FieldsOf<N>): Promise<Fields>
  bodyToArm(fields: Fields): Promise<Fields>
  /** Called with every entry number that is received. */
  saw(li: number): void
  /** Called with every refusal. */
  refused(error: Error): void
  /** Asks over HTTP, of whichever address answers; null: there is one address only. `sent`: it may
   *  have been carried out. */
  elsewhere: ((name: WsName, body: Fields, sent: boolean) => Promise<unknown>) | null
}>

/** What is cancelled when a connection ends. */
export type CancelOnDisconnect = Readonly<{
  /** Spare reduce-only stops and TP/SL levels (default: true). */
  keepProtective?: boolean
}>
