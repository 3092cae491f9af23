import { type Signal, useSignal } from '@preact/signals'
import { Segments } from '../../../view/parts/choice.tsx'
import { type Column, Table } from '../../../view/parts/table.tsx'
import { creditDeposit, freeze, setKeyCredits } from '../../model/actions/account-actions.ts'
import type { AccountRow } from '../../model/admin-rows.ts'
import { Act } from '../parts/act.tsx'
import { accountColumns } from '../parts/columns.tsx'
import { Panel, Shown } from '../parts/panel.tsx'
import { useRead } from '../use-console.ts'

const columns: readonly Column<AccountRow>[] = [
  ...accountColumns,
  {
    name: '',
    cell: (row) => (
      <div class="row-actions">
        <Act action={freeze(row)} danger={!row.frozen}>
          {row.frozen ? 'Unfreeze …' : 'Freeze …'}
        </Act>
      </div>
    ),
  },
]

const pageSize = 50

export function AccountsPage() {
  const query = useSignal('')
  const order = useSignal<Order>('margin_ratio')
  const limit = useSignal(pageSize)
  const accounts = useRead('find_accounts', {
    ...(query.value === '' ? {} : { query: query.value }),
    ...{ order: order.value, limit: limit.value },
  })
  return (
    <Panel
      title="Accounts"
      tools={
        <div class="row-actions">
          <Act action={creditDeposit(null)}>Credit a deposit …</Act>
          <Act action={setKeyCredits}>Credits of a key …</Act>
        </div>
      }
    >
      <Search
        query={query}
        order={order}
        onNew={() => {
          limit.value = pageSize
        }}
      />
      <Shown read={accounts} what="The list of accounts">
        {({ found, accounts: rows }) => (
          <>
            <Table
              label="Accounts"
              rows={rows}
              rowKey={({ account }) => account}
              empty={order.value === 'opened' ? 'No such account' : 'No positions'}
              columns={columns}
            />
            {rows.length < found && (
              <p class="more">
                {rows.length} of {found}{' '}
                <button
                  type="button"
                  class="button small"
                  disabled={limit.value >= 500}
                  onClick={() => {
                    limit.value = Math.min(500, limit.value + pageSize)
                  }}
                >
                  More
                </button>
              </p>
            )}
          </>
        )}
      </Shown>
    </Panel>
  )
}

type Order = 'opened' | 'margin_ratio'
type SearchProps = Readonly<{ query: Signal<string>; order: Signal<Order>; onNew: () => void }>

function Search({ query, order, onNew }: SearchProps) {
  return (
    <div class="line search-line">
      <input
        class="input"
        type="search"
        placeholder="Part of an address"
        aria-label="Part of an address"
        maxLength={64}
        autocomplete="off"
        spellcheck={false}
        value={query.value}
        onInput={({ currentTarget }) => {
          query.value = currentTarget.value.trim()
          onNew()
        }}
      />
      <Segments
        label="Order"
        value={order.value}
        options={[
          { value: 'margin_ratio', label: 'Worst first' },
          { value: 'opened', label: 'All, oldest first' },
        ]}
        onChange={(next) => {
          order.value = next
        }}
      />
    </div>
  )
}
