// What a request costs, whose credits pay for it, and how the reply says so (api: rate limits).

import type { Cost } from '../operation.ts'
import { Credits, type CreditsOptions, type Taken, windowSeconds } from './credits.ts'

/** Tenths of a credit, as in the headers. */
const tenths = 10
const costs: Readonly<Record<Cost, Readonly<{ withKey: number; withoutKey: number }>>> = {
  plain: { withKey: 10, withoutKey: 10 },
  cancel: { withKey: 5, withoutKey: 5 },
  heavy: { withKey: 30, withoutKey: 120 },
}

export const defaultCredits = 100

export type Payer = Readonly<{
  /** What `limitKeyOf` gives for the caller's address. */
  ipKey: string
  /** A valid key spends its own credits; `credits` 0: as many as an address has. */
  apiKey: Readonly<{ prefix: string; credits: number }> | null
}>

export type Charge = Taken & Readonly<{ limit: number; headers: RateLimitHeaders }>
export type RateLimitHeaders = Readonly<{ ratelimit: string; 'ratelimit-policy': string }>

export type RateLimitOptions = CreditsOptions & Readonly<{ creditsPerIp?: number }>

export class RateLimit {
  private readonly perIp: Credits
  private readonly perKey: Credits
  private readonly creditsPerIp: number

  constructor({ creditsPerIp = defaultCredits, ...options }: RateLimitOptions = {}) {
    this.creditsPerIp = creditsPerIp
    this.perIp = new Credits(options)
    this.perKey = new Credits(options)
  }

  charge({ ipKey, apiKey }: Payer, cost: Cost, nowMs: number): Charge {
    const credits = apiKey === null || apiKey.credits === 0 ? this.creditsPerIp : apiKey.credits
    const limit = credits * tenths
    const price = costs[cost][apiKey === null ? 'withoutKey' : 'withKey']
    const taken =
      apiKey === null
        ? this.perIp.take(ipKey, limit, price, nowMs)
        : this.perKey.take(apiKey.prefix, limit, price, nowMs)
    return { ...taken, limit, headers: headersOf(taken, limit) }
  }
}

function headersOf({ remaining, resetSeconds }: Taken, limit: number): RateLimitHeaders {
  return {
    ratelimit: `"credits";r=${remaining};t=${resetSeconds}`,
    'ratelimit-policy': `"credits";q=${limit};w=${windowSeconds}`,
  }
}
