// Profit of an account by market and by kind, its volume and its fees, from fills and funding
// payments.

import type { AccountTrade, FundingPayment } from '../wire.ts'

export type Ledger = Readonly<{
  /** Newest first. */
  fills: readonly AccountTrade[]
  funding: readonly FundingPayment[]
  /** Whether there are older rows that are not loaded. */
  partial: boolean
}>

export type MarketProfit = Readonly<{
  symbol: string
  /** Realised profit before fees. */
  trading: number
  funding: number
  /** Negative if fees were paid. */
  fees: number
  volume: number
  fills: number
  total: number
}>

export function inRange({ fills, funding, partial }: Ledger, start: number): Ledger {
  const isIn = ({ created_at }: { created_at: number }) => created_at >= start
  return { fills: fills.filter(isIn), funding: funding.filter(isIn), partial }
}

/** Markets by their first row. */
export function profitByMarket({ fills, funding }: Ledger): readonly MarketProfit[] {
  const rows = new Map<string, MarketProfit>()
  const add = (symbol: string, part: Partial<MarketProfit>) => {
    const row = rows.get(symbol) ?? emptyRow(symbol)
    rows.set(symbol, withPart(row, part))
  }
  for (const { symbol, pnl, fee, amount, price } of fills)
    add(symbol, {
      trading: Number(pnl) + Number(fee),
      fees: -Number(fee),
      volume: Number(amount) * Number(price),
      fills: 1,
    })
  for (const { symbol, payout } of funding) add(symbol, { funding: Number(payout) })
  return [...rows.values()]
}

const emptyRow = (symbol: string): MarketProfit => ({
  ...{ symbol, trading: 0, funding: 0, fees: 0, volume: 0, fills: 0, total: 0 },
})

function withPart(row: MarketProfit, part: Partial<MarketProfit>): MarketProfit {
  const { trading = 0, funding = 0, fees = 0, volume = 0, fills = 0 } = part
  return {
    symbol: row.symbol,
    trading: row.trading + trading,
    funding: row.funding + funding,
    fees: row.fees + fees,
    volume: row.volume + volume,
    fills: row.fills + fills,
    total: row.total + trading + funding + fees,
  }
}

/** The sum of all markets. */
export function marketSum(rows: readonly MarketProfit[]): MarketProfit {
  return rows.reduce(withPart, emptyRow(''))
}

/** Parts of a profit, which add up to it. The change of open positions is what is not realised. */
export function profitByKind(profit: number, { trading, funding, fees, total }: MarketProfit) {
  return [
    { kind: 'Trading', value: trading },
    { kind: 'Funding', value: funding },
    { kind: 'Fees', value: fees },
    { kind: 'Open positions', value: profit - total },
  ] as const
}

/** Adds newer rows; `null` if the newest known row is not among them, because history was
 *  reverted. */
export function withNewer<Row extends Readonly<{ history_id: number; side: string }>>(
  known: readonly Row[],
  newer: readonly Row[],
): readonly Row[] | null {
  const keyOf = ({ history_id, side }: Row) => `${history_id} ${side}`
  const keys = new Set(newer.map(keyOf))
  if (known[0] !== undefined && !keys.has(keyOf(known[0]))) return null
  return [...newer, ...known.filter((row) => !keys.has(keyOf(row)))]
}
