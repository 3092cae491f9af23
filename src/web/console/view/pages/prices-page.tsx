import { NONE, percent } from '../../../model/number-text.ts'
import { type Column, Table } from '../../../view/parts/table.tsx'
import { pushPrice } from '../../model/actions/market-actions.ts'
import type { PricesReply, SourceRow, SourceWord } from '../../model/admin-rows.ts'
import { Act } from '../parts/act.tsx'
import { Badge, Panel, Shown } from '../parts/panel.tsx'
import { ageText, State } from '../parts/words.tsx'
import { useConsole, useRead } from '../use-console.ts'

/** Maximum difference in percent; a larger one raises an alert. */
const apartWarn = 1
const absent = 'A sandbox makes its own prices: it has no sources'

export function PricesPage() {
  const operators = useConsole()
  const prices = useRead('get_prices')
  const symbols = (prices.value?.markets ?? []).map(({ symbol }) => symbol)
  const push = pushPrice(symbols, operators.holder.value?.name ?? '')
  return (
    <>
      <Panel title="Sources" tools={<Act action={push}>Push a price …</Act>}>
        <Shown read={prices} what="The list of sources" absent={absent}>
          {({ sources }) => (
            <Table
              label="Sources"
              rows={sources}
              rowKey={({ source }) => source}
              empty="No source: priceSources, or a token with the scope prices, makes one"
              columns={sourceColumns}
            />
          )}
        </Shown>
      </Panel>
      {(prices.value?.markets ?? []).map((market) => (
        <Panel
          key={market.symbol}
          title={`Price of ${market.symbol}`}
          tools={<Combined market={market} />}
        >
          <Table
            label={`Sources of ${market.symbol}`}
            rows={market.sources}
            rowKey={({ source }) => source}
            empty="No source has said anything"
            columns={wordColumns(market.price)}
          />
        </Panel>
      ))}
    </>
  )
}

function Combined({ market }: { market: PricesReply['markets'][number] }) {
  const { price, fresh_sources, min_sources, apart_percent } = market
  return (
    <span class="combined">
      <b>{price ?? 'no price'}</b>{' '}
      <Badge tone={fresh_sources < min_sources ? 'bad' : 'good'}>
        {fresh_sources} fresh of {min_sources} needed
      </Badge>
      {Number(apart_percent ?? 0) > apartWarn && (
        <Badge tone={price === null ? 'bad' : 'warn'}>sources {apart_percent} % apart</Badge>
      )}
    </span>
  )
}

function faultsOf({ fault, refusals, unlisted }: SourceRow): readonly string[] {
  const isShownBelow = refusals.some(({ reason }) => reason === fault)
  return [
    ...(fault === null || isShownBelow ? [] : [fault]),
    ...refusals.map(({ markets, reason }) => `${['refused', ...markets].join(' ')}: ${reason}`),
    ...(unlisted.length > 0 ? [`not listed: ${unlisted.join(', ')}`] : []),
  ]
}

const sourceColumns: readonly Column<SourceRow>[] = [
  { name: 'Source', cell: ({ source }) => source },
  { name: 'Kind', cell: ({ kind }) => kind },
  { name: 'State', cell: ({ state }) => <State of={state} /> },
  { name: 'Weight', num: true, cell: ({ weight }) => weight },
  { name: 'Last price', num: true, cell: ({ price_age_ms }) => ageText(price_age_ms) },
  { name: 'Taken', num: true, cell: ({ accepted }) => accepted },
  {
    name: 'Refused',
    num: true,
    cell: ({ refused, garbage, clock_off }) => refused + garbage + clock_off,
  },
  { name: 'Lost', num: true, cell: ({ reconnects }) => reconnects },
  {
    name: 'Fault',
    cell: (row) => faultsOf(row).join('; ') || <span class="dim">none</span>,
  },
]

/** Columns of the sources. The difference from the combined price shows which source is wrong. */
const wordColumns = (combined: string | null): readonly Column<SourceWord>[] => [
  { name: 'Source', cell: ({ source }) => source },
  { name: 'Price', num: true, cell: ({ price }) => price },
  {
    name: 'From combined',
    num: true,
    cell: ({ price }) =>
      combined === null ? NONE : percent(Number(price) / Number(combined) - 1, 3),
  },
  { name: 'Weight', num: true, cell: ({ weight }) => weight },
  { name: 'Age', num: true, cell: ({ age_ms }) => ageText(age_ms) },
  {
    name: 'Observed',
    num: true,
    cell: ({ observed_age_ms, timed }) => `${ageText(observed_age_ms)}${timed ? '' : ', no time'}`,
  },
  {
    name: 'Counts',
    cell: ({ fresh }) => <Badge tone={fresh ? 'good' : 'bad'}>{fresh ? 'fresh' : 'stale'}</Badge>,
  },
]
