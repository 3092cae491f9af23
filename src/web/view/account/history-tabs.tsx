// What is past, asked for page by page when someone looks, and again when something happened.

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Client } from '../../../client/client.ts'
import { withIsoTimes } from '../../model/csv-times.ts'
import { averageText, fixed, NONE, percent, signed, wordsOf } from '../../model/number-text.ts'
import type { Terminal } from '../../model/terminal.ts'
import type { AccountTrade, BalanceChange, FundingPayment, OrderRow } from '../../model/wire.ts'
import { useTerminal } from '../use-terminal.ts'
import { Amount, type Column, Moment, Table, Unread } from './table.tsx'

type Page<Row> = Readonly<{ rows: readonly Row[]; next_cursor: string | null }>
type Ask<Row> = (client: Client, account: string, cursor: string | null) => Promise<Page<Row>>

const settleMs = 300

function usePages<Row>(ask: Ask<Row>) {
  const { reader, address, account } = useTerminal()
  const rows = useSignal<readonly Row[] | null>(null)
  const cursor = useSignal<string | null>(null)
  const failed = useSignal<Readonly<{ why: string; again: () => void }> | null>(null)
  // Only the answer to the newest question counts: an earlier one may be of another account.
  const newest = useRef(0)
  const who = address.value
  const client = reader.value
  const happened = account.happenings.value
  const load = async (from: string | null) => {
    newest.current += 1
    const question = newest.current
    if (who === null) return
    try {
      const page = await ask(client, who, from)
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
    [who, client],
  )
  useEffect(() => {
    const timer = setTimeout(() => void load(null), rows.peek() === null ? 0 : settleMs)
    return () => clearTimeout(timer)
  }, [who, client, happened])
  return { rows, cursor, failed, more: () => load(cursor.peek()) }
}

type HistoryProps<Row> = Readonly<{
  label: string
  ask: Ask<Row>
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string | number
  empty: string
  save?: (client: Client, account: string) => Promise<string>
}>

export function History<Row>({ label, ask, columns, rowKey, empty, save }: HistoryProps<Row>) {
  const terminal = useTerminal()
  const { rows, cursor, failed, more } = usePages(ask)
  const unread = failed.value
  return (
    <>
      {(unread === null || rows.value !== null) && (
        <Table
          label={label}
          rows={rows.value ?? []}
          columns={columns}
          rowKey={rowKey}
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
    terminal.notices.tell({ kind: 'bad', title: `${label} not saved`, text: error.message, link })
    return null
  })
  if (text === null) return
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([withIsoTimes(text)], { type: 'text/csv' }))
  link.download = `openperp-${label.toLowerCase().replaceAll(' ', '-')}.csv`
  link.click()
  URL.revokeObjectURL(link.href)
}

/** All pages under one head. */
async function wholeTable(
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

const places = (terminal: Terminal, symbol: string) => terminal.markets.gridOf(symbol).tickPlaces

const tone = (value: string) => (Number(value) >= 0 ? 'up' : 'down')

function orderColumns(terminal: Terminal): readonly Column<OrderRow>[] {
  return [
    { name: 'Time', cell: (row) => <Moment at={row.updated_at} /> },
    { name: 'Market', cell: ({ symbol }) => <b>{symbol}</b> },
    {
      name: 'Side',
      cell: ({ side }) => (
        <span class={side === 'bid' ? 'up' : 'down'}>{side === 'bid' ? 'Buy' : 'Sell'}</span>
      ),
    },
    { name: 'Type', cell: (row) => wordsOf(row.order_type) },
    {
      name: 'Trigger',
      num: true,
      cell: (row) => fixed(row.stop_price, places(terminal, row.symbol)),
    },
    {
      name: 'Price',
      num: true,
      // The price of a market order is only the worst that it would have taken.
      cell: (row) =>
        row.order_type === 'market' || Number(row.price) === 0
          ? 'market'
          : fixed(row.price, places(terminal, row.symbol)),
    },
    {
      name: 'Average',
      num: true,
      cell: (row) => averageText(row.average_filled_price, places(terminal, row.symbol)),
    },
    {
      name: 'Filled / size',
      num: true,
      cell: (row) => (
        <>
          <Amount value={row.filled_amount} /> / <Amount value={row.amount} />
        </>
      ),
    },
    {
      name: 'Status',
      cell: (row) => (
        <>
          {wordsOf(row.order_status)}
          {row.reason !== null && <span class="dim"> · {wordsOf(row.reason)}</span>}
        </>
      ),
    },
    {
      name: '',
      cell: (row) => (
        <button
          type="button"
          class="button small"
          onClick={() => terminal.explain({ about: 'order', orderId: row.order_id })}
        >
          Events
        </button>
      ),
    },
  ]
}

export function HistoryTab() {
  const terminal = useTerminal()
  return (
    <History
      label="Order history"
      ask={(client, account, cursor) => client.getOrderHistory({ account, cursor, limit: 100 })}
      columns={orderColumns(terminal)}
      rowKey={(row) => row.order_id}
      empty="No orders yet"
      save={(client, account) =>
        wholeTable((cursor) => client.table('get_order_history', { account, cursor, limit: 1_000 }))
      }
    />
  )
}

export function FillsTab() {
  const terminal = useTerminal()
  const columns: readonly Column<AccountTrade>[] = [
    { name: 'Time', cell: (row) => <Moment at={row.created_at} /> },
    { name: 'Market', cell: ({ symbol }) => <b>{symbol}</b> },
    {
      name: 'What',
      cell: (row) => (
        <>
          {wordsOf(row.side)}{' '}
          {row.cause !== 'normal' && <span class="warn">{wordsOf(row.cause)}</span>}
        </>
      ),
    },
    {
      name: 'Role',
      cell: (row) => (
        <span class="dim">{row.event_type.endsWith('maker') ? 'Maker' : 'Taker'}</span>
      ),
    },
    { name: 'Price', num: true, cell: (row) => fixed(row.price, places(terminal, row.symbol)) },
    { name: 'Size', num: true, cell: (row) => <Amount value={row.amount} /> },
    { name: 'Fee', num: true, cell: (row) => fixed(row.fee, 4) },
    {
      name: 'Profit',
      num: true,
      cell: (row) => <span class={tone(row.pnl)}>{signed(row.pnl, 2)}</span>,
    },
    {
      name: '',
      cell: (row) => (
        <button
          type="button"
          class="button small"
          onClick={() => terminal.explain({ about: 'fill', fill: row })}
        >
          Why
        </button>
      ),
    },
  ]
  return (
    <History
      label="Fills"
      ask={(client, account, cursor) => client.getTradeHistory({ account, cursor, limit: 100 })}
      columns={columns}
      rowKey={(row) => `${row.history_id} ${row.side}`}
      empty="No fills yet"
      save={(client, account) =>
        wholeTable((cursor) => client.table('get_trade_history', { account, cursor, limit: 1_000 }))
      }
    />
  )
}

export function FundingTab() {
  const terminal = useTerminal()
  const columns: readonly Column<FundingPayment>[] = [
    { name: 'Time', cell: (row) => <Moment at={row.created_at} /> },
    { name: 'Market', cell: ({ symbol }) => <b>{symbol}</b> },
    {
      name: 'Position',
      cell: (row) => (
        <>
          {row.side === 'bid' ? 'Long' : 'Short'} <Amount value={row.amount} />
        </>
      ),
    },
    { name: 'Rate', num: true, cell: (row) => percent(Number(row.rate), 5) },
    {
      name: 'Received',
      num: true,
      cell: (row) => <span class={tone(row.payout)}>{signed(row.payout, 4)}</span>,
    },
    {
      name: '',
      cell: (row) => (
        <button
          type="button"
          class="button small"
          onClick={() => terminal.explain({ about: 'funding', payment: row })}
        >
          Why
        </button>
      ),
    },
  ]
  return (
    <History
      label="Funding"
      ask={(client, account, cursor) => client.getFundingHistory({ account, cursor, limit: 100 })}
      columns={columns}
      rowKey={(row) => row.history_id}
      empty="No funding yet: it is paid at every full hour"
      save={(client, account) =>
        wholeTable((cursor) =>
          client.table('get_funding_history', { account, cursor, limit: 1_000 }),
        )
      }
    />
  )
}

export function BalanceTab() {
  const columns: readonly Column<BalanceChange>[] = [
    { name: 'Time', cell: (row) => <Moment at={row.created_at} /> },
    { name: 'What', cell: (row) => wordsOf(row.event_type) },
    {
      name: 'Change',
      num: true,
      cell: (row) => <span class={tone(row.amount)}>{signed(row.amount, 4)}</span>,
    },
    { name: 'Balance', num: true, cell: (row) => fixed(row.balance, 4) },
    {
      name: 'Pending',
      num: true,
      cell: (row) => (Number(row.pending_balance) === 0 ? NONE : fixed(row.pending_balance, 2)),
    },
  ]
  return (
    <History
      label="Balance"
      ask={(client, account, cursor) => client.getBalanceHistory({ account, cursor, limit: 100 })}
      columns={columns}
      rowKey={(row) => `${row.created_at} ${row.balance} ${row.event_type}`}
      empty="Nothing yet"
      save={(client, account) =>
        wholeTable((cursor) =>
          client.table('get_balance_history', { account, cursor, limit: 1_000 }),
        )
      }
    />
  )
}
