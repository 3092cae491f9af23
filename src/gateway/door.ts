// The one door: every transport passes a request through here. Who asks, what it costs, is it well
// formed, is it signed; then the operation. Nothing in here changes the exchange.

import type { TSchema } from 'typebox'
import { addressOf } from '../projections/current/memberships.ts'
import { type ApiError, apiError } from './api-error.ts'
import { type FoundApiKey, findApiKey } from './auth/api-keys.ts'
import type { SignatureChecks } from './auth/check-signature.ts'
import type { Exchange } from './exchange.ts'
import { limitKeyOf } from './limits/ip-address.ts'
import type { RateLimit, RateLimitHeaders } from './limits/rate-limit.ts'
import type { Call, Caller, Operation } from './operation.ts'
import { type BodyCheck, bodyCheck } from './operations/body-check.ts'

export type Visitor = Readonly<{ ip: string; key: FoundApiKey | null; keyAccount: string | null }>

/** `headers` null: no limits here. */
export type Charged = Readonly<{ headers: RateLimitHeaders | null; refusal: ApiError | null }>

export class Door {
  readonly exchange: Exchange
  private readonly signatures: SignatureChecks
  private readonly rateLimit: RateLimit | null
  private readonly checks = new Map<TSchema, BodyCheck>()

  constructor(exchange: Exchange, signatures: SignatureChecks, rateLimit: RateLimit | null) {
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
    if (this.rateLimit === null) return { headers: null, refusal: null }
    const payer = { ipKey: limitKeyOf(ip), apiKey: key }
    const charge = this.rateLimit.charge(payer, cost, this.exchange.wallNow())
    if (charge.ok) return { headers: charge.headers, refusal: null }
    const wait = charge.retryAfterSeconds
    const refusal = apiError('RATE_LIMITED', `credits are used up; try again in ${wait} s`, wait)
    return { headers: charge.headers, refusal }
  }

  /** Checks the request of an operation and runs it. */
  async run(operation: Operation, request: unknown, caller: Caller): Promise<unknown> {
    this.checkOf(operation.request)(request, '')
    const call = this.callOf(request, caller)
    if (operation.signs === null) return operation.handle(call)
    const untimed = operation.untimed === true && this.exchange.settings.untimedTexts
    const signed = await this.signatures.checkSigned({
      type: operation.signs,
      body: request,
      ip: caller.ip,
      wallNow: this.exchange.wallNow(),
      untimed,
    })
    return operation.handle({ ...call, signed })
  }

  private callOf(request: unknown, caller: Caller): Call<never> {
    const { exchange, signatures } = this
    const of = (body: unknown) => ({ body, ip: caller.ip, wallNow: exchange.wallNow() })
    return {
      request: request as never,
      caller,
      exchange,
      verify: (type, body) => signatures.checkSigned({ ...of(body), type }),
      verifySubaccount: (body) => signatures.checkSubaccount(of(body)),
    }
  }

  private checkOf(schema: TSchema): BodyCheck {
    let check = this.checks.get(schema)
    if (check === undefined) {
      check = bodyCheck(schema)
      this.checks.set(schema, check)
    }
    return check
  }
}
