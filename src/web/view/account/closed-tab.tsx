// Positions that were closed.

import { useRef } from 'preact/hooks'
import { numberOnGrid } from '../../model/market/market-grid.ts'
import {
  averageText,
  durationText,
  fixed,
  NONE,
  signedPercent,
  signedUsd,
  toneOf,
} from '../../model/number-text.ts'
import { type ClosedPosition, closedPages, netOf } from '../../model/tables/closed-positions.ts'
import type { Terminal } from '../../model/terminal.ts'
import { Amount, type Column, Moment } from '../parts/table.tsx'
import { useTerminal } from '../use-terminal.ts'
import { History } from './history-pages.tsx'

const sideText = ({ long }: ClosedPosition) => (long ? 'long' : 'short')

/** Net profit over the value at entry. */
const returnOf = (row: ClosedPosition) => netOf(row) / (row.entry * row.size)

const aboutForced =
  'Liquidated or deleveraged. The margin that a takeover moves and payments of the insurance ' +
  'fund are not in these numbers.'

const money = (value: number) => <span class={toneOf(value)}>{signedUsd(value)}</span>

export function closedColumns({ markets }: Terminal): readonly Column<ClosedPosition>[] {
  const price = (symbol: string, value: number) =>
    averageText(value, markets.gridOf(symbol).tickPlaces)
  return [
    { name: 'Closed', cell: ({ closed }) => <Moment at={closed} />, sort: ({ closed }) => closed },
    {
      name: 'Market',
      cell: (row) => (
        <span class={row.long ? 'up' : 'down'}>
          <b>{row.symbol}</b> {sideText(row)}{' '}
          {row.forced && (
            <span class="chip warn" title={aboutForced}>
              forced
            </span>
          )}
        </span>
      ),
      sort: ({ symbol }) => symbol,
    },
    {
      name: 'Size',
      num: true,
      cell: ({ symbol, size }) => <Amount value={numberOnGrid(size, markets.gridOf(symbol).lot)} />,
      sort: ({ size }) => size,
    },
    { name: 'Entry', num: true, cell: ({ symbol, entry }) => price(symbol, entry) },
    { name: 'Exit', num: true, cell: ({ symbol, exit }) => price(symbol, exit) },
    { name: 'Profit', num: true, cell: ({ profit }) => money(profit), sort: (row) => row.profit },
    { name: 'Fees', num: true, cell: ({ fees }) => fixed(fees, 2), sort: ({ fees }) => fees },
    {
      name: 'Funding',
      num: true,
      cell: ({ funding }) => (funding === null ? NONE : money(funding)),
      sort: ({ funding }) => funding ?? Number.NaN,
    },
    { name: 'Net', num: true, cell: (row) => <b>{money(netOf(row))}</b>, sort: netOf },
    {
      name: 'Return',
      num: true,
      cell: (row) => signedPercent(returnOf(row)),
      sort: returnOf,
    },
    {
      name: 'Duration',
      num: true,
      cell: ({ opened, closed }) => durationText(closed - opened),
      sort: ({ opened, closed }) => closed - opened,
    },
  ]
}

export function ClosedTab() {
  const terminal = useTerminal()
  const pages = useRef<ReturnType<typeof closedPages> | null>(null)
  pages.current ??= closedPages(() => terminal.account.positions.peek())
  return (
    <History
      label="Position history"
      ask={pages.current}
      byMarket
      columns={closedColumns(terminal)}
      rowKey={({ symbol, closed, opened }) => `${symbol} ${opened} ${closed}`}
      marketOf={({ symbol }) => symbol}
      words={(row) => `${row.symbol} ${sideText(row)} ${row.forced ? 'liquidated' : ''}`}
      empty="No closed positions yet"
    />
  )
}
