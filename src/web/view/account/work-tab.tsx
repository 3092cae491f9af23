// What waits and what runs, in one table, and what became of the algos of before.

import { dateText, fixed, NONE, wordsOf } from '../../model/number-text.ts'
import { type WorkRow, workRows } from '../../model/pending/work-rows.ts'
import type { Terminal } from '../../model/terminal.ts'
import type { AlgoRow, OpenOrder, TwapRow } from '../../model/wire.ts'
import { Amount, type Column, Moment, Table } from '../parts/table.tsx'
import { useTerminal } from '../use-terminal.ts'
import { History } from './history-pages.tsx'
import { MarketButton, priceIn, SideText } from './orders-tab.tsx'

/** Of a stop that trails: where it would fire now, and how far behind that is. */
function triggerText(terminal: Terminal, { s, sp, ip, trailing }: OpenOrder) {
  if (trailing === undefined) return `${priceIn(terminal, s, sp)}, then ${priceIn(terminal, s, ip)}`
  const { trailing_percent, trailing_distance, activation_price } = trailing
  const behind = trailing_percent === null ? trailing_distance : `${trailing_percent} %`
  const now = sp === null ? `from ${activation_price ?? NONE} on` : priceIn(terminal, s, sp)
  return (
    <span title="It follows the mark">
      {now} <span class="chip">{behind} behind</span>
    </span>
  )
}

/** Its price, or what it waits for. */
function conditionOf(terminal: Terminal, row: WorkRow) {
  if (row.is === 'stop') return triggerText(terminal, row.order)
  if (row.is === 'twap') {
    const { past_sub_order_count: past, planned_sub_order_count: planned } = row.twap
    return `slice ${past} of ${planned}`
  }
  const { symbol, price, display_amount, kind, side } = row.algo
  if (kind === 'chase') {
    const follows = side === 'bid' ? 'best bid, up to' : 'best ask, down to'
    return `${follows} ${priceIn(terminal, symbol, price)}`
  }
  return `${priceIn(terminal, symbol, price)}, shows ${display_amount ?? NONE}`
}

function cancel({ trading }: Terminal, row: WorkRow): void {
  if (row.is === 'stop') void trading.cancel(row.order)
  else if (row.is === 'twap') void trading.cancelTwap(row.twap)
  else void trading.cancel({ s: row.symbol, i: row.id })
}

function columnsOf(terminal: Terminal): readonly Column<WorkRow>[] {
  return [
    { name: 'Time', cell: ({ since }) => <Moment at={since} /> },
    { name: 'Market', cell: ({ symbol }) => <MarketButton symbol={symbol} /> },
    { name: 'Side', cell: ({ side }) => <SideText side={side} /> },
    {
      name: 'Kind',
      cell: ({ kind, reduceOnly }) => (
        <>
          {kind} {reduceOnly && <span class="chip">reduce only</span>}
        </>
      ),
    },
    { name: 'Price or condition', num: true, cell: (row) => conditionOf(terminal, row) },
    {
      name: 'Filled / size',
      num: true,
      cell: ({ filled, size }) => (
        <>
          <Amount value={filled} /> / <Amount value={size} />
        </>
      ),
    },
    {
      name: 'Ends',
      cell: ({ ends }) => (ends === null ? <span class="dim">{NONE}</span> : <Moment at={ends} />),
    },
    { name: 'Belongs to', cell: ({ belongs }) => belongs || <span class="dim">{NONE}</span> },
    { name: '', cell: (row) => <Actions row={row} /> },
  ]
}

function Actions({ row }: { row: WorkRow }) {
  const terminal = useTerminal()
  const what = row.is === 'twap' ? 'TWAP' : 'order'
  return (
    <div class="row-actions">
      {row.is === 'stop' && (
        <button
          type="button"
          class="button small"
          onClick={() => terminal.explain({ about: 'order', orderId: row.id })}
        >
          Events
        </button>
      )}
      <button
        type="button"
        class="button small danger"
        aria-label={`Cancel ${what} ${row.id}`}
        onClick={() => cancel(terminal, row)}
      >
        Cancel
      </button>
    </div>
  )
}

type Past = TwapRow | AlgoRow

const isOver = ({ order_status: status }: Past) =>
  status !== 'open' && status !== 'partially_filled'

function pastColumns<Row extends Past>(terminal: Terminal): readonly Column<Row>[] {
  const average = ({ symbol, filled_amount, total_filled_value }: Row) =>
    Number(filled_amount) === 0
      ? NONE
      : fixed(
          Number(total_filled_value) / Number(filled_amount),
          terminal.markets.gridOf(symbol).tickPlaces,
        )
  return [
    { name: 'Begun', cell: (row) => <Moment at={row.created_at} /> },
    { name: 'Market', cell: ({ symbol }) => <MarketButton symbol={symbol} /> },
    { name: 'Side', cell: ({ side }) => <SideText side={side} /> },
    {
      name: 'Filled / size',
      num: true,
      cell: (row) => (
        <>
          <Amount value={row.filled_amount} /> / <Amount value={row.initial_amount} />
        </>
      ),
    },
    { name: 'Average', num: true, cell: average },
    { name: 'Ended', num: true, cell: (row) => dateText(row.updated_at) },
    { name: 'Status', cell: (row) => wordsOf(row.order_status) },
  ]
}

export function WorkTab() {
  const terminal = useTerminal()
  const { orders, algos, twaps } = terminal.account
  const rows = workRows({ orders: orders.value, algos: algos.value, twaps: twaps.value })
  return (
    <>
      <Table
        label="Stops and algos"
        rows={rows}
        columns={columnsOf(terminal)}
        rowKey={({ id }) => id}
        empty="Nothing waits or runs: stops, levels, OCOs, icebergs, chases, TWAPs"
      />
      <History
        label="Past TWAPs"
        ask={async (client, account, cursor) => {
          const page = await client.getTwapHistory({ account, cursor, limit: 100 })
          return { ...page, rows: page.rows.filter(isOver) }
        }}
        columns={pastColumns<TwapRow>(terminal)}
        rowKey={({ order_id }) => order_id}
        empty="No TWAPs before"
      />
      <History
        label="Past algos"
        ask={async (client, account, cursor) => {
          const page = await client.getAlgoHistory({ account, cursor, limit: 100 })
          return { ...page, rows: page.rows.filter(isOver) }
        }}
        columns={[
          { name: 'Kind', cell: ({ kind }) => wordsOf(kind) },
          ...pastColumns<AlgoRow>(terminal),
          { name: 'Why', cell: ({ reason }) => (reason === null ? NONE : wordsOf(reason)) },
        ]}
        rowKey={({ order_id }) => order_id}
        empty="No icebergs or chases before"
      />
    </>
  )
}
