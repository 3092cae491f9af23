// Costs of requests, the buckets that pay for them, and the headers of replies (api: rate limits).

import type { CostClass } from '../operation.ts'
import { Credits, type CreditsOptions, type Taken, windowSeconds } from './credits.ts'

/** A cost class, or a multiple of one. */
export type Cost = CostClass | Readonly<{ class: CostClass; times: number }>

/** Credits are counted in tenths, as in the headers. */
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
/** Maximum debt of an address, in buckets, for cancels whose signatures have not been verified
 *  yet. It limits the signature checks that an address can cause. The debt of valid cancels is
 *  forgiven. */
const debtBuckets = 10
/** Maximum reported amount: more than a client can spend between two updates of the other
 *  processes. */
const heardMax = 100_000_000
/** Number of batches of an address without credits that are inspected for being cancels, in
 *  buckets. */
const looksBuckets = 10

export type Payer = Readonly<{
  /** The result of `limitKeyOf` for the caller's address. */
  ipKey: string
  /** Requests with a valid key spend from a bucket of its account. `credits`: 0 for the default of
   *  an address. A new key of the account uses the same bucket, so that it brings no additional
   *  credits. */
  apiKey: Readonly<{ account: number; bucket: number; credits: number }> | null
}>

export type Charge = Taken &
  Readonly<{ limit: number; headers: RateLimitHeaders; giveBack(): void }>
export type RateLimitHeaders = Readonly<{ ratelimit: string; 'ratelimit-policy': string }>

/** The buckets: of addresses, of keys, of accounts (for cancels), and of inspected batches. */
const pools = ['perIp', 'perKey', 'reserves', 'looks'] as const
type Pool = (typeof pools)[number]

/** The pool of this name; `null` if there is none. */
export function poolOf(name: unknown): Pool | null {
  return pools.find((each) => each === name) ?? null
}

/** Maximum tenths that a bucket with these credits can have spent in a minute. */
export function mostSpent(pool: Pool, credits: number): number {
  const times = { perIp: 1 + debtBuckets, perKey: 1, reserves: 1, looks: looksBuckets }
  return times[pool] * credits * tenths
}

/** An amount that a bucket paid; negative for a refund. */
export type Spent = readonly [pool: Pool, key: string, tenths: number]

export type RateLimitOptions = CreditsOptions &
  Readonly<{
    creditsPerIp?: number
    /** Called with spending that other processes have to count too. */
    onSpent?: (spent: Spent) => void
  }>

export class RateLimit {
  private readonly credits: Readonly<Record<Pool, Credits>>
  /** Credits of an address, and of a key for which the operator has set no tier. */
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

  /** `paid`: the part of the cost that the same payer has already paid. */
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

  /** Charges the reserve of an account, which pays for cancels if nothing else can. It is as large
   *  as the bucket of an address. */
  reserve(account: string, cost: Cost, nowMs: number): Charge {
    const price = priceOf(cost, 'withoutKey')
    return this.take('reserves', { key: account, limit: this.standard, price, nowMs })
  }

  mayLook(ipKey: string, nowMs: number): boolean {
    const limit = this.standard * looksBuckets
    return this.take('looks', { key: ipKey, limit, price: tenths, nowMs }).ok
  }

  /** Counts spending that another process reported. Invalid amounts are ignored. */
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
