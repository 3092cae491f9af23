import { usd } from '../../../model/number-text.ts'
import { Numbers } from '../../../view/parts/dialog.tsx'
import { type Column, Moment, Table } from '../../../view/parts/table.tsx'
import { approveCredit, dropCredit } from '../../model/actions/approval-actions.ts'
import {
  approveWithdrawal,
  completeWithdrawal,
  failWithdrawal,
  setWithdrawalLimits,
} from '../../model/actions/money-actions.ts'
import type { CreditRow, WithdrawalRow } from '../../model/admin-rows.ts'
import { Act } from '../parts/act.tsx'
import { withdrawalColumns } from '../parts/columns.tsx'
import { Panel, Shown } from '../parts/panel.tsx'
import { AccountLink } from '../parts/words.tsx'
import { useConsole, useRead } from '../use-console.ts'

export function WithdrawalsPage() {
  const queue = useRead('list_withdrawals')
  const limits = useRead('get_withdrawal_limits')
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
          {(row) => (
            <>
              <Numbers
                rows={[
                  ['Two approvals above, of an owner on a UTC day', limitText(row.approval_above)],
                  ['Payable on a UTC day', limitText(row.daily_max)],
                  ['Became payable today', `${usd(row.payable_today)} USD`],
                  ['Credited by one token on a UTC day', limitText(row.credit_approval_above)],
                ]}
              />
              {row.warnings.map((text) => (
                <p key={text} role="alert" class="warning">
                  {text}
                </p>
              ))}
            </>
          )}
        </Shown>
      </Panel>
      <Credits />
    </>
  )
}

function Credits() {
  const operators = useConsole()
  const credits = useRead('list_waiting_credits')
  const who = operators.holder.value?.name ?? ''
  const columns: readonly Column<CreditRow>[] = [
    { name: 'Credit', cell: ({ credit_id }) => credit_id },
    { name: 'Account', cell: ({ account }) => <AccountLink account={account} /> },
    { name: 'USD', num: true, cell: ({ amount }) => <span title={amount}>{usd(amount)}</span> },
    {
      name: 'From',
      cell: ({ withdrawal_id, from, reference }) =>
        withdrawal_id === null ? (from ?? reference) : `withdrawal ${withdrawal_id}`,
    },
    { name: 'Requested by', cell: ({ requested_by }) => requested_by },
    { name: 'Requested', cell: ({ requested_at }) => <Moment at={requested_at} /> },
    {
      name: '',
      cell: (row) => (
        <div class="row-actions">
          {row.requested_by !== who && <Act action={approveCredit(row, who)}>Approve …</Act>}
          <Act action={dropCredit(row)} danger>
            Drop …
          </Act>
        </div>
      ),
    },
  ]
  return (
    <Panel title="Credits that wait">
      <Shown read={credits} what="Credits">
        {(rows) => (
          <Table
            label="Credits that wait"
            rows={rows}
            rowKey={({ credit_id }) => credit_id}
            empty="No credit waits for a second token"
            columns={columns}
          />
        )}
      </Shown>
    </Panel>
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
      {row.state !== 'return_requested' && (
        <Act action={failWithdrawal(row)} danger>
          Fail …
        </Act>
      )}
    </div>
  )
}
