// All markets in one table: sortable, with favourites, and a line of the last 24 hours.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { marketStatuses } from '../../../protocol/words.ts'
import { sparkPath } from '../../model/chart/spark-line.ts'
import {
  type MarketColumn,
  type MarketRow,
  marketRow,
  marketTotals,
  sortedMarkets,
} from '../../model/market/market-rows.ts'
import {
  compact,
  fixed,
  percent,
  placesOf,
  signedPercent,
  toneOf,
} from '../../model/number-text.ts'
import { pathOf } from '../../model/pages/pages.ts'
import type { Order } from '../../model/pages/sort.ts'
import { Segments } from '../parts/choice.tsx'
import { type SortColumn, SortHeads, SortSelect } from '../parts/sort-head.tsx'
import { StarButton } from '../parts/star-button.tsx'
import { useTerminal } from '../use-terminal.ts'
import { Fact, Facts, PageHead } from './page-parts.tsx'
import { quarters, usePriceLines } from './price-lines.ts'

const columns: readonly SortColumn<MarketColumn>[] = [
  { key: 'symbol', label: 'Market', isName: true },
  { key: 'price', label: 'Price', title: 'Mark price' },
  {
    key: 'change',
    label: '24 h change',
    title: 'Mark price against the index 24 hours ago',
    class: 'roomy',
  },
  { key: 'volume', label: '24 h volume', title: 'In USD', class: 'roomy' },
  { key: 'interest', label: 'Open interest', title: 'In USD, at the mark price', class: 'roomy' },
  {
    key: 'funding',
    label: 'Funding, 1 h',
    title: 'Estimate for this hour: if positive, longs pay',
  },
  {
    ...{ key: 'annual', label: 'Annualised', class: 'roomy' },
    title: 'Funding if the rate of this hour stayed for a year, without compounding',
  },
]

/** Kept while the terminal is open. */
const kept: { order: Order<MarketColumn>; only: Only } = {
  order: { by: 'volume', descending: true },
  only: 'all',
}
type Only = 'all' | 'favourites'

export default function MarketsPage() {
  const { markets, preferences, live } = useTerminal()
  const order = useSignal(kept.order)
  const only = useSignal(kept.only)
  const text = useSignal('')
  useEffect(() => {
    Object.assign(kept, { order: order.value, only: only.value })
  }, [order.value, only.value])
  const { favourites } = preferences.now.value
  const all = markets.list.value.map((market) =>
    marketRow(market, markets.prices.value.get(market.symbol)),
  )
  const wanted = text.value.trim().toLowerCase()
  const rows = sortedMarkets(all, order.value).filter(
    ({ symbol, market }) =>
      `${symbol} ${market.base_asset}`.toLowerCase().includes(wanted) &&
      (only.value === 'all' || favourites.includes(symbol)),
  )
  const totals = marketTotals(all)
  return (
    <>
      <PageHead title="Markets">
        <Segments
          label="Shown markets"
          value={only.value}
          options={[
            { value: 'all', label: 'All' },
            { value: 'favourites', label: 'Favourites' },
          ]}
          onChange={(next) => {
            only.value = next
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
        <SortSelect columns={columns} order={order} />
      </PageHead>
      <Facts label="All markets" stale={live.stale.value}>
        <Fact name="Markets">{totals.markets}</Fact>
        <Fact name="24 h volume">{compact(totals.volume)} USD</Fact>
        <Fact name="Open interest">{compact(totals.interest)} USD</Fact>
      </Facts>
      <section class={`card ${live.stale.value ? 'stale' : ''}`} aria-label="List of markets">
        <MarketTable rows={rows} order={order} />
        {rows.length === 0 && (
          <p class="nothing">
            {only.value === 'favourites' && favourites.length === 0
              ? 'No favourites yet: press the star of a market to add it here.'
              : 'No market matches. Clear the search, or show all markets.'}
          </p>
        )}
      </section>
    </>
  )
}

type TableProps = Readonly<{
  rows: readonly MarketRow[]
  order: Parameters<typeof SortHeads<MarketColumn>>[0]['order']
}>

function MarketTable({ rows, order }: TableProps) {
  const lines = usePriceLines()
  if (rows.length === 0) return null
  return (
    <table class="table plain market-table" aria-label="Markets">
      <thead>
        <tr>
          <th scope="col">
            <span class="hidden-text">Favourite</span>
          </th>
          <SortHeads columns={columns} order={order} />
          <th scope="col" class="num">
            Last 24 h
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.symbol} row={row} line={lines.value.get(row.symbol) ?? []} />
        ))}
      </tbody>
    </table>
  )
}

const box = { width: 96, height: 26 }

function Row({ row, line }: { row: MarketRow; line: readonly number[] }) {
  const { markets } = useTerminal()
  const { market, symbol, price, change, funding } = row
  const status = markets.risk.value.get(symbol)?.status ?? 'live'
  const values = Number.isNaN(price) ? line : [...line, price]
  return (
    <tr class="opens">
      <td>
        <StarButton symbol={symbol} />
      </td>
      <td class="market-name">
        <a href={pathOf('trade', symbol)}>
          <b>{symbol}</b>
        </a>{' '}
        <span class="chip">{market.max_leverage}×</span>{' '}
        {status !== 'live' && <span class="chip warn">{marketStatuses[status].label}</span>}
        <span class="small phone-line">{compact(row.volume)} USD</span>
      </td>
      <td class="num">
        {fixed(price, placesOf(market.tick_size))}
        <span class={`small phone-line ${toneOf(change)}`}>{signedPercent(change)}</span>
      </td>
      <td class={`num roomy ${toneOf(change)}`}>{signedPercent(change)}</td>
      <td class="num roomy">{compact(row.volume)}</td>
      <td class="num roomy">{compact(row.interest)}</td>
      <td class={`num ${toneOf(funding)}`}>{percent(funding, 4)}</td>
      <td class={`num roomy ${toneOf(funding)}`}>{percent(row.annual, 2)}</td>
      <td class={`num spark ${toneOf(change)}`}>
        <svg viewBox={`-1 -1 ${box.width + 2} ${box.height + 2}`} aria-hidden="true">
          <path d={sparkPath(values, box, quarters + 1)} />
        </svg>
      </td>
    </tr>
  )
}
