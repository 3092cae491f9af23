// An operation of the API, declared once: the transports, the signature check, the rate limit, the
// OpenAPI document and the typed client all use this object.

import type { Proof, RejectionName } from '../core/index.ts'
import { type ReplyOf, type RequestOf, routeSchemas } from '../protocol/route-schemas.ts'
import { routeSummaries } from '../protocol/route-summaries.ts'
import { type Route, routes, type SignedName, type UnsignedName } from '../protocol/routes.ts'
import type { TSchema } from '../protocol/schemas/typebox.ts'
import type { SigningType } from '../protocol/signing-types.ts'
import type { Exchange } from './exchange.ts'

/** Credits a request costs: one, half for a cancel, more for a heavy read. */
export type CostClass = 'plain' | 'cancel' | 'heavy'

/** Pending payment for a cancel, due when its signature is verified. */
export type Payment = Readonly<{
  /** `account`: whose reserve pays. Throws if it is used up. */
  verified(account: string): void
  served(): void
  refused(error: unknown): void
}>

/** Operations that are served below a path. */
export type Mount = Readonly<{ prefix: string; operations: readonly Operation[] }>

/** Statuses of refusals by the rules: the contract's endpoints answer 400 to all. */
export type Refusals = 'contract' | 'rules'

/** The caller, after every check of the door. */
export type Caller = Readonly<{
  requestId: string
  ip: string
  /** Account of a valid API key header; `null` without one. */
  keyAccount: string | null
  /** Account of a signed read on the request or the connection; `null` without one. */
  signedAccount?: string | null
  /** Pending payment for a cancel; absent if there is none. */
  bill?: Payment | null
}> & {
  /** The entry that an unsigned read is true as of. */
  readAt?: number
}

/** The verified signature. `account` is an address. Without a proof, the caller that admitted the
 *  request vouches for it (an option of an embedded exchange). */
export type Signed = Readonly<{ account: string; proof: Proof | null }>

export type Call<Request> = Readonly<{
  request: Request
  caller: Caller
  exchange: Exchange
  /** Properties of the operation that differ between its mounts. */
  refusals: Refusals
  /** For operations with several signed texts, or none. `urgent`: it only cancels. Throws if a
   *  signature is invalid. */
  verify(type: SigningType, body: unknown, urgent?: boolean): Promise<Signed>
  verifySubaccount(body: unknown): Promise<Signed & Readonly<{ subaccount: string }>>
  /** Called when every signature is valid: throws if no bucket can pay for a cancel. */
  settle(signed: Signed): void
}>
export type SignedCall<Request> = Call<Request> & Readonly<{ signed: Signed }>

/** Properties of a route in addition to its row in protocol/routes.ts. */
type Described = Readonly<{
  group: string
  /** Absent: what routeSummaries says. */
  summary?: string
  cost: CostClass
  refusals: Refusals
  /** Rules that may refuse it, for the documents. */
  rejects: readonly RejectionName[]
  /** The object that it names may not exist, which is 404. */
  notFound?: true
  /** Charged to the address, even for callers with a key. */
  paidByAddress?: true
}>

type Served = Omit<Described, 'summary'> &
  Readonly<{
    /** Unique, snake_case; the operationId of the API documents. */
    name: string
    summary: string
    http: Route['http']
    wraps: Route['wraps']
    ws: string | null
    csv: boolean
    only: 'sandbox' | null
    request: TSchema
    reply: TSchema
  }>

export type UnsignedOperation = Served &
  Readonly<{ signs: null; handle(call: Call<never>): unknown }>

export type SignedOperation = Served &
  Readonly<{ signs: SigningType; untimed: boolean; handle(call: SignedCall<never>): unknown }>

export type Operation = UnsignedOperation | SignedOperation

/** A read is true as of the entry at which it began; other operations as of their own entry. A read
 *  may be signed in a header. */
export function isRead({ signs, http, name }: Operation): boolean {
  return signs === null && (http.startsWith('GET') || name === 'preview_order')
}

type Unsigned<N extends UnsignedName> = Described &
  Readonly<{ name: N; handle(call: Call<RequestOf<N>>): ReplyOf<N> | Promise<ReplyOf<N>> }>

type Signs<N extends SignedName> = Described &
  Readonly<{ name: N; handle(call: SignedCall<RequestOf<N>>): ReplyOf<N> | Promise<ReplyOf<N>> }>

/** An operation that verifies its signed text itself. */
export function unsigned<N extends UnsignedName>(operation: Unsigned<N>): UnsignedOperation {
  const { name, summary = routeSummaries[name] } = operation
  return { ...routes[name], ...routeSchemas[name], ...operation, summary, signs: null }
}

export function signed<N extends SignedName>(operation: Signs<N>): SignedOperation {
  const { name, summary = routeSummaries[name] } = operation
  return { ...routes[name], ...routeSchemas[name], ...operation, summary, signs: name }
}
