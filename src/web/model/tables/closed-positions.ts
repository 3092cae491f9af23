// Positions that were opened and closed again, from the fills and funding payments of an account.
// Fills are read from the newest to the oldest, starting with the sizes of the open positions.

import type { Client } from '../../../client/client.ts'
import type { AccountTrade, FundingPayment, Position } from '../wire.ts'

export type ClosedPosition = Readonly<{
  symbol: string
  long: boolean
  /** Size that was opened, and closed again. */
  size: number
  entry: number
  exit: number
  /** Realised profit before fees and funding. */
  profit: number
  fees: number
  /** Funding received; `null` if not all payments were read. */
  funding: number | null
  opened: number
  closed: number
  /** Whether a part was closed by a liquidation or a deleveraging. */
  forced: boolean
}>

type Trade = Pick<
  AccountTrade,
  'symbol' | 'side' | 'amount' | 'price' | 'fee' | 'pnl' | 'cause' | 'created_at' | 'history_id'
>
type Sums = { -readonly [Name in keyof ClosedPosition]: ClosedPosition[Name] } & {
  paid: number
  received: number
}

/** Size of a position before the fills that were read; `sums` if it was closed later. */
type Walk = { long: boolean; size: number; sums: Sums | null }

export class ClosedPositions {
  private readonly walks = new Map<string, Walk>()

  constructor(open: readonly Pick<Position, 's' | 'd' | 'a'>[]) {
    for (const { s, d, a } of open)
      this.walks.set(s, { long: d === 'bid', size: Number(a), sums: null })
  }

  /** Continues with older fills, the newest first; returns the positions whose beginning is now
   *  known. */
  add(trades: readonly Trade[]): readonly ClosedPosition[] {
    const found: ClosedPosition[] = []
    for (const trade of trades.toSorted(byAge)) {
      const done = this.walk(trade)
      if (done !== null) found.push(done)
    }
    return found
  }

  private walk(trade: Trade): ClosedPosition | null {
    const { symbol, side } = trade
    const long = side.endsWith('long')
    let walk = this.walks.get(symbol)
    // The direction differs if the open positions are newer or older than the fills.
    if (walk === undefined || walk.long !== long) walk = { long, size: 0, sums: null }
    this.walks.set(symbol, walk)
    const amount = Number(trade.amount)
    const opens = side.startsWith('open')
    if (!opens && isNothing(walk.size, amount)) walk.sums = sumsOf(trade, long)
    if (walk.sums !== null) include(walk.sums, trade, opens)
    walk.size += opens ? -amount : amount
    if (!opens || walk.size > epsilon * amount) return null
    const { sums } = walk
    const isWhole = isNothing(walk.size, amount)
    this.walks.delete(symbol)
    return sums === null || !isWhole ? null : closedOf(sums)
  }
}

const epsilon = 1e-9
const isNothing = (size: number, amount: number) => Math.abs(size) <= epsilon * amount

/** Newest first. Of a fill that turned a position, the opening is the later part. */
const byAge = (one: Trade, other: Trade) =>
  other.history_id - one.history_id || (one.side.startsWith('open') ? -1 : 1)

function sumsOf({ symbol, created_at }: Trade, long: boolean): Sums {
  const times = { opened: created_at, closed: created_at }
  const prices = { entry: 0, exit: 0, paid: 0, received: 0 }
  const money = { profit: 0, fees: 0, funding: null }
  return { symbol, long, size: 0, forced: false, ...prices, ...money, ...times }
}

function include(sums: Sums, trade: Trade, opens: boolean): void {
  const [amount, fee] = [Number(trade.amount), Number(trade.fee)]
  const value = amount * Number(trade.price)
  sums.fees += fee
  sums.profit += Number(trade.pnl) + fee
  sums.opened = trade.created_at
  if (opens) sums.paid += value
  else {
    sums.received += value
    sums.size += amount
    sums.forced ||= trade.cause !== 'normal' && trade.cause !== 'settlement'
  }
}

function closedOf({ paid, received, ...sums }: Sums): ClosedPosition {
  return { ...sums, entry: paid / sums.size, exit: received / sums.size }
}

/** Adds the funding that a position received; `null` if the payments do not reach back so far. */
export function withFunding(
  position: ClosedPosition,
  payments: readonly FundingPayment[],
  isComplete: boolean,
): ClosedPosition {
  const { symbol, opened, closed } = position
  const oldest = payments.at(-1)?.created_at ?? Number.POSITIVE_INFINITY
  if (!isComplete && oldest >= opened) return position
  const its = payments.filter(
    (each) => each.symbol === symbol && each.created_at >= opened && each.created_at <= closed,
  )
  return { ...position, funding: its.reduce((sum, { payout }) => sum + Number(payout), 0) }
}

/** Profit after fees and funding. */
export const netOf = ({ profit, fees, funding }: ClosedPosition) => profit - fees + (funding ?? 0)

const pageSize = 1_000
const fundingPagesMax = 5

type Source = Pick<Client, 'getTradeHistory' | 'getFundingHistory'>
type Query = Readonly<{ account: string; cursor: string | null; symbol?: string }>
type Page = Readonly<{ rows: readonly ClosedPosition[]; next_cursor: string | null }>

/** What was read so far, for the pages after it. */
type Read = {
  positions: ClosedPositions
  payments: readonly FundingPayment[]
  /** Cursor of the next page of payments; `null` before the first. */
  cursor: string | null
  isComplete: boolean
}

/** Reads pages of closed positions. The first page begins again. */
export function closedPages(openNow: () => readonly Position[]) {
  const begun = (): Read => {
    const payments = { payments: [], cursor: null, isComplete: false }
    return { positions: new ClosedPositions(openNow()), ...payments }
  }
  let last = begun()
  return async (client: Source, { account, ...query }: Query): Promise<Page> => {
    const page = await client.getTradeHistory({ account, ...query, limit: pageSize })
    // Another first page may be read at the same time.
    const read = query.cursor === null ? begun() : last
    last = read
    const rows = read.positions.add(page.rows)
    if (rows.length > 0) {
      const since = Math.min(...rows.map(({ opened }) => opened))
      await readFunding(read, client, { account, since })
    }
    const { payments, isComplete } = read
    const whole = rows.map((row) => withFunding(row, payments, isComplete))
    return { rows: whole, next_cursor: page.next_cursor }
  }
}

type Since = Readonly<{ account: string; since: number }>

async function readFunding(read: Read, client: Source, { account, since }: Since) {
  for (let page = 0; page < fundingPagesMax && !read.isComplete; page++) {
    if ((read.payments.at(-1)?.created_at ?? Number.POSITIVE_INFINITY) < since) return
    const query = { account, cursor: read.cursor, limit: pageSize }
    const { rows, next_cursor } = await client.getFundingHistory(query)
    read.payments = [...read.payments, ...rows]
    read.cursor = next_cursor
    read.isComplete = next_cursor === null
  }
}
