// Profit by market, and closed positions.

import { compact, signedUsd, toneOf } from '../../model/number-text.ts'
import type { MarketProfit } from '../../model/portfolio/account-ledger.ts'
import type { ClosedPosition } from '../../model/tables/closed-positions.ts'
import { closedColumns } from '../account/closed-tab.tsx'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/table.tsx'
import { useTerminal } from '../use-terminal.ts'
import { Card } from './page-parts.tsx'

type Amounts = 'total' | 'trading' | 'funding' | 'fees'

const money = (name: string, key: Amounts, title: string): Column<MarketProfit> => ({
  ...{ name, title, num: true },
  cell: ({ [key]: value }) => <span class={toneOf(value)}>{signedUsd(value)}</span>,
  sort: ({ [key]: value }) => value,
})

const marketColumns: readonly Column<MarketProfit>[] = [
  { name: 'Market', cell: ({ symbol }) => <b>{symbol}</b>, sort: ({ symbol }) => symbol },
  money('Profit', 'total', 'Realised, with funding and fees'),
  money('Trading', 'trading', 'Realised, before fees'),
  money('Funding', 'funding', 'Received less paid'),
  money('Fees', 'fees', 'Negative if more was paid than received'),
  {
    ...{ name: 'Volume', num: true, title: 'In USD' },
    cell: ({ volume }) => compact(volume),
    sort: ({ volume }) => volume,
  },
  { name: 'Fills', num: true, cell: ({ fills }) => fills, sort: ({ fills }) => fills },
]

export function MarketProfitCard({ rows }: { rows: readonly MarketProfit[] }) {
  return (
    <Card title="Profit by market">
      <div class="wide-table">
        <SortedTable
          label="Profit by market"
          usual="-Profit"
          rows={rows}
          columns={marketColumns}
          rowKey={({ symbol }) => symbol}
          empty="Nothing was traded in this time. Choose a longer one above."
        />
      </div>
    </Card>
  )
}

const rowsMax = 200

export function ClosedCard({ rows }: { rows: readonly ClosedPosition[] }) {
  const terminal = useTerminal()
  return (
    <Card title="Closed positions">
      <div class="wide-table">
        <SortedTable
          label="Closed positions"
          usual="-Closed"
          rows={rows.slice(0, rowsMax)}
          columns={closedColumns(terminal)}
          rowKey={({ symbol, closed, opened }) => `${symbol} ${opened} ${closed}`}
          empty="No position was closed in this time. Those that are closed are listed here."
        />
        {rows.length > rowsMax && (
          <p class="nothing">
            The newest {rowsMax} of {rows.length}
          </p>
        )}
      </div>
    </Card>
  )
}
