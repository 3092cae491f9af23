// The rows of the page of all markets: their numbers, and their order.

import type { Market, Prices } from '../wire.ts'
import { dayChange } from './markets.ts'

/** Numbers are NaN if they are not known. Volume and open interest are in USD, rates and the change
 *  are fractions. */
export type MarketRow = Readonly<{
  market: Market
  symbol: string
  price: number
  change: number
  volume: number
  interest: number
  /** Rate of this hour, as estimated now. */
  funding: number
  annual: number
}>

/** Funding is paid each hour, without compounding. */
const hoursOfYear = 24 * 365

/** The yearly rate that a rate of an hour would be if it stayed. */
export const annualRate = (hourly: number) => hourly * hoursOfYear

export function marketRow(market: Market, prices: Prices | undefined): MarketRow {
  const price = Number(prices?.mark)
  const funding = Number(prices?.next_funding)
  return {
    market,
    symbol: market.symbol,
    price,
    change: prices === undefined ? Number.NaN : dayChange(prices),
    volume: Number(prices?.volume_24h),
    interest: Number(prices?.open_interest) * price,
    funding,
    annual: annualRate(funding),
  }
}

/** The sums over all markets. */
export function marketTotals(rows: readonly MarketRow[]) {
  const sum = (column: 'volume' | 'interest') =>
    rows.reduce((total, row) => total + (row[column] || 0), 0)
  return { markets: rows.length, volume: sum('volume'), interest: sum('interest') }
}
