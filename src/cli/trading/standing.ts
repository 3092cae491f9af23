// How a market stands, in one sentence: what it is, why, and what one can still do.

import { causeOf, marketStatuses, type Standing } from '../../protocol/words.ts'

type Named = Standing & Readonly<{ symbol: string }>

/** Null: it is live, and there is nothing to say. */
export function remarkOf(market: Named): string | null {
  if (market.status === 'live') return null
  const { label, means, can } = marketStatuses[market.status]
  const cause = causeOf(market)
  return `${market.symbol} is ${label}: ${means}${cause === null ? '' : ` (${cause})`}. ${can}.`
}
