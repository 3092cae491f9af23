// TWAPs at work, as the exchange tells each slice, and what became of those of before.

import { dateText, fixed, NONE, wordsOf } from '../../model/number-text.ts'
import type { Terminal } from '../../model/terminal.ts'
import type { OpenTwap, TwapRow } from '../../model/wire.ts'
import { Amount, type Column, Moment, Table } from '../parts/table.tsx'
import { useTerminal } from '../use-terminal.ts'
import { History } from './history-pages.tsx'
import { SideText } from './orders-tab.tsx'

function columnsOf({ markets }: Terminal): readonly Column<OpenTwap>[] {
  const average = ({ symbol, filled_amount, total_filled_value }: OpenTwap) =>
    Number(filled_amount) === 0
      ? NONE
      : fixed(Number(total_filled_value) / Number(filled_amount), markets.gridOf(symbol).tickPlaces)
  return [
    { name: 'Begun', cell: (row) => <Moment at={row.created_at} /> },
    {
      name: 'Market',
      cell: ({ symbol }) => (
        <button type="button" onClick={() => markets.choose(symbol)}>
          <b>{symbol}</b>
        </button>
      ),
    },
    {
      name: 'Side',
      cell: ({ side, reduce_only }) => (
        <>
          <SideText side={side} /> {reduce_only && <span class="chip">reduce only</span>}
        </>
      ),
    },
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
    {
      name: 'Slices',
      num: true,
      cell: (row) => `${row.past_sub_order_count} / ${row.planned_sub_order_count}`,
    },
    { name: 'Ends', num: true, cell: (row) => dateText(row.expiration) },
  ]
}

export function TwapsTab() {
  const terminal = useTerminal()
  const columns = columnsOf(terminal)
  const past: readonly Column<TwapRow>[] = [
    ...columns,
    { name: 'Status', cell: (row) => wordsOf(row.order_status) },
  ]
  const cancel: Column<OpenTwap> = {
    name: '',
    cell: (row) => (
      <div class="row-actions">
        <button
          type="button"
          class="button small danger"
          aria-label={`Cancel TWAP ${row.order_id}`}
          onClick={() => terminal.trading.cancelTwap(row)}
        >
          Cancel
        </button>
      </div>
    ),
  }
  return (
    <>
      <Table
        label="TWAPs at work"
        rows={terminal.account.twaps.value}
        columns={[...columns, cancel]}
        rowKey={({ order_id }) => order_id}
        empty="No TWAP at work: choose TWAP in the ticket to work off a size slice by slice"
      />
      <History
        label="Past TWAPs"
        ask={async (client, account, cursor) => {
          const page = await client.getTwapHistory({ account, cursor, limit: 100 })
          const rows = page.rows.filter(
            ({ order_status: status }) => status !== 'open' && status !== 'partially_filled',
          )
          return { ...page, rows }
        }}
        columns={past}
        rowKey={({ order_id }) => order_id}
        empty="None before"
      />
    </>
  )
}
