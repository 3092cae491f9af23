// Payment for a cancel. A signed cancel is served even if its API key is unknown or its credits are
// used up. It is paid from the bucket of the key, otherwise of the address, otherwise from a
// reserve of the account. The reserve is used only after the signature has been verified, so that
// no client can spend the reserve of another account. Until then the address owes the cost, up to a
// limit.

import { ApiError, apiError } from '../api-error.ts'
import type { Charge, Cost, RateLimit } from './rate-limit.ts'

export type BillParts = Readonly<{
  rateLimit: RateLimit
  cost: Cost
  ipKey: string
  /** The debt of the address; `null` if a key paid. */
  owed: Charge | null
  now(): number
}>

/** Errors after which the cancel is not charged to the reserve, because the sender was not
 *  authorized. */
const notCharged: readonly string[] = [
  'EXPIRED',
  'REPLAYED',
  'AGENT_NOT_ALLOWED',
  'AGENT_NOT_BOUND',
]

export class Bill {
  private readonly parts: BillParts
  private reserve: Charge | null = null

  constructor(parts: BillParts) {
    this.parts = parts
  }

  /** Charges the reserve of this account. Throws if the reserve is used up; the address then still
   *  owes the cost. */
  verified(account: string): void {
    const { rateLimit, cost, owed, now } = this.parts
    if (owed === null) return
    const taken = rateLimit.reserve(account, cost, now())
    if (!taken.ok) throw rateLimited(taken)
    this.reserve = taken
  }

  served(): void {
    if (this.reserve !== null) this.parts.owed!.giveBack()
  }

  refused(error: unknown): void {
    const { rateLimit, cost, ipKey, owed, now } = this.parts
    const name = error instanceof ApiError ? error.errorName : ''
    // A key paid for the request, but the address pays for an invalid signature.
    if (owed === null && name === 'INVALID_SIGNATURE') rateLimit.owe(ipKey, cost, now())
    // The signature was not checked, so that a retry does not pay twice.
    if (owed !== null && name === 'NOT_READY') owed.giveBack()
    if (this.reserve === null) return
    if (name === 'NOT_READY' || notCharged.includes(name)) this.reserve.giveBack()
    else owed!.giveBack()
  }
}

export function rateLimited({ retryAfterSeconds: wait }: Charge): ApiError {
  return apiError('RATE_LIMITED', `credits are used up; try again in ${wait} s`, wait)
}
