// Costs of requests, the buckets that pay for them, and the headers of replies (api: rate limits).

import type { CostClass } from '../operation.ts'
import { Credits, type CreditsOptions, type Taken, windowSeconds } from './credits.ts'

/** A cost, or a multiple of it. */
export type Cost = CostClass | Readonly<{ class: CostClass; times: number }>

/** Tenths of a credit, as in the headers. */
const tenths = 10
const costs: Readonly<Record<CostClass, Readonly<{ withKey: number; withoutKey: number }>>> = {
  plain: { withKey: 10, withoutKey: 10 },
  cancel: { withKey: 5, withoutKey: 5 },
  heavy: { withKey: 30, withoutKey: 120 },
}

function priceOf(cost: Cost, kind: 'withKey' | 'withoutKey'): number {
  return typeof cost === 'string' ? costs[cost][kind] : costs[cost.class][kind] * cost.times
}

export const defaultCredits = 100
/** Maximum debt of an address, in buckets, for cancels whose signatures are still to be checked;
 *  valid ones are forgiven. It limits the checks that one address can cause. */
const debtBuckets = 10
/** More than a client can spend between two updates of the other processes. */
const heardMax = 100_000_000
/** Maximum number of batches of an address without credits that are inspected for being cancels, in
 *  buckets. */
const looksBuckets = 10

export type Payer = Readonly<{
  /** Result of `limitKeyOf` for the caller's address. */
  ipKey: string
  /** A valid key spends a bucket of its account; `credits` 0: as large as that of an address. The
   *  next key continues the bucket, so that a new key brings no new credits. */
  apiKey: Readonly<{ account: number; bucket: number; credits: number }> | null
}>

export type Charge = Taken &
  Readonly<{ limit: number; headers: RateLimitHeaders; giveBack(): void }>
export type RateLimitHeaders = Readonly<{ ratelimit: string; 'ratelimit-policy': string }>

/** The buckets of addresses, of keys, of accounts for cancels, and of inspected batches. */
const pools = ['perIp', 'perKey', 'reserves', 'looks'] as const
type Pool = (typeof pools)[number]

/** Tenths that a bucket paid; negative if refunded. */
export type Spent = readonly [pool: Pool, key: string, tenths: number]

export type RateLimitOptions = CreditsOptions &
  Readonly<{
    creditsPerIp?: number
    /** Called with spending that other processes must count, too. */
    onSpent?: (spent: Spent) => void
  }>

export class RateLimit {
  private readonly credits: Readonly<Record<Pool, Credits>>
  /** Credits of an address, and of a key without a tier set by the operator. */
  private readonly standard: number
  private readonly onSpent: (spent: Spent) => void

  constructor(options: RateLimitOptions = {}) {
    const { creditsPerIp = defaultCredits, onSpent = () => undefined, ...bounds } = options
    this.standard = creditsPerIp * tenths
    this.onSpent = onSpent
    this.credits = {
      perIp: new Credits(bounds),
      perKey: new Credits(bounds),
      reserves: new Credits(bounds),
      looks: new Credits(bounds),
    }
  }

  /** `paid`: what the same payer has already paid of it. */
  charge({ ipKey, apiKey }: Payer, cost: Cost, nowMs: number, paid: Cost | null = null): Charge {
    const limit = this.standard
    const kind = apiKey === null ? 'withoutKey' : 'withKey'
    const price = priceOf(cost, kind) - (paid === null ? 0 : priceOf(paid, kind))
    if (apiKey === null) return this.take('perIp', { key: ipKey, limit, price, nowMs })
    const { account, bucket, credits } = apiKey
    const key = `${account} ${bucket}`
    const own = credits === 0 ? limit : credits * tenths
    return this.take('perKey', { key, limit: own, price, nowMs })
  }

  /** Charges beyond the limit of the address, up to a maximum debt. */
  owe(ipKey: string, cost: Cost, nowMs: number): Charge {
    const limit = this.standard * (1 + debtBuckets)
    return this.take('perIp', { key: ipKey, limit, price: priceOf(cost, 'withoutKey'), nowMs })
  }

  /** Reserve of an account for cancels that nothing else pays for, as large as an address's. */
  reserve(account: string, cost: Cost, nowMs: number): Charge {
    const price = priceOf(cost, 'withoutKey')
    return this.take('reserves', { key: account, limit: this.standard, price, nowMs })
  }

  mayLook(ipKey: string, nowMs: number): boolean {
    const limit = this.standard * looksBuckets
    return this.take('looks', { key: ipKey, limit, price: tenths, nowMs }).ok
  }

  /** Counts spending of another process. Invalid amounts are ignored. */
  heard([pool, key, price]: Spent, nowMs: number): void {
    if (!Number.isInteger(price) || Math.abs(price) > heardMax) return
    if (price > 0) this.credits[pool].spend(key, price, nowMs)
    else this.credits[pool].giveBack(key, -price)
  }

  private take(pool: Pool, { key, limit, price, nowMs }: Spending): Charge {
    const from = this.credits[pool]
    const taken = from.take(key, limit, price, nowMs)
    if (taken.ok) this.onSpent([pool, key, price])
    const giveBack = () => {
      from.giveBack(key, price)
      this.onSpent([pool, key, -price])
    }
    return { ...taken, limit, headers: headersOf(taken, limit), giveBack }
  }
}

type Spending = Readonly<{ key: string; limit: number; price: number; nowMs: number }>

function headersOf({ remaining, resetSeconds }: Taken, limit: number): RateLimitHeaders {
  return {
    ratelimit: `"credits";r=${remaining};t=${resetSeconds}`,
    'ratelimit-policy': `"credits";q=${limit};w=${windowSeconds}`,
  }
}
