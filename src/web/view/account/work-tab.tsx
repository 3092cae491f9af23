// Waiting orders and running algos in one table, and past algos.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { firesAbove } from '../../model/account/positions.ts'
import { fixed, NONE, wordsOf } from '../../model/number-text.ts'
import { sliceRefusal } from '../../model/pending/failed-work.ts'
import { type PastRow, pastPage } from '../../model/pending/past-work.ts'
import { type WorkRow, workRows } from '../../model/pending/work-rows.ts'
import type { Terminal } from '../../model/terminal.ts'
import type { OpenOrder, OpenTwap } from '../../model/wire.ts'
import { endWords } from '../../model/words/end-words.ts'
import { CancelButton } from '../parts/cancel-button.tsx'
import { Amount, type Column, Moment } from '../parts/table.tsx'
import { useTerminal } from '../use-terminal.ts'
import { History } from './history-pages.tsx'
import { Events, MarketButton, priceIn, SideText } from './orders-tab.tsx'
import { RowsTable } from './rows-table.tsx'

/** Trigger direction, and the source of the trigger price if it is not the mark. */
function watchedText(order: OpenOrder, at: string) {
  const { trigger_price_type: by } = order
  const sign = firesAbove(order) ? '≥' : '≤'
  return `${sign} ${at}${by === undefined ? '' : ` ${wordsOf(by).toLowerCase()}`}`
}

/** Trigger price; for a trailing stop its current trigger price and its distance. */
function triggerText(terminal: Terminal, order: OpenOrder) {
  const { s, sp, ip, trailing } = order
  if (trailing === undefined)
    return `${watchedText(order, priceIn(terminal, s, sp))}, then ${priceIn(terminal, s, ip)}`
  const { trailing_percent, trailing_distance, activation_price } = trailing
  const behind = trailing_percent === null ? trailing_distance : `${trailing_percent} %`
  const now =
    sp === null ? `from ${priceIn(terminal, s, activation_price)} on` : priceIn(terminal, s, sp)
  return (
    <span title="It follows the mark">
      {now} <span class="chip">{behind} behind</span>
    </span>
  )
}

/** Shows the progress of a TWAP, and why nothing is filled. */
function Slices({ twap }: { twap: OpenTwap }) {
  const { reader, address } = useTerminal()
  const { past_sub_order_count: past, planned_sub_order_count: planned } = twap
  const why = useSignal('')
  const empty = past > 0 && Number(twap.filled_amount) === 0
  useEffect(() => {
    let isLeft = false
    if (empty)
      void sliceRefusal(reader.peek(), address.peek() ?? '', twap).then((text) => {
        if (!isLeft) why.value = text
      })
    return () => {
      isLeft = true
    }
  }, [empty, past])
  return (
    <>
      slice {past} of {planned}
      {empty && why.value !== '' && <span class="long-text warn">{why.value}</span>}
    </>
  )
}

/** Price of a row, or the trigger that it waits for. */
function conditionOf(terminal: Terminal, row: WorkRow) {
  if (row.is === 'stop') return triggerText(terminal, row.order)
  if (row.is === 'twap') return <Slices twap={row.twap} />
  const { symbol, price, display_amount, kind, side } = row.algo
  if (kind === 'chase') {
    const follows = side === 'bid' ? 'best bid, up to' : 'best ask, down to'
    return `${follows} ${priceIn(terminal, symbol, price)}`
  }
  return `${priceIn(terminal, symbol, price)}, shows ${display_amount ?? NONE}`
}

/** Trigger or limit price of a row; a TWAP has none. */
function conditionKey(row: WorkRow): number {
  if (row.is === 'stop') return Number(row.order.sp ?? Number.NaN)
  return row.is === 'algo' ? Number(row.algo.price) : Number.NaN
}

type OfMarket = Readonly<{ symbol: string; side: string; kind: string; size: string }>

const marketColumns: readonly Column<OfMarket>[] = [
  {
    name: 'Market',
    cell: ({ symbol }) => <MarketButton symbol={symbol} />,
    sort: ({ symbol }) => symbol,
  },
  { name: 'Side', cell: ({ side }) => <SideText side={side} />, sort: ({ side }) => side },
]

const wordsOfRow = ({ symbol, side, kind, size }: OfMarket) =>
  [symbol, side === 'bid' ? 'Buy' : 'Sell', kind, size].join(' ')

function cancel({ trading }: Terminal, row: WorkRow): void {
  if (row.is === 'stop') void trading.cancel(row.order)
  else if (row.is === 'twap') void trading.cancelTwap(row.twap)
  else void trading.cancel({ s: row.symbol, i: row.id })
}

function columnsOf(terminal: Terminal): readonly Column<WorkRow>[] {
  return [
    { name: 'Time', cell: ({ since }) => <Moment at={since} />, sort: ({ since }) => since },
    ...marketColumns,
    {
      name: 'Kind',
      sort: ({ kind }) => kind,
      cell: ({ id, kind, reduceOnly }) => (
        <>
          <span title={`Order ${id}`}>{kind}</span>{' '}
          {reduceOnly && <span class="chip">reduce only</span>}
        </>
      ),
    },
    {
      name: 'Price or condition',
      num: true,
      cell: (row) => conditionOf(terminal, row),
      sort: (row) => conditionKey(row),
    },
    {
      name: 'Filled / size',
      num: true,
      sort: ({ size }) => Number(size),
      cell: ({ filled, size, closes }) =>
        closes === '' ? (
          <>
            <Amount value={filled} /> / <Amount value={size} />
          </>
        ) : (
          <span class="long-text few-words">{closes}</span>
        ),
    },
    {
      name: 'Ends',
      sort: ({ ends }) => ends ?? Number.NaN,
      cell: ({ ends }) => (ends === null ? <span class="dim">{NONE}</span> : <Moment at={ends} />),
    },
    {
      name: 'Belongs to',
      cell: ({ belongs }) =>
        belongs === '' ? (
          <span class="dim">{NONE}</span>
        ) : (
          <span class="long-text few-words">{belongs}</span>
        ),
    },
    { name: '', cell: (row) => <Actions row={row} /> },
  ]
}

function Actions({ row }: { row: WorkRow }) {
  const terminal = useTerminal()
  const what = row.is === 'twap' ? 'TWAP' : 'order'
  return (
    <div class="row-actions">
      {row.is === 'stop' && <Events id={row.id} />}
      <CancelButton
        id={row.id}
        label={`Cancel ${what} ${row.id}`}
        cancel={() => cancel(terminal, row)}
      />
    </div>
  )
}

function pastColumns(terminal: Terminal): readonly Column<PastRow>[] {
  const average = ({ symbol, filled, value }: PastRow) =>
    Number(filled) === 0
      ? NONE
      : fixed(Number(value) / Number(filled), terminal.markets.gridOf(symbol).tickPlaces)
  return [
    { name: 'Begun', cell: ({ begun }) => <Moment at={begun} />, sort: ({ begun }) => begun },
    ...marketColumns,
    { name: 'Kind', cell: ({ kind }) => kind, sort: ({ kind }) => kind },
    {
      name: 'Filled / size',
      num: true,
      sort: ({ size }) => Number(size),
      cell: ({ filled, size }) => (
        <>
          <Amount value={filled} /> / <Amount value={size} />
        </>
      ),
    },
    { name: 'Average', num: true, cell: average },
    {
      name: 'Ended',
      num: true,
      cell: ({ ended }) => <Moment at={ended} />,
      sort: ({ ended }) => ended,
    },
    {
      name: 'Status',
      sort: ({ status }) => status,
      cell: ({ status, reason }) => (
        <>
          {wordsOf(status)}
          {reason !== null && <span class="dim"> · {endWords(reason)}</span>}
        </>
      ),
    },
  ]
}

export function WorkTab() {
  const terminal = useTerminal()
  const { orders, algos, twaps } = terminal.account
  const rows = workRows({ orders: orders.value, algos: algos.value, twaps: twaps.value })
  return (
    <>
      <RowsTable
        label="Stops and algos"
        rows={rows}
        columns={columnsOf(terminal)}
        rowKey={({ id }) => id}
        marketOf={({ symbol }) => symbol}
        words={(row) => `${wordsOfRow(row)} ${row.belongs} ${row.id}`}
        empty="No open stops or algos: stops, levels, OCOs, icebergs, chases, TWAPs"
      />
      <h3 class="list-head">Earlier TWAPs, icebergs and chases</h3>
      <History
        label="Past algos"
        ask={(client, query) => pastPage(client, { ...query, limit: 100 })}
        marketOf={({ symbol }) => symbol}
        words={wordsOfRow}
        columns={pastColumns(terminal)}
        rowKey={({ id }) => id}
        empty="No past algos: stops and OCOs that ended are in the order history"
      />
    </>
  )
}
