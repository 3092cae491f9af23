// All markets in one table: sortable, with favourites, and a line of the last 24 hours.

import { useSignal } from '@preact/signals'
import { marketStatuses } from '../../../protocol/words.ts'
import { sparkPath } from '../../model/chart/spark-line.ts'
import { type MarketRow, marketRow, marketTotals } from '../../model/market/market-rows.ts'
import {
  compact,
  fixed,
  percent,
  placesOf,
  signedPercent,
  toneOf,
} from '../../model/number-text.ts'
import { pathOf } from '../../model/pages/pages.ts'
import type { Terminal } from '../../model/terminal.ts'
import { Segments } from '../parts/choice.tsx'
import { SortedTable } from '../parts/sorted-table.tsx'
import { StarButton } from '../parts/star-button.tsx'
import type { Column } from '../parts/table.tsx'
import { useTerminal } from '../use-terminal.ts'
import { Fact, Facts, PageHead } from './page-parts.tsx'
import { type PriceLines, quarters, usePriceLines } from './price-lines.ts'

function columnsOf({ markets }: Terminal, lines: PriceLines): readonly Column<MarketRow>[] {
  return [
    {
      name: 'Market',
      class: 'market-name',
      cell: (row) => <Name row={row} status={markets.risk.value.get(row.symbol)?.status} />,
      sort: ({ symbol }) => symbol,
    },
    {
      ...{ name: 'Price', num: true, title: 'Mark price' },
      cell: ({ price, change, market }) => (
        <>
          {fixed(price, placesOf(market.tick_size))}
          <span class="small phone-line">
            <Toned value={change}>{signedPercent(change)}</Toned>
          </span>
        </>
      ),
      sort: ({ price }) => price,
    },
    {
      ...{ name: '24 h change', num: true, class: 'roomy' },
      title: 'Mark price against the index price 24 hours ago',
      cell: ({ change }) => <Toned value={change}>{signedPercent(change)}</Toned>,
      sort: ({ change }) => change,
    },
    {
      ...{ name: '24 h volume', num: true, class: 'roomy', title: 'In USD' },
      cell: ({ volume }) => compact(volume),
      sort: ({ volume }) => volume,
    },
    {
      ...{ name: 'Open interest', num: true, class: 'roomy', title: 'In USD at the mark price' },
      cell: ({ interest }) => compact(interest),
      sort: ({ interest }) => interest,
    },
    {
      ...{ name: 'Funding, 1 h', num: true },
      title: 'Estimate for this hour. If it is positive, longs pay shorts',
      cell: ({ funding }) => <Toned value={funding}>{percent(funding, 4)}</Toned>,
      sort: ({ funding }) => funding,
    },
    {
      ...{ name: 'Annualised', num: true, class: 'roomy' },
      title: 'Funding of a year at the rate of this hour, without compounding',
      cell: ({ funding, annual }) => <Toned value={funding}>{percent(annual)}</Toned>,
      sort: ({ annual }) => annual,
    },
    {
      ...{ name: 'Last 24 h', num: true, class: 'spark' },
      cell: (row) => <Spark row={row} line={lines.get(row.symbol) ?? []} />,
    },
  ]
}

function Toned({ value, children }: { value: number; children: string }) {
  return <span class={toneOf(value)}>{children}</span>
}

type NameProps = Readonly<{ row: MarketRow; status: keyof typeof marketStatuses | undefined }>

function Name({ row: { symbol, market, volume }, status = 'live' }: NameProps) {
  return (
    <>
      <StarButton symbol={symbol} />
      <span>
        <a href={pathOf('trade', symbol)}>{symbol}</a>{' '}
        <span class="chip">{market.max_leverage}×</span>{' '}
        {status !== 'live' && <span class="chip warn">{marketStatuses[status].label}</span>}
        <span class="small phone-line">{compact(volume)} USD</span>
      </span>
    </>
  )
}

const box = { width: 96, height: 26 }

function Spark({ row, line }: { row: MarketRow; line: readonly number[] }) {
  const values = Number.isNaN(row.price) ? line : [...line, row.price]
  return (
    <svg
      class={toneOf(row.change)}
      viewBox={`-1 -1 ${box.width + 2} ${box.height + 2}`}
      aria-hidden="true"
    >
      <path d={sparkPath(values, box, quarters + 1)} />
    </svg>
  )
}

type Shown = 'all' | 'favourites'

export default function MarketsPage() {
  const terminal = useTerminal()
  const { markets, preferences, live } = terminal
  const lines = usePriceLines()
  const shown = useSignal<Shown>('all')
  const text = useSignal('')
  const { favourites } = preferences.now.value
  const all = markets.list.value.map((market) =>
    marketRow(market, markets.prices.value.get(market.symbol)),
  )
  const wanted = text.value.trim().toLowerCase()
  const rows = all.filter(
    ({ symbol, market }) =>
      `${symbol} ${market.base_asset}`.toLowerCase().includes(wanted) &&
      (shown.value === 'all' || favourites.includes(symbol)),
  )
  const totals = marketTotals(all)
  const empty =
    shown.value === 'favourites' && favourites.length === 0
      ? 'No favourites yet: press the star of a market to add it here.'
      : 'No market matches. Clear the search, or show all markets.'
  return (
    <>
      <PageHead title="Markets">
        <Segments
          label="Shown markets"
          value={shown.value}
          options={[
            { value: 'all', label: 'All' },
            { value: 'favourites', label: 'Favourites' },
          ]}
          onChange={(next) => {
            shown.value = next
          }}
        />
        <input
          class="input search-input"
          type="search"
          placeholder="Search markets"
          aria-label="Search markets"
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value
          }}
        />
      </PageHead>
      <Facts label="All markets" stale={live.stale.value}>
        <Fact name="Markets">{totals.markets}</Fact>
        <Fact name="24 h volume">{compact(totals.volume)} USD</Fact>
        <Fact name="Open interest">{compact(totals.interest)} USD</Fact>
      </Facts>
      <section class={`card ${live.stale.value ? 'stale' : ''}`} aria-label="List of markets">
        <SortedTable
          label="Markets"
          class="plain"
          usual="-24 h volume"
          rows={rows}
          columns={columnsOf(terminal, lines)}
          rowKey={({ symbol }) => symbol}
          rowClass={() => 'opens'}
          empty={empty}
        />
      </section>
    </>
  )
}
