// Payment for a cancel. A signed cancel is served regardless of its API key and of earlier
// spending: it is paid from its key's bucket, else its address's, else a reserve of its account.
// The reserve is used only after the signature has proved to be the account's or its agent's, so
// that no client can spend it for another account; until then the address owes it, up to a limit.

import { ApiError, apiError } from '../api-error.ts'
import type { Charge, Cost, RateLimit } from './rate-limit.ts'

export type BillParts = Readonly<{
  rateLimit: RateLimit
  cost: Cost
  ipKey: string
  /** `null` if a key paid. */
  owed: Charge | null
  now(): number
}>

/** After these errors the cancel was not served, because the sender was not authorized. */
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

  /** `account`: owner of the reserve. Throws if that is spent too; the address then still owes. */
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
    // The signature was not checked: a retry should not pay twice.
    if (owed !== null && name === 'NOT_READY') owed.giveBack()
    if (this.reserve === null) return
    if (name === 'NOT_READY' || notCharged.includes(name)) this.reserve.giveBack()
    else owed!.giveBack()
  }
}

export function rateLimited({ retryAfterSeconds: wait }: Charge): ApiError {
  return apiError('RATE_LIMITED', `credits are used up; try again in ${wait} s`, wait)
}
