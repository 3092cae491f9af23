// Past TWAPs, icebergs and chases in one list, the latest start first. The exchange has separate
// histories of TWAPs and other algos.

import type { Client } from '../../../client/client.ts'
import { wordsOf } from '../number-text.ts'
import type { AlgoRow, TwapRow } from '../wire.ts'

export type PastRow = Readonly<{
  id: number
  symbol: string
  side: string
  /** Kind of the algo, such as `TWAP` or `Iceberg`. */
  kind: string
  size: string
  filled: string
  /** Value of its fills in USD. */
  value: string
  begun: number
  ended: number
  status: string
  /** Why it ended before it was filled; `null` if it was filled or the reason is unknown. */
  reason: string | null
}>

type PastQuery = Readonly<{ account: string; cursor: string | null; limit: number }>
type Source = Readonly<{
  /** Rows that were read but not shown yet. */
  rows: readonly PastRow[]
  /** Cursor of the next page; `null` if there is none. */
  cursor: string | null
  isRead: boolean
}>
type Sources = Readonly<{ twaps: Source; algos: Source }>

const unread: Source = { rows: [], cursor: null, isRead: false }

/** Returns the page after the one with this cursor. */
export async function pastPage(
  client: Pick<Client, 'getTwapHistory' | 'getAlgoHistory'>,
  { account, cursor, limit }: PastQuery,
): Promise<Readonly<{ rows: readonly PastRow[]; next_cursor: string | null }>> {
  const before =
    cursor === null ? { twaps: unread, algos: unread } : (JSON.parse(cursor) as Sources)
  const [twaps, algos] = await Promise.all([
    readOn(before.twaps, async (from) => {
      const page = await client.getTwapHistory({ account, cursor: from, limit })
      return { ...page, rows: page.rows.map(twapRow) }
    }),
    readOn(before.algos, async (from) => {
      const page = await client.getAlgoHistory({ account, cursor: from, limit })
      return { ...page, rows: page.rows.map(algoRow) }
    }),
  ])
  // Rows older than the end of a page are held back until the next page is known.
  const end = Math.max(endOf(twaps), endOf(algos))
  const isShown = ({ id }: PastRow) => id >= end
  const rows = [...twaps.rows, ...algos.rows].filter(isShown).sort((a, b) => b.id - a.id)
  const left = (source: Source) => ({ ...source, rows: source.rows.filter((row) => !isShown(row)) })
  const next: Sources = { twaps: left(twaps), algos: left(algos) }
  return { rows: rows.filter(isOver), next_cursor: end === 0 ? null : JSON.stringify(next) }
}

const endOf = ({ rows, cursor }: Source) => (cursor === null ? 0 : (rows.at(-1)?.id ?? 0))

type Read = (cursor: string | null) => Promise<{
  rows: readonly PastRow[]
  next_cursor: string | null
}>

/** Reads another page if all rows of the last one were shown. */
async function readOn(source: Source, read: Read): Promise<Source> {
  if (source.rows.length > 0 || (source.isRead && source.cursor === null)) return source
  const { rows, next_cursor } = await read(source.cursor)
  return { rows, cursor: next_cursor, isRead: true }
}

const isOver = ({ status }: PastRow) => status !== 'open' && status !== 'partially_filled'

function commonOf(row: TwapRow | AlgoRow) {
  return {
    id: row.order_id,
    symbol: row.symbol,
    side: row.side,
    size: row.initial_amount,
    filled: row.filled_amount,
    value: row.total_filled_value,
    begun: row.created_at,
    ended: row.updated_at,
    status: row.order_status,
  }
}

/** Row of a TWAP. Its last event shows whether it ran out of time. */
function twapRow(row: TwapRow): PastRow {
  const { event_type: event } = row
  const reason = event === 'expired' || event === 'force_cancel' ? event : null
  return { ...commonOf(row), kind: 'TWAP', reason }
}

/** Row of another algo. The status shows whether its owner cancelled it. */
const algoRow = (row: AlgoRow): PastRow => ({
  ...commonOf(row),
  kind: wordsOf(row.kind),
  reason: row.reason === 'owner' ? null : row.reason,
})
