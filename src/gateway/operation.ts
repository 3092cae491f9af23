// One thing a client may ask, declared once: the transports, the signature check, the rate limit,
// the OpenAPI document and the typed client all read this object.

import type { Static, TSchema } from 'typebox'
import type { Proof } from '../core/commands.ts'
import type { RejectionName } from '../core/rejections.ts'
import type { SigningType } from '../protocol/signing-types.ts'
import type { Exchange } from './exchange.ts'

/** Credits a request costs (limits/): one, half for what cancels, more for heavy reads. */
export type Cost = 'plain' | 'cancel' | 'heavy'

/** How the reply is wrapped: the contract's own endpoints are bare, the others enveloped. Lists
 *  with a cursor and lists that say how fresh they are add fields to the envelope. */
export type Wrapping = 'bare' | 'envelope' | 'page' | 'as_of'

/** Which statuses a refusal by the rules gets: the contract's endpoints answer 400 to all. */
export type Refusals = 'contract' | 'rules'

/** Who asks, after every check at the door. */
export type Caller = Readonly<{
  requestId: string
  ip: string
  /** Account of a valid API key header, null without one. */
  keyAccount: string | null
}>

/** What the verified signature says. `account` is an address. */
export type Signed = Readonly<{ account: string; proof: Proof }>

export type Call<Request> = Readonly<{
  request: Request
  caller: Caller
  exchange: Exchange
  /** For operations that carry more than one signed text. Throws when a signature is not good. */
  verify(type: SigningType, body: unknown): Promise<Signed>
  verifySubaccount(body: unknown): Promise<Signed & Readonly<{ subaccount: string }>>
}>
export type SignedCall<Request> = Call<Request> & Readonly<{ signed: Signed }>

type Described<Request extends TSchema, Reply extends TSchema> = Readonly<{
  /** Unique, snake_case; the operationId of the API documents. */
  name: string
  /** Relative to the mount (`/api/v1`). */
  http: `${'GET' | 'POST'} /${string}`
  /** The websocket's name of it; null: HTTP only. */
  ws: string | null
  group: string
  summary: string
  cost: Cost
  wraps: Wrapping
  refusals: Refusals
  /** Its page can be had as a table too. */
  csv?: true
  /** Query of a GET, body of a POST without the signing fields. */
  request: Request
  reply: Reply
  /** Rules that may refuse it, for the documents. */
  rejects: readonly RejectionName[]
  /** What it names may not be there, which is 404. */
  notFound?: true
  /** Only in these modes; absent: always. */
  only?: 'sandbox'
}>

export type ReadOperation<
  Request extends TSchema = TSchema,
  Reply extends TSchema = TSchema,
> = Described<Request, Reply> &
  Readonly<{
    signs: null
    handle(call: Call<Static<Request>>): Static<Reply> | Promise<Static<Reply>>
  }>

export type SignedOperation<
  Request extends TSchema = TSchema,
  Reply extends TSchema = TSchema,
> = Described<Request, Reply> &
  Readonly<{
    signs: SigningType
    /** The text may come without a timestamp, and its account as `user`: TP/SL alone. */
    untimed?: true
    handle(call: SignedCall<Static<Request>>): Static<Reply> | Promise<Static<Reply>>
  }>

export type Operation = ReadOperation | SignedOperation

export function read<Request extends TSchema, Reply extends TSchema>(
  operation: Omit<ReadOperation<Request, Reply>, 'signs'>,
): Operation {
  return { ...operation, signs: null } as unknown as Operation
}

export function signed<Request extends TSchema, Reply extends TSchema>(
  operation: SignedOperation<Request, Reply>,
): Operation {
  return operation as unknown as Operation
}
