// Finds the signer of a request and checks that the request is fresh. Returns the account and the
// proof for the command, or throws the error reply. The core checks whether an agent is bound to
// the account and whether the request was used before. Uses wall time, never the clock of the
// sandbox.
//
// Messages repeat nothing that the caller sent, except the verified text, because existing clients
// choose their error class by words in the message.

import * as crypto from 'node:crypto'
import type { Proof } from '../../core/index.ts'
import { AddressCache } from '../../protocol/address.ts'
import {
  type Body,
  hardwareMessage,
  signingText,
  subaccountConfirmText,
  subaccountInitiateText,
  UnsignableError,
} from '../../protocol/signing-text.ts'
import { agentIsPayload, cancelTypes, type SigningType } from '../../protocol/signing-types.ts'
import { windowFault } from '../../sequencer/stamps/signed-window.ts'
import type { TimeMs } from '../../units/units.ts'
import { type ApiError, apiError } from '../api-error.ts'
import type { VenuePolicy } from '../exchange.ts'
import { requireUnpublished } from '../known-address.ts'
import type { Signed } from '../operation.ts'
import { requireVenue } from './venue-check.ts'
import { OverloadedError, VerifierFailedError, type Verifiers } from './verifiers.ts'

export const expiryWindowMs = { min: 1, max: 600_000, standard: 30_000 } as const

export type SignedRequest = Readonly<{
  /** The body as parsed by `parseStrict`. */
  body: unknown
  ip: string | null
  wallNow: number
  /** Engine time if the clock is manual. */
  engineNow?: number | null
}>
export type TypedRequest = SignedRequest &
  Readonly<{
    type: SigningType
    /** Whether a body with `user` (TP/SL) may omit the timestamp. */
    untimed?: boolean
    /** Whether the request only cancels. This can be true for any type. */
    urgent?: boolean
  }>

export type SignedBy = Readonly<{ account: string; proof: Proof }>

/** Finds the signer of a request. Throws the error reply if the signature is invalid. */
export type Signatures = Readonly<{
  checkSigned(request: TypedRequest): Promise<Signed>
  checkSubaccount(request: SignedRequest): Promise<Signed & Readonly<{ subaccount: string }>>
}>

export class SignatureChecks {
  private readonly verifiers: Verifiers
  private readonly venue: VenuePolicy
  private readonly mode: 'sandbox' | 'venue'
  private readonly addresses = new AddressCache()

  /** `mode`: a venue rejects the published keys of sandboxes. */
  constructor(verifiers: Verifiers, venue: VenuePolicy, mode: 'sandbox' | 'venue' = 'sandbox') {
    this.verifiers = verifiers
    this.venue = venue
    this.mode = mode
  }

  async checkSigned(request: TypedRequest): Promise<SignedBy> {
    const { type, ip } = request
    const body = bodyOf(request.body)
    const ownerField = ownerFieldOf(type, body)
    const account = textField(body, ownerField)
    const agent = agentIsPayload.has(type) ? null : agentOf(body)
    const signature = signatureOf(body, 'signature')
    requireVenue(body, this.venue)
    const untimedAllowed = request.untimed === true && ownerField === 'user'
    const times = timesOf(body, request, untimedAllowed)
    const accountKey = this.keyOf(account, ownerField)
    const publicKey = agent === null ? accountKey : this.keyOf(agent, 'agent_wallet')
    const text = writable(() => signingText(type, body))
    await this.requireGood(
      { publicKey, signature, text },
      request.urgent === true || cancelTypes.has(type),
    )
    return { account, proof: { textHash: textHashOf(text), ...times, agent, ip } }
  }

  /** Checks the two signatures that make one account a subaccount of another. */
  async checkSubaccount(request: SignedRequest): Promise<SignedBy & { subaccount: string }> {
    const { ip } = request
    const body = bodyOf(request.body)
    const account = textField(body, 'main_account')
    const subaccount = textField(body, 'subaccount')
    const mainSignature = signatureOf(body, 'main_signature')
    const subSignature = signatureOf(body, 'sub_signature')
    requireVenue(body, this.venue)
    const times = timesOf(body, request, false)
    const mainKey = this.keyOf(account, 'main_account')
    const subKey = this.keyOf(subaccount, 'subaccount')
    const initiate = writable(() => subaccountInitiateText(account, body))
    const confirm = writable(() => subaccountConfirmText(body.sub_signature, body))
    await Promise.all([
      this.requireGood({ publicKey: subKey, signature: subSignature, text: initiate }),
      this.requireGood({ publicKey: mainKey, signature: mainSignature, text: confirm }),
    ])
    const proof = { textHash: textHashOf(confirm), ...times, agent: null, ip }
    return { account, subaccount, proof }
  }

  private keyOf(address: string, field: string): Uint8Array {
    requireUnpublished(this.mode, field, address)
    const key = this.addresses.parse(address)
    if (key !== null) return key
    throw apiError(
      'INVALID_ADDRESS',
      `Invalid public key in ${field}: an address is the base58 of a 32-byte Ed25519 public key`,
    )
  }

  private requireGood({ publicKey, signature, text }: Claim, urgent = false): Promise<void> {
    const message = signature.hardware ? writable(() => hardwareMessage(text)) : text
    const check = { publicKey, message, signature: signature.value }
    const settle = (good: boolean) => {
      if (good) return
      const explanation = `Verification failed; the text that was verified is ${text}`
      throw apiError('INVALID_SIGNATURE', explanation)
    }
    const fail = (error: unknown) => {
      throw faultOf(error)
    }
    return this.verifiers.verify(check, urgent).then(settle, fail)
  }
}

type Signature = Readonly<{ value: string; hardware: boolean }>
type Claim = Readonly<{ publicKey: Uint8Array; signature: Signature; text: string }>

const malformed = (explanation: string): ApiError => apiError('MALFORMED_REQUEST', explanation)

function bodyOf(body: unknown): Body {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Body
  throw malformed('a signed body is a JSON object')
}

/** Only TP/SL accepts `user`, and not together with `account`. The two bodies have different
 *  meanings, and neither field is part of the signed data. */
function ownerFieldOf(type: SigningType, body: Body): 'account' | 'user' {
  if (type !== 'set_position_tpsl') return 'account'
  if (isAbsent(body.user) && isAbsent(body.account))
    throw malformed('user is missing: the account address (or account, in the body with prices)')
  if (isAbsent(body.user)) return 'account'
  if (!isAbsent(body.account)) throw malformed('either user or account, not both')
  return 'user'
}

/** Reports a missing owner of a TP/SL body before any other missing field. */
export function requireOwnerNamed(type: SigningType, body: unknown): void {
  if (type === 'set_position_tpsl') ownerFieldOf(type, bodyOf(body))
}

const isAbsent = (value: unknown) => value === undefined || value === null

function textField(body: Body, field: string): string {
  const value = body[field]
  if (typeof value === 'string') return value
  throw malformed(`${field} is ${isAbsent(value) ? 'missing' : 'not a string'}`)
}

function agentOf(body: Body): string | null {
  return isAbsent(body.agent_wallet) ? null : textField(body, 'agent_wallet')
}

function signatureOf(body: Body, field: string): Signature {
  const signature = body[field]
  if (typeof signature === 'string') return { value: signature, hardware: false }
  if (isAbsent(signature)) throw malformed(`${field} is missing`)
  const { type, value } = signature as Body
  if (typeof value === 'string' && (type === 'raw' || type === 'hardware')) {
    return { value, hardware: type === 'hardware' }
  }
  throw malformed(`${field} is neither base58 text nor {"type":"raw" or "hardware","value":…}`)
}

/** The latest time that a JavaScript date can have. */
const lastDateMs = 8.64e15

type Times = Pick<Proof, 'signedAtMs' | 'expiresAtMs'>

/** The times in the signed request. Throws if the current time of this process is outside their
 *  window. The leader checks them again with its own clock (CORE-6). */
function timesOf(
  body: Body,
  { wallNow, engineNow }: SignedRequest,
  untimedAllowed: boolean,
): Times {
  const { timestamp } = body
  const window = windowOf(body)
  if (isAbsent(timestamp)) {
    if (untimedAllowed) return { signedAtMs: 0 as TimeMs, expiresAtMs: null }
    throw malformed('timestamp is missing: the current time in milliseconds')
  }
  if (!Number.isSafeInteger(timestamp) || (timestamp as number) < 0) {
    throw malformed('timestamp is not an integer of milliseconds')
  }
  if ((timestamp as number) > lastDateMs)
    throw malformed(`timestamp ${timestamp} is after the last date, ${lastDateMs}`)
  const signedAtMs = timestamp as TimeMs
  const times = { signedAtMs, expiresAtMs: (signedAtMs + window) as TimeMs }
  const fault = windowFault(times, wallNow, engineNow ?? null)
  if (fault !== null) throw apiError('EXPIRED', fault)
  return times
}

function windowOf({ expiry_window: window }: Body): number {
  if (isAbsent(window)) return expiryWindowMs.standard
  const { min, max } = expiryWindowMs
  if (Number.isSafeInteger(window) && (window as number) >= min && (window as number) <= max) {
    return window as number
  }
  throw malformed(`expiry_window is not an integer of ${min} to ${max} milliseconds`)
}

function writable<T>(write: () => T): T {
  try {
    return write()
  } catch (error) {
    if (error instanceof UnsignableError) throw malformed(`cannot be signed: ${error.message}`)
    throw error
  }
}

/** The error if a signature could not be checked. The caller may retry. */
function faultOf(error: unknown): unknown {
  if (error instanceof OverloadedError) {
    return apiError('NOT_READY', 'too many signatures wait to be checked, try again')
  }
  if (error instanceof VerifierFailedError) {
    return apiError('NOT_READY', 'the signature could not be checked, try again')
  }
  return error
}

/** SHA-256 of the signed text as 43 characters of base64url. The hardware-wallet form of a text
 *  has the same hash, because it is the same request. */
export function textHashOf(text: string): string {
  return sha256(text)
}

/** Uses `crypto.hash` if Node has it, which takes half as long. */
const sha256: (text: string) => string =
  typeof crypto.hash === 'function'
    ? (text) => crypto.hash('sha256', text, 'base64url')
    : (text) => crypto.createHash('sha256').update(text).digest('base64url')
