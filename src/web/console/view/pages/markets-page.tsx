import { marketCatalogue } from '../../../../protocol/admin/market-catalogue.ts'
import { type Column, Table } from '../../../view/parts/table.tsx'
import { listAlike, listMarket, listTemplate } from '../../model/actions/market-actions.ts'
import type { MarketRow } from '../../model/admin-rows.ts'
import { Act } from '../parts/act.tsx'
import { marketColumns } from '../parts/columns.tsx'
import { Panel, Shown } from '../parts/panel.tsx'
import { useConsole, useRead } from '../use-console.ts'

export function MarketsPage() {
  const operators = useConsole()
  const markets = useRead('get_markets')
  const listing = operators.operation('list_market')
  const columns: readonly Column<MarketRow>[] = [
    ...marketColumns,
    {
      name: 'Announced',
      num: true,
      cell: ({ pending_changes }) => pending_changes.length,
    },
    {
      name: '',
      cell: (row) => (
        <div class="row-actions">
          <Act action={listAlike(listing, row)}>List alike …</Act>
        </div>
      ),
    },
  ]
  return (
    <>
      <Panel title="Markets" tools={<Act action={listMarket(listing)}>List a market …</Act>}>
        <Shown read={markets} what="The list of markets">
          {(rows) => (
            <Table
              label="Markets"
              rows={rows}
              rowKey={({ symbol }) => symbol}
              empty="No market is listed"
              columns={columns}
            />
          )}
        </Shown>
      </Panel>
      <Templates />
    </>
  )
}

function Templates() {
  const operators = useConsole()
  const operation = operators.operation('list_market')
  return (
    <Panel title="Templates">
      <Table
        label="Templates"
        rows={marketCatalogue}
        rowKey={({ name }) => name}
        empty="None"
        columns={[
          { name: 'Template', cell: ({ listing }) => listing.symbol },
          { name: 'Group', cell: ({ group }) => group },
          { name: 'Leverage', num: true, cell: ({ listing }) => listing.max_leverage },
          { name: 'Cap', num: true, cell: ({ listing }) => listing.open_interest_cap },
          {
            name: 'Read from',
            cell: ({ sources }) =>
              Object.keys(sources).join(', ') || <span class="dim">no built-in source</span>,
          },
          {
            name: '',
            cell: (template) => (
              <div class="row-actions">
                <Act action={listTemplate(operation, template)}>List …</Act>
              </div>
            ),
          },
        ]}
      />
    </Panel>
  )
}
