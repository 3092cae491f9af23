// The one door: every transport passes a request through here. Who asks, what it costs, is it well
// formed, is it signed; then the operation. Nothing in here changes the exchange.

import { addressOf } from '../projections/current/memberships.ts'
import type { SigningType } from '../protocol/signing-types.ts'
import { type ApiError, apiError } from './api-error.ts'
import { type FoundApiKey, findApiKey } from './auth/api-keys.ts'
import type { Signatures, SignedRequest } from './auth/check-signature.ts'
import type { Exchange } from './exchange.ts'
import { limitKeyOf } from './limits/ip-address.ts'
import type { RateLimit, RateLimitHeaders } from './limits/rate-limit.ts'
import type { Caller, Operation, Refusals, Signed, SignedCall } from './operation.ts'
import { requestCheckOf } from './operations/body-check.ts'

export type Visitor = Readonly<{ ip: string; key: FoundApiKey | null; keyAccount: string | null }>

/** Credits in tenths: what is left of how many, and seconds until some come back. */
export type CreditsLeft = Readonly<{ r: number; q: number; t: number }>

/** `headers` and `left` null: no limits here. */
export type Charged = Readonly<{
  headers: RateLimitHeaders | null
  left: CreditsLeft | null
  refusal: ApiError | null
}>

/** The place of a request among those of one caller that are to be carried out in order. */
export type Turn = Readonly<{
  /** Resolves when the one before has been handed to the exchange. */
  before: Promise<unknown>
  handedOver(): void
}>

export class Door {
  readonly exchange: Exchange
  readonly signatures: Signatures
  private readonly rateLimit: RateLimit | null

  constructor(exchange: Exchange, signatures: Signatures, rateLimit: RateLimit | null) {
    this.exchange = exchange
    this.signatures = signatures
    this.rateLimit = rateLimit
  }

  /** A key that is not good is an error, never ignored: its owner counts on its credits. */
  visitor(ip: string, keyText: string | undefined): Visitor {
    if (keyText === undefined || keyText === '') return { ip, key: null, keyAccount: null }
    const { state, keyUse, wallNow } = this.exchange
    const key = findApiKey(state, keyText)
    if (key === null)
      throw apiError('INVALID_API_KEY', 'the API key is not known or was revoked; create a new one')
    keyUse.used(key.prefix, wallNow())
    return { ip, key, keyAccount: addressOf(state, key.account) }
  }

  charge({ ip, key }: Visitor, { cost }: Operation): Charged {
    if (this.rateLimit === null) return { headers: null, left: null, refusal: null }
    const payer = { ipKey: limitKeyOf(ip), apiKey: key }
    const charge = this.rateLimit.charge(payer, cost, this.exchange.wallNow())
    const { headers, limit, remaining, resetSeconds } = charge
    const left = { r: remaining, q: limit, t: resetSeconds }
    if (charge.ok) return { headers, left, refusal: null }
    const wait = charge.retryAfterSeconds
    const refusal = apiError('RATE_LIMITED', `credits are used up; try again in ${wait} s`, wait)
    return { headers, left, refusal }
  }

  /** Checks the request of an operation and runs it. Signatures are checked side by side; with a
   *  turn, what was asked earlier is handed over earlier. */
  async run(operation: Operation, request: unknown, caller: Caller, turn?: Turn): Promise<unknown> {
    requestCheckOf(operation)(request, '')
    const call = this.callOf(operation, request, caller)
    if (operation.signs === null) {
      await turn?.before
      return operation.handle(call)
    }
    const untimed = operation.untimed && this.exchange.settings.untimedTexts
    call.signed = await this.signatures.checkSigned({
      type: operation.signs,
      body: request,
      ip: caller.ip,
      wallNow: this.exchange.wallNow(),
      untimed,
    })
    await turn?.before
    const reply = operation.handle(call as SignedCall<never>)
    // A signed operation submits its command before it waits for anything.
    turn?.handedOver()
    return reply
  }

  private callOf({ refusals }: Operation, request: unknown, caller: Caller): DoorCall {
    return new DoorCall(this, { request, caller, refusals })
  }

  /** Who signed this body as that operation; nothing else happens. */
  async signer(operation: Operation, request: unknown, caller: Caller): Promise<Signed> {
    requestCheckOf(operation)(request, '')
    const call = this.callOf(operation, request, caller)
    return call.verify(operation.signs!, request)
  }
}

type Asked = Readonly<{ request: unknown; caller: Caller; refusals: Refusals }>

/** What an operation is handed. A class, because one is made for every order. */
class DoorCall {
  readonly exchange: Exchange
  readonly request: never
  readonly caller: Caller
  readonly refusals: Refusals
  signed: Signed | null = null
  private readonly signatures: Signatures

  constructor({ exchange, signatures }: Door, { request, caller, refusals }: Asked) {
    this.exchange = exchange
    this.signatures = signatures
    this.request = request as never
    this.caller = caller
    this.refusals = refusals
  }

  verify(type: SigningType, body: unknown): Promise<Signed> {
    return this.signatures.checkSigned({ ...this.signedRequest(body), type })
  }

  verifySubaccount(body: unknown): Promise<Signed & Readonly<{ subaccount: string }>> {
    return this.signatures.checkSubaccount(this.signedRequest(body))
  }

  private signedRequest(body: unknown): SignedRequest {
    return { body, ip: this.caller.ip, wallNow: this.exchange.wallNow() }
  }
}
