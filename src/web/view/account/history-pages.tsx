// A history table. Pages are requested as they are shown, and again when there are new rows.

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Client } from '../../../client/client.ts'
import { withIsoTimes } from '../../model/csv-times.ts'
import type { Terminal } from '../../model/terminal.ts'
import { type TableProps, Unread } from '../parts/table.tsx'
import { useTerminal } from '../use-terminal.ts'
import { RowsTable } from './rows-table.tsx'

type Page<Row> = Readonly<{ rows: readonly Row[]; next_cursor: string | null }>
type Query = Readonly<{ account: string; cursor: string | null; symbol?: string }>
type Ask<Row> = (client: Client, query: Query) => Promise<Page<Row>>

const settleMs = 300

function usePages<Row>(ask: Ask<Row>, symbol: string | null) {
  const { reader, address, account } = useTerminal()
  const rows = useSignal<readonly Row[] | null>(null)
  const cursor = useSignal<string | null>(null)
  const failed = useSignal<Readonly<{ why: string; again: () => void }> | null>(null)
  // Only the answer to the newest request is used, because an earlier one may be for another
  // account.
  const newest = useRef(0)
  const who = address.value
  const client = reader.value
  const happened = account.changes.value
  const load = async (from: string | null) => {
    newest.current += 1
    const question = newest.current
    if (who === null) return
    try {
      const query = { account: who, cursor: from, ...(symbol !== null && { symbol }) }
      const page = await ask(client, query)
      if (question !== newest.current) return
      rows.value = from === null ? page.rows : [...(rows.peek() ?? []), ...page.rows]
      cursor.value = page.next_cursor
      failed.value = null
    } catch (error) {
      if (question !== newest.current) return
      failed.value = { why: (error as Error).message, again: () => void load(from) }
    }
  }
  useEffect(
    () => () => {
      newest.current += 1
      rows.value = null
      cursor.value = null
      failed.value = null
    },
    [who, client, symbol],
  )
  useEffect(() => {
    const timer = setTimeout(() => void load(null), rows.peek() === null ? 0 : settleMs)
    return () => clearTimeout(timer)
  }, [who, client, happened, symbol])
  return { rows, cursor, failed, more: () => load(cursor.peek()) }
}

type HistoryProps<Row> = Omit<TableProps<Row>, 'rows' | 'sorting'> &
  Readonly<{
    ask: Ask<Row>
    words: (row: Row) => string
    marketOf?: (row: Row) => string
    /** Whether the exchange has a query for one market. */
    byMarket?: boolean
    save?: (client: Client, account: string) => Promise<string>
  }>

export function History<Row>({ ask, byMarket = false, save, ...table }: HistoryProps<Row>) {
  const terminal = useTerminal()
  const { label, empty } = table
  const { preferences, markets } = terminal
  const here = byMarket && preferences.now.value.hereOnly ? markets.symbol.value : null
  const { rows, cursor, failed, more } = usePages(ask, here)
  const unread = failed.value
  return (
    <>
      {(unread === null || rows.value !== null) && (
        <RowsTable
          {...table}
          rows={rows.value ?? []}
          empty={rows.value === null && terminal.address.value !== null ? 'Loading…' : empty}
        />
      )}
      {unread !== null && <Unread what={label} why={unread.why} onAgain={unread.again} />}
      <div class="more">
        {cursor.value !== null && (
          <button type="button" class="button small" onClick={more}>
            Older
          </button>
        )}{' '}
        {save !== undefined && (rows.value?.length ?? 0) > 0 && (
          <button
            type="button"
            class="button small"
            onClick={() => saveTable(terminal, label, save)}
          >
            Save as CSV
          </button>
        )}
      </div>
    </>
  )
}

async function saveTable(
  terminal: Terminal,
  label: string,
  table: (client: Client, account: string) => Promise<string>,
): Promise<void> {
  const account = terminal.address.peek()
  if (account === null) return
  const text = await table(terminal.reader.peek(), account).catch((error: Error) => {
    const link = { label: 'Try again', open: () => void saveTable(terminal, label, table) }
    terminal.notices.show({ kind: 'bad', title: `${label} not saved`, text: error.message, link })
    return null
  })
  if (text === null) return
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([withIsoTimes(text)], { type: 'text/csv' }))
  link.download = `openperp-${label.toLowerCase().replaceAll(' ', '-')}.csv`
  link.click()
  URL.revokeObjectURL(link.href)
}

/** Downloads all pages as one table with a single header. */
export async function wholeTable(
  page: (cursor: string | null) => Promise<{ text: string; nextCursor: string | null }>,
): Promise<string> {
  let all = ''
  let cursor: string | null = null
  do {
    const { text, nextCursor } = await page(cursor)
    all += all === '' ? text : text.slice(text.indexOf('\n') + 1)
    cursor = nextCursor
  } while (cursor !== null)
  return all
}
