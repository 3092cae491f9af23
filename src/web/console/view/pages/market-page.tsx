import { dateText, wordsOf } from '../../../model/number-text.ts'
import { Numbers } from '../../../view/parts/dialog.tsx'
import { Table } from '../../../view/parts/table.tsx'
import {
  cancelChange,
  changeMarket,
  type ModeName,
  modeOperations,
  paramOf,
  setMode,
  settleMarket,
} from '../../model/actions/market-actions.ts'
import type { MarketRow } from '../../model/admin-rows.ts'
import { typed } from '../../model/form-field.ts'
import { Act } from '../parts/act.tsx'
import { Panel, Shown } from '../parts/panel.tsx'
import { ageText, State } from '../parts/words.tsx'
import { useConsole, useRead } from '../use-console.ts'

export function MarketPage({ symbol }: { symbol: string }) {
  const markets = useRead('get_markets')
  const market = markets.value?.find((each) => each.symbol === symbol)
  return (
    <>
      <p>
        <a href="#markets">All markets</a>
      </p>
      <Panel title={symbol} tools={market !== undefined && <Tools market={market} />}>
        <Shown read={markets} what="The market">
          {() =>
            market === undefined ? (
              <p class="nothing">No market is called {symbol}</p>
            ) : (
              <Facts market={market} />
            )
          }
        </Shown>
      </Panel>
      {market !== undefined && <Announced market={market} />}
      {market !== undefined && <Parameters market={market} />}
    </>
  )
}

function Tools({ market }: { market: MarketRow }) {
  const operators = useConsole()
  if (market.status === 'settled') return <State of="settled" />
  const others = Object.keys(modeOperations).filter((mode) => mode !== market.mode) as ModeName[]
  return (
    <div class="row-actions">
      <Act action={changeMarket(market, operators)}>Change …</Act>
      {others.map((mode) => (
        <Act key={mode} action={setMode(market, mode)}>
          {modeOperations[mode].verb} …
        </Act>
      ))}
      <Act action={settleMarket(market)} danger>
        Settle …
      </Act>
    </div>
  )
}

function Facts({ market }: { market: MarketRow }) {
  return (
    <div class="facts-box">
      <Numbers
        rows={[
          ['Status', <State key="status" of={market.status} />],
          ['Mode', <State key="mode" of={market.mode} />],
          ['Price', <State key="price" of={market.price_state} />],
          ['Mark', market.mark],
          ['Index', market.oracle],
          ['Age of its price', ageText(market.price_age_ms)],
        ]}
      />
      <Numbers
        rows={[
          ['Open interest', `${market.open_interest} ${market.base_asset}`],
          ['At mark', `${market.open_interest_value} USD`],
          ['Funding of the last hour', market.funding_rate],
          ['Tick', market.tick_size],
          ['Lot', market.lot_size],
          ['Isolated only', market.isolated_only ? 'yes' : 'no'],
        ]}
      />
    </div>
  )
}

function Announced({ market }: { market: MarketRow }) {
  const changeText = (change: Readonly<Record<string, unknown>>) =>
    Object.entries(change)
      .map(([name, value]) => `${name} ${paramOf(market, name)} → ${typed(value)}`)
      .join('; ')
  return (
    <Panel title="Announced changes">
      <Table
        label="Announced changes"
        rows={market.pending_changes}
        rowKey={({ change_id }) => change_id}
        empty="None is announced"
        columns={[
          { name: 'Change', cell: ({ change_id }) => change_id },
          { name: 'In force', cell: ({ effective_at }) => dateText(effective_at) },
          { name: 'What', cell: ({ change }) => changeText(change) },
          {
            name: '',
            cell: (pending) => (
              <div class="row-actions">
                <Act action={cancelChange(market, pending)} danger>
                  Cancel …
                </Act>
              </div>
            ),
          },
        ]}
      />
    </Panel>
  )
}

function Parameters({ market }: { market: MarketRow }) {
  const rows = Object.entries(market.params).map(([name, value]) => ({ name, value }))
  return (
    <Panel title="Parameters">
      <Table
        label="Parameters"
        rows={rows}
        rowKey={({ name }) => name}
        empty="None"
        columns={[
          { name: 'Parameter', cell: ({ name }) => wordsOf(name) },
          { name: 'Value', num: true, cell: ({ value }) => typed(value).replaceAll('\n', '; ') },
        ]}
      />
    </Panel>
  )
}
