import { usd } from '../../../model/number-text.ts'
import { Numbers } from '../../../view/parts/dialog.tsx'
import type { Column } from '../../../view/parts/table.tsx'
import { Table } from '../../../view/parts/table.tsx'
import {
  approveWithdrawal,
  completeWithdrawal,
  failWithdrawal,
  setWithdrawalLimits,
} from '../../model/actions/money-actions.ts'
import type { WithdrawalLimits, WithdrawalRow } from '../../model/wire.ts'
import { Act } from '../parts/act.tsx'
import { withdrawalColumns } from '../parts/columns.tsx'
import { Panel, Shown } from '../parts/panel.tsx'
import { useConsole, useRead } from '../use-console.ts'

export function WithdrawalsPage() {
  const queue = useRead<readonly WithdrawalRow[]>('/withdrawals')
  const limits = useRead<WithdrawalLimits>('/withdrawals/limits')
  const columns: readonly Column<WithdrawalRow>[] = [
    ...withdrawalColumns,
    { name: '', cell: (row) => <Ends row={row} /> },
  ]
  return (
    <>
      <Panel title="Withdrawals">
        <Shown read={queue} what="The queue">
          {(rows) => (
            <Table
              label="Withdrawals"
              rows={rows}
              rowKey={({ withdrawal_id }) => withdrawal_id}
              empty="Nothing waits"
              columns={columns}
            />
          )}
        </Shown>
      </Panel>
      <Panel
        title="Limits"
        tools={limits.value !== null && <Act action={setWithdrawalLimits(limits.value)}>Set …</Act>}
      >
        <Shown read={limits} what="The limits">
          {({ approval_above, daily_max, payable_today }) => (
            <Numbers
              rows={[
                ['Two approvals above', limitText(approval_above)],
                ['Payable on a UTC day', limitText(daily_max)],
                ['Became payable today', `${usd(payable_today)} USD`],
              ]}
            />
          )}
        </Shown>
      </Panel>
    </>
  )
}

const limitText = (limit: string | null) => (limit === null ? 'no limit' : `${usd(limit)} USD`)

function Ends({ row }: { row: WithdrawalRow }) {
  const operators = useConsole()
  const who = operators.holder.value?.name ?? ''
  return (
    <div class="row-actions">
      {row.state === 'waiting' ? (
        <Act action={approveWithdrawal(row, who)}>Approve …</Act>
      ) : (
        <Act action={completeWithdrawal(row)}>Complete …</Act>
      )}
      <Act action={failWithdrawal(row)} danger>
        Fail …
      </Act>
    </div>
  )
}
