// What a request costs, whose credits pay for it, and how the reply says so (api: rate limits).

import { Credits, type CreditsOptions, type Taken, windowSeconds } from './credits.ts'

/** Credits a request costs: one, half for what cancels, more for heavy reads. */
export type Cost = 'plain' | 'cancel' | 'heavy'

/** Tenths of a credit, as in the headers. */
const tenths = 10
const costs: Readonly<Record<Cost, Readonly<{ withKey: number; withoutKey: number }>>> = {
  plain: { withKey: 10, withoutKey: 10 },
  cancel: { withKey: 5, withoutKey: 5 },
  heavy: { withKey: 30, withoutKey: 120 },
}

export const defaultCredits = 100
/** How far an address may go into debt with cancels whose signatures are still to be checked, in
 *  buckets; those that prove good are forgiven. It bounds what one address can have checked. */
const debtBuckets = 10
/** How many batches of an address without credits are looked into for being cancels, in buckets. */
const looksBuckets = 10

export type Payer = Readonly<{
  /** What `limitKeyOf` gives for the caller's address. */
  ipKey: string
  /** A valid key spends a bucket of its account; `credits` 0: as large as that of an address. The
   *  key after it takes the bucket over as it stands, so that a new key brings no new credits. */
  apiKey: Readonly<{ account: number; bucket: number; credits: number }> | null
}>

export type Charge = Taken &
  Readonly<{ limit: number; headers: RateLimitHeaders; giveBack(): void }>
export type RateLimitHeaders = Readonly<{ ratelimit: string; 'ratelimit-policy': string }>

export type RateLimitOptions = CreditsOptions & Readonly<{ creditsPerIp?: number }>

export class RateLimit {
  private readonly perIp: Credits
  private readonly perKey: Credits
  private readonly reserves: Credits
  private readonly looks: Credits
  /** Of an address, and of a key that the operator gave no tier. */
  private readonly standard: number

  constructor({ creditsPerIp = defaultCredits, ...options }: RateLimitOptions = {}) {
    this.standard = creditsPerIp * tenths
    this.perIp = new Credits(options)
    this.perKey = new Credits(options)
    this.reserves = new Credits(options)
    this.looks = new Credits(options)
  }

  charge({ ipKey, apiKey }: Payer, cost: Cost, nowMs: number): Charge {
    const limit = this.standard
    const { withKey, withoutKey } = costs[cost]
    if (apiKey === null) return take(this.perIp, { key: ipKey, limit, price: withoutKey, nowMs })
    const { account, bucket, credits } = apiKey
    const key = `${account} ${bucket}`
    const own = credits === 0 ? limit : credits * tenths
    return take(this.perKey, { key, limit: own, price: withKey, nowMs })
  }

  /** Beyond what the address has, to a bound. */
  owe(ipKey: string, cost: Cost, nowMs: number): Charge {
    const limit = this.standard * (1 + debtBuckets)
    return take(this.perIp, { key: ipKey, limit, price: costs[cost].withoutKey, nowMs })
  }

  /** What an account has for cancels when nothing else pays: as much as an address. */
  reserve(account: string, cost: Cost, nowMs: number): Charge {
    const price = costs[cost].withoutKey
    return take(this.reserves, { key: account, limit: this.standard, price, nowMs })
  }

  mayLook(ipKey: string, nowMs: number): boolean {
    return this.looks.take(ipKey, this.standard * looksBuckets, tenths, nowMs).ok
  }
}

type Spending = Readonly<{ key: string; limit: number; price: number; nowMs: number }>

function take(from: Credits, { key, limit, price, nowMs }: Spending): Charge {
  const taken = from.take(key, limit, price, nowMs)
  const giveBack = () => from.giveBack(key, price)
  return { ...taken, limit, headers: headersOf(taken, limit), giveBack }
}

function headersOf({ remaining, resetSeconds }: Taken, limit: number): RateLimitHeaders {
  return {
    ratelimit: `"credits";r=${remaining};t=${resetSeconds}`,
    'ratelimit-policy': `"credits";q=${limit};w=${windowSeconds}`,
  }
}
