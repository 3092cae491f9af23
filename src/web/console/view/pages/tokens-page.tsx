import { adminScopes } from '../../../../protocol/admin/admin-row.ts'
import { Table } from '../../../view/parts/table.tsx'
import type { TokenRow } from '../../model/admin-rows.ts'
import { Panel, Shown } from '../parts/panel.tsx'
import { useRead } from '../use-console.ts'

export function TokensPage() {
  const tokens = useRead('get_tokens')
  return (
    <Panel title="Tokens">
      <Shown read={tokens} what="The list of tokens">
        {(rows) => (
          <Table
            label="Tokens"
            rows={rows}
            rowKey={({ name }) => name}
            empty="No token"
            columns={[
              {
                name: 'Name',
                cell: ({ name, yours }) => (yours ? <b>{name} (yours)</b> : name),
              },
              ...adminScopes.map((scope) => ({
                name: scope,
                cell: ({ scopes }: TokenRow) =>
                  scopes.includes(scope) ? 'yes' : <span class="dim">no</span>,
              })),
            ]}
          />
        )}
      </Shown>
      <p class="dim part-foot">
        Tokens are given in the configuration, adminTokens; a new start takes up new ones. The
        tokens themselves are never shown.
      </p>
    </Panel>
  )
}
