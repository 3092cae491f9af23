// Errors of requests. A refusal is an answer; after a failure there is none, and the outcome of the
// request is unknown.

import type { RouteName } from '../protocol/routes.ts'

/** The exchange refused the request: it had no effect. */
export class ApiRefusal extends Error {
  /** Name of the class. */
  override readonly name = 'ApiRefusal'
  /** HTTP status; over the websocket the status or the engine's code. */
  readonly status: number
  /** The engine's code where a rule refused, else the HTTP status. */
  readonly code: number
  /** The name that the message begins with, such as `INSUFFICIENT_BALANCE`. */
  readonly reason: string
  /** Seconds after which to come again; null: the exchange does not say. */
  readonly retryAfter: number | null
  /** Entry of history with the refusal, which `explainRefusal` takes. If the request was refused
   *  before it had one, null or the newest entry. */
  readonly seq: number | null
  /** The whole body of the answer. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(message: string, answer: Refused) {
    super(message)
    this.status = answer.status
    this.code = answer.code
    this.reason = /^[A-Z][A-Z_]+(?=:)/.exec(message)?.[0] ?? 'UNKNOWN'
    this.retryAfter = answer.retryAfter
    this.seq = answer.seq ?? null
    this.details = answer.details
  }
}

export type Refused = Pick<ApiRefusal, 'status' | 'code' | 'retryAfter' | 'details'> &
  Partial<Pick<ApiRefusal, 'seq'>>

/** No reply came: there was no connection, or it broke. `cause` says more. */
export class NetworkFailure extends Error {
  /** Name of the class. */
  override readonly name = 'NetworkFailure'
}

/** No reply came in time. */
export class TimeoutFailure extends Error {
  /** Name of the class. */
  override readonly name = 'TimeoutFailure'
}

/** A signed request may have been carried out, and its answer was lost, or was an error of the
 *  exchange that leaves this open. `Client.sendAgain` with its
 *  `operation` and `body` finds out later: it is never done twice. */
export class OutcomeUnknown extends Error {
  /** Name of the class. */
  override readonly name = 'OutcomeUnknown'
  /** The route it was sent to. */
  readonly operation: RouteName
  /** What was sent, with its signature. */
  readonly body: Readonly<Record<string, unknown>>
  /** `true` if the exchange has processed it, once, and its reply cannot be looked up. */
  readonly judged: boolean

  constructor(message: string, { operation, body, judged, cause }: Unanswered) {
    super(message, { cause })
    this.operation = operation
    this.body = body
    this.judged = judged
  }
}

type Unanswered = Pick<OutcomeUnknown, 'operation' | 'body' | 'judged'> &
  Readonly<{ cause: unknown }>

/** A key belongs to another exchange than the one at this address. Nothing was signed. */
export class VenueMismatch extends Error {
  /** Name of the class. */
  override readonly name = 'VenueMismatch'
  /** Address of the key. */
  readonly address: string
  /** Id of the venue that the key belongs to. */
  readonly expected: string
  /** Id of the venue that was found; null: the exchange does not say which one it is. */
  readonly found: string | null

  constructor(url: string, { address, expected, found }: Venues) {
    const other = found === null ? 'does not say which exchange it is' : `is venue ${found}`
    super(
      `${url} ${other}, and the key ${address} belongs to venue ${expected}; nothing was signed`,
    )
    this.address = address
    this.expected = expected
    this.found = found
  }
}

type Venues = Pick<VenueMismatch, 'address' | 'expected' | 'found'>

/** What answered does not speak this API: another program, or a proxy in between. */
export class UnexpectedReply extends Error {
  /** Name of the class. */
  override readonly name = 'UnexpectedReply'
  /** HTTP status of the reply. */
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}
