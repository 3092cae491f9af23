// Pagination of lists: newest first, with a cursor for the next page. Cursors are opaque to
// clients. A cursor contains the kind of its list, so that a cursor of another list is rejected
// instead of misread.

import type { CursorPage, Page } from '../../projections/history/history.ts'
import { LIST_LIMIT } from '../../protocol/schemas/lists.ts'
import { apiError } from '../api-error.ts'
import type { Exchange } from '../exchange.ts'
import type { Call } from '../operation.ts'
import { marketFilter, readableAddress, timesOf } from './reading.ts'

type PageRequest = Readonly<{
  symbol?: string | null
  start_time?: number | null
  end_time?: number | null
  limit?: number | null
  cursor?: string | null
  offset?: number | null
}>

export type ListKind =
  | 'tape'
  | 'trades'
  | 'orders'
  | 'rates'
  | 'interest'
  | 'index'
  | 'liquidations'
  | 'funding'
  | 'balances'
  | 'twaps'
  | 'algos'
  | 'none'

/** The query of history. It reads one row more than requested, to find out whether there are
 *  more. */
export function pageOfRequest(exchange: Exchange, kind: ListKind, request: PageRequest): Page {
  return {
    market: marketFilter(exchange, request.symbol),
    ...timesOf(request),
    ...cursorOfRequest(kind, request),
  }
}

/** The query of a list without filters. */
export function cursorOfRequest(
  kind: ListKind,
  { limit, cursor, offset }: Pick<PageRequest, 'limit' | 'cursor' | 'offset'>,
): CursorPage {
  if (offset != null && offset !== 0)
    throw apiError(
      'MALFORMED_REQUEST',
      `offset ${offset} is not served: ask with cursor set to next_cursor of the page before`,
    )
  return {
    limit: (limit ?? LIST_LIMIT) + 1,
    before: cursor == null ? null : readCursor(kind, cursor),
  }
}

/** A page of an account's list without filters. */
export async function accountPage<Row, Wire>(
  call: Call<Readonly<{ account: string }> & PageRequest>,
  kind: ListKind,
  read: (seq: number, account: string, page: CursorPage) => Promise<readonly Row[]>,
  wire: PageWire<Row, Wire>,
) {
  const { request, exchange } = call
  const account = readableAddress(call, request.account)
  const page = cursorOfRequest(kind, request)
  return pageReply(kind, page, await read(exchange.seq(), account, page), wire)
}

type PageWire<Row, Wire> = Readonly<{ idOf(row: Row): number; rowOf(row: Row): Wire }>

/** Formats a page: removes the extra row and adds the cursor of the next page. */
export function pageReply<Row, Wire>(
  kind: ListKind,
  { limit }: CursorPage,
  rows: readonly Row[],
  wire: PageWire<Row, Wire>,
) {
  const shown = rows.slice(0, limit - 1)
  const last = shown.at(-1)
  const hasMore = rows.length > shown.length && last !== undefined
  return {
    rows: shown.map(wire.rowOf),
    next_cursor: hasMore ? writeCursor(kind, wire.idOf(last)) : null,
    has_more: hasMore,
  }
}

export function writeCursor(kind: ListKind, id: number): string {
  return Buffer.from(`${kind} ${id}`).toString('base64url')
}

function readCursor(kind: ListKind, cursor: string): number {
  const match = /^(\w+) ([1-9][0-9]{0,15})$/.exec(Buffer.from(cursor, 'base64url').toString())
  const id = match === null ? 0 : +match[2]!
  if (match?.[1] === kind && Number.isSafeInteger(id) && writeCursor(kind, id) === cursor) return id
  throw apiError('INVALID_CURSOR', 'cursor must be a next_cursor of this very list')
}
