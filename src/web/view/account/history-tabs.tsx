// Histories: orders, fills, funding and balances.

import { fillQuestion } from '../../model/forced-fills.ts'
import {
  averageText,
  fixed,
  NONE,
  percent,
  signed,
  toneOf,
  wordsOf,
} from '../../model/number-text.ts'
import type { Terminal } from '../../model/terminal.ts'
import type { AccountTrade, BalanceChange, FundingPayment, OrderRow } from '../../model/wire.ts'
import { endWords } from '../../model/words/end-words.ts'
import { Amount, type Column, Moment } from '../parts/table.tsx'
import { useTerminal } from '../use-terminal.ts'
import { History, wholeTable } from './history-pages.tsx'

const places = (terminal: Terminal, symbol: string) => terminal.markets.gridOf(symbol).tickPlaces

/** Whether a stop was triggered. It is filled through its order, which has a separate row. */
const hasFired = ({ order_type, order_status, filled_amount }: OrderRow) =>
  order_status === 'filled' && !isPlain(order_type) && Number(filled_amount) === 0
const isPlain = (type: string) => type === 'limit' || type === 'market'

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
    {
      name: 'Type',
      cell: (row) => <span title={`Order ${row.order_id}`}>{wordsOf(row.order_type)}</span>,
    },
    {
      name: 'Trigger',
      num: true,
      cell: (row) => fixed(row.stop_price, places(terminal, row.symbol)),
    },
    {
      name: 'Price',
      num: true,
      // The price of a market order is only its worst price.
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
          {hasFired(row) ? 'Fired' : wordsOf(row.order_status)}
          {row.reason !== null && <span class="dim"> · {endWords(row.reason)}</span>}
        </>
      ),
    },
    {
      name: '',
      cell: (row) => (
        <button
          type="button"
          class="button small"
          onClick={() => terminal.explain({ about: 'order', id: row.order_id })}
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
      cell: (row) => <span class={toneOf(row.pnl)}>{signed(row.pnl, 2)}</span>,
    },
    {
      name: '',
      cell: (row) => (
        <button
          type="button"
          class="button small"
          onClick={() => terminal.explain(fillQuestion(row))}
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
      cell: (row) => <span class={toneOf(row.payout)}>{signed(row.payout, 4)}</span>,
    },
    {
      name: '',
      cell: (row) => (
        <button
          type="button"
          class="button small"
          onClick={() => terminal.explain({ about: 'funding', id: row.history_id })}
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
      cell: (row) => <span class={toneOf(row.amount)}>{signed(row.amount, 4)}</span>,
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
