// The status of a market in one sentence: its cause, and what is still possible.

import { causeOf, marketStatuses, type Standing } from '../../protocol/words.ts'

type Named = Standing & Readonly<{ symbol: string }>

/** `null` if it is live. */
export function remarkOf(market: Named): string | null {
  if (market.status === 'live') return null
  const { label, means, can } = marketStatuses[market.status]
  const cause = causeOf(market)
  return `${market.symbol} is ${label}: ${means}${cause === null ? '' : ` (${cause})`}. ${can}.`
}
