// An operation of the API, declared once. The transports, the signature check, the rate limit, the
// OpenAPI document and the typed client all use this object.

import type { Proof, RejectionName } from '../core/index.ts'
import { type ReplyOf, type RequestOf, routeSchemas } from '../protocol/route-schemas.ts'
import { routeSummaries } from '../protocol/route-summaries.ts'
import {
  type Route,
  type RouteName,
  routes,
  type SignedName,
  type UnsignedName,
} from '../protocol/routes.ts'
import type { TSchema } from '../protocol/schemas/typebox.ts'
import type { SigningType } from '../protocol/signing-types.ts'
import type { Exchange } from './exchange.ts'

/** The credits that a request costs: one, half for a cancel, more for a heavy read. */
export type CostClass = 'plain' | 'cancel' | 'heavy'

/** A pending payment for a cancel, which is charged when the signature is verified. */
export type Payment = Readonly<{
  /** `account`: owner of the reserve that pays. Throws if the reserve is used up. */
  verified(account: string): void
  served(): void
  refused(error: unknown): void
}>

/** Operations that are served under a path. */
export type Mount = Readonly<{ prefix: string; operations: readonly Operation[] }>

/** HTTP status of rejections by rules: 400 for the contract's endpoints, 422 for others. */
export type Refusals = 'contract' | 'rules'

/** The caller, after all checks of the gateway. */
export type Caller = Readonly<{
  requestId: string
  ip: string
  /** Account of a valid API key in a header; `null` without a key. */
  keyAccount: string | null
  /** In a fork: the account that the request acts for without a signature; `null`: none. */
  actor?: string | null
  /** Account of a signed read on the request or the connection; `null` without one. */
  signedAccount?: string | null
  /** How far the clock that checks the signature is ahead, by a fault of a sandbox. */
  skewMs?: number
  /** Pending payment for a cancel; absent if there is none. */
  bill?: Payment | null
}> & {
  /** Sequence number of the data of an unsigned read, or of the command of a signed request. */
  readAt?: number
}

/** The signer. `account` is an address. If there is no proof, the embedding program has verified
 *  the caller (an option of an embedded exchange). */
export type Signed = Readonly<{ account: string; proof: Proof | null }>

export type Call<Request> = Readonly<{
  request: Request
  caller: Caller
  exchange: Exchange
  /** Whether rejections have the format of the contract; differs between mounts. */
  refusals: Refusals
  /** For operations with several signatures, or none. `urgent`: the request only cancels. Throws
   *  if a signature is invalid. */
  verify(type: SigningType, body: unknown, urgent?: boolean): Promise<Signed>
  verifySubaccount(body: unknown): Promise<Signed & Readonly<{ subaccount: string }>>
  /** Called when all signatures are valid. Throws if no bucket can pay for a cancel. */
  settle(signed: Signed): void
}>
export type SignedCall<Request> = Call<Request> & Readonly<{ signed: Signed }>

/** Properties of a route in addition to those in protocol/routes.ts. */
type Described = Readonly<{
  group: string
  /** Default: the text in routeSummaries. */
  summary?: string
  /** Default: `plain`. */
  cost?: CostClass
  /** Default: `rules`. */
  refusals?: Refusals
  /** Rules that may reject the request, for the documents (default: none). */
  rejects?: readonly RejectionName[]
  /** Set if the object that the request names may not exist (404). */
  notFound?: true
  /** Set if the address is charged, even if the caller has a key. */
  paidByAddress?: true
}>

type Served = Described &
  Required<Pick<Described, 'summary' | 'cost' | 'refusals' | 'rejects'>> &
  Readonly<{
    /** Unique name in snake_case; the operationId of the API documents. */
    name: string
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

/** Whether the operation is a read. The data of a read is as of the time at which it started, and
 *  the caller may sign it in a header. Other operations have their own entry in the journal. */
export function isRead({ signs, http, name }: Operation): boolean {
  return signs === null && (http.startsWith('GET') || name === 'preview_order')
}

type Unsigned<N extends UnsignedName> = Described &
  Readonly<{ name: N; handle(call: Call<RequestOf<N>>): ReplyOf<N> | Promise<ReplyOf<N>> }>

type Signs<N extends SignedName> = Described &
  Readonly<{ name: N; handle(call: SignedCall<RequestOf<N>>): ReplyOf<N> | Promise<ReplyOf<N>> }>

/** Declares an operation that is not signed, or that verifies its signatures itself. */
export function unsigned<N extends UnsignedName>(operation: Unsigned<N>): UnsignedOperation {
  const { name } = operation
  const all = { ...routes[name], ...routeSchemas[name], ...operation }
  return { ...all, ...describedIn(operation), signs: null }
}

export function signed<N extends SignedName>(operation: Signs<N>): SignedOperation {
  const { name } = operation
  const all = { ...routes[name], ...routeSchemas[name], ...operation }
  return { ...all, ...describedIn(operation), signs: name }
}

function describedIn({ name, ...given }: Described & Readonly<{ name: RouteName }>) {
  const { cost = 'plain', refusals = 'rules', rejects = [] } = given
  return { cost, refusals, rejects, summary: given.summary ?? routeSummaries[name] }
}
