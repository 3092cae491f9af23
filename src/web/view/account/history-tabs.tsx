// Histories: orders, positions, fills, funding and balances.

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
import { ClosedTab } from './closed-tab.tsx'
import { History, wholeTable } from './history-pages.tsx'
import { Events, SideText } from './orders-tab.tsx'

const places = (terminal: Terminal, symbol: string) => terminal.markets.gridOf(symbol).tickPlaces

/** Whether a stop was triggered. It is filled through its order, which has a separate row. */
const hasFired = ({ order_type, order_status, filled_amount }: OrderRow) =>
  order_status === 'filled' && !isPlain(order_type) && Number(filled_amount) === 0
const isLong = (side: string) => (side === 'bid' ? 'Long' : 'Short')
const isPlain = (type: string) => type === 'limit' || type === 'market'

const market: Column<Readonly<{ symbol: string }>> = {
  name: 'Market',
  cell: ({ symbol }) => <b>{symbol}</b>,
  sort: ({ symbol }) => symbol,
}

const created: Column<Readonly<{ created_at: number }>> = {
  name: 'Time',
  cell: (row) => <Moment at={row.created_at} />,
  sort: (row) => row.created_at,
}

function orderColumns(terminal: Terminal): readonly Column<OrderRow>[] {
  return [
    { name: 'Time', cell: (row) => <Moment at={row.updated_at} />, sort: (row) => row.updated_at },
    market,
    {
      name: 'Side',
      sort: ({ side }) => side,
      cell: ({ side }) => <SideText side={side} />,
    },
    {
      name: 'Type',
      sort: (row) => wordsOf(row.order_type),
      cell: (row) => <span title={`Order ${row.order_id}`}>{wordsOf(row.order_type)}</span>,
    },
    {
      name: 'Trigger',
      num: true,
      sort: (row) => Number(row.stop_price ?? Number.NaN),
      cell: (row) => fixed(row.stop_price, places(terminal, row.symbol)),
    },
    {
      name: 'Price',
      num: true,
      sort: (row) => Number(row.price),
      // The price of a market order is only its worst price.
      cell: (row) =>
        row.order_type === 'market' || Number(row.price) === 0
          ? 'market'
          : fixed(row.price, places(terminal, row.symbol)),
    },
    {
      name: 'Average',
      num: true,
      sort: (row) => Number(row.average_filled_price ?? Number.NaN),
      cell: (row) => averageText(row.average_filled_price, places(terminal, row.symbol)),
    },
    {
      name: 'Filled / size',
      num: true,
      sort: (row) => Number(row.amount),
      cell: (row) => (
        <>
          <Amount value={row.filled_amount} /> / <Amount value={row.amount} />
        </>
      ),
    },
    {
      name: 'Status',
      sort: (row) => wordsOf(row.order_status),
      cell: (row) => (
        <>
          {hasFired(row) ? 'Fired' : wordsOf(row.order_status)}
          {row.reason !== null && <span class="dim"> · {endWords(row.reason)}</span>}
        </>
      ),
    },
    { name: '', cell: ({ order_id }) => <Events id={order_id} /> },
  ]
}

const orderText = (row: OrderRow) =>
  [
    row.symbol,
    row.side === 'bid' ? 'Buy' : 'Sell',
    wordsOf(row.order_type),
    wordsOf(row.order_status),
    row.price,
    row.amount,
    row.order_id,
  ].join(' ')

function HistoryTab() {
  const terminal = useTerminal()
  return (
    <History
      label="Order history"
      ask={(client, query) => client.getOrderHistory({ ...query, limit: 100 })}
      byMarket
      marketOf={({ symbol }) => symbol}
      words={orderText}
      columns={orderColumns(terminal)}
      rowKey={(row) => row.order_id}
      empty="No orders yet"
      save={(client, account) =>
        wholeTable((cursor) => client.table('get_order_history', { account, cursor, limit: 1_000 }))
      }
    />
  )
}

function fillColumns(terminal: Terminal): readonly Column<AccountTrade>[] {
  return [
    created,
    market,
    {
      name: 'What',
      sort: (row) => wordsOf(row.side),
      cell: (row) => (
        <>
          {wordsOf(row.side)}{' '}
          {row.cause !== 'normal' && <span class="warn">{wordsOf(row.cause)}</span>}
        </>
      ),
    },
    {
      name: 'Role',
      sort: (row) => row.event_type,
      cell: (row) => (
        <span class="dim">{row.event_type.endsWith('maker') ? 'Maker' : 'Taker'}</span>
      ),
    },
    {
      name: 'Price',
      num: true,
      cell: (row) => fixed(row.price, places(terminal, row.symbol)),
      sort: (row) => Number(row.price),
    },
    {
      name: 'Size',
      num: true,
      cell: (row) => <Amount value={row.amount} />,
      sort: (row) => Number(row.amount),
    },
    {
      name: 'Fee',
      num: true,
      cell: (row) => fixed(row.fee, 4),
      sort: (row) => Number(row.fee),
    },
    {
      name: 'Profit',
      num: true,
      sort: (row) => Number(row.pnl),
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
}

function FillsTab() {
  const terminal = useTerminal()
  return (
    <History
      label="Fills"
      ask={(client, query) => client.getTradeHistory({ ...query, limit: 100 })}
      byMarket
      marketOf={({ symbol }) => symbol}
      words={({ symbol, side, cause, price, amount }) =>
        [symbol, wordsOf(side), wordsOf(cause), price, amount].join(' ')
      }
      columns={fillColumns(terminal)}
      rowKey={(row) => `${row.history_id} ${row.side}`}
      empty="No fills yet"
      save={(client, account) =>
        wholeTable((cursor) => client.table('get_trade_history', { account, cursor, limit: 1_000 }))
      }
    />
  )
}

function FundingTab() {
  const terminal = useTerminal()
  const columns: readonly Column<FundingPayment>[] = [
    created,
    market,
    {
      name: 'Position',
      cell: (row) => (
        <>
          {isLong(row.side)} <Amount value={row.amount} />
        </>
      ),
    },
    {
      name: 'Rate',
      num: true,
      cell: (row) => percent(Number(row.rate), 5),
      sort: (row) => Number(row.rate),
    },
    {
      name: 'Received',
      num: true,
      sort: (row) => Number(row.payout),
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
      ask={(client, query) => client.getFundingHistory({ ...query, limit: 100 })}
      marketOf={({ symbol }) => symbol}
      words={({ symbol, side, amount }) => `${symbol} ${isLong(side)} ${amount}`}
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

function BalanceTab() {
  const columns: readonly Column<BalanceChange>[] = [
    created,
    { name: 'What', cell: (row) => wordsOf(row.event_type), sort: (row) => row.event_type },
    {
      name: 'Change',
      num: true,
      sort: (row) => Number(row.amount),
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
      ask={(client, query) => client.getBalanceHistory({ ...query, limit: 100 })}
      words={({ event_type, amount }) => `${wordsOf(event_type)} ${amount}`}
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

const contents = {
  history: HistoryTab,
  closed: ClosedTab,
  fills: FillsTab,
  funding: FundingTab,
  balance: BalanceTab,
}

export default function Histories({ tab }: { tab: keyof typeof contents }) {
  const Content = contents[tab]
  return <Content key={tab} />
}
