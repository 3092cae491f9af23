// Options of a stream, and the parts of the client that it uses.

import type { FieldsOf, WsName } from '../methods.ts'
import type { SocketMaker } from '../platform/socket.ts'
import type { Fields } from '../requests.ts'
import type { Health } from './connection.ts'
import type { Timers } from './timers.ts'

/** Options of a stream. */
export type StreamOptions = Readonly<{
  /** Called when the connection opens or ends, and after each ping. */
  onHealth?: ((health: Health) => void) | undefined
  /** Called with errors that belong to no pending call. */
  onError?: ((error: Error) => void) | undefined
  /** Creates websockets (default: the platform's). */
  openSocket?: SocketMaker | undefined
  /** Provides timers (default: the platform's). */
  timers?: Timers | undefined
  /** Reply timeout in milliseconds (default: the client's). */
  timeoutMs?: number | undefined
  /** Interval of pings in milliseconds (default: 15 s). */
  pingMs?: number | undefined
  /** Delay in milliseconds before reconnecting: after the first failure, and the maximum
   *  (defaults: 250 ms and 15 s). */
  backoffMs?: Readonly<{ first: number; most: number }> | undefined
}>

export type StreamParts = Readonly<{
  urls: readonly string[]
  headers: Readonly<Record<string, string>>
  apiKey: string | null
  account: string | null
  /** Returns the body of a signed read; `null` if no key signs reads. */
  signedRead(): Promise<Fields> | null
  timers: Timers
  openSocket: SocketMaker
  timeoutMs: number
  options: StreamOptions
  /** Signs a request. */
  body<N extends WsName>(name: N, fields: FieldsOf<N>): Promise<Fields>
  bodyToArm(fields: Fields): Promise<Fields>
  /** Called with every sequence number that is received. */
  saw(li: number): void
  /** Called with every refusal. */
  refused(error: Error): void
  /** Sends a request over HTTP to any address that answers; `null` if there is only one address.
   *  `sent`: the request may already have been executed. */
  elsewhere: ((name: WsName, body: Fields, sent: boolean) => Promise<unknown>) | null
}>

/** Which orders are cancelled when a connection ends. */
export type CancelOnDisconnect = Readonly<{
  /** Keep reduce-only stops and TP/SL levels (default: true). */
  keepProtective?: boolean
}>
