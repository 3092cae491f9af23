import type { Column } from '../../../view/parts/table.tsx'
import { Table } from '../../../view/parts/table.tsx'
import { listMarket } from '../../model/actions/market-actions.ts'
import type { MarketRow } from '../../model/wire.ts'
import { Act } from '../parts/act.tsx'
import { marketColumns } from '../parts/columns.tsx'
import { Panel, Shown } from '../parts/panel.tsx'
import { useConsole, useRead } from '../use-console.ts'

export function MarketsPage() {
  const operators = useConsole()
  const markets = useRead<readonly MarketRow[]>('/markets')
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
          <Act action={listMarket(listing, row)}>List alike …</Act>
        </div>
      ),
    },
  ]
  return (
    <Panel title="Markets" tools={<Act action={listMarket(listing, null)}>List a market …</Act>}>
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
  )
}
