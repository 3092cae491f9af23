import { usd } from '../../../model/number-text.ts'
import { Numbers } from '../../../view/parts/dialog.tsx'
import { type Column, Moment, Table } from '../../../view/parts/table.tsx'
import { setWithdrawalBrake } from '../../model/actions/approval-actions.ts'
import type { BrakedOwner, WithdrawalBrake } from '../../model/admin-rows.ts'
import { Act } from '../parts/act.tsx'
import { Badge, Panel, Shown } from '../parts/panel.tsx'
import { AccountLink } from '../parts/words.tsx'
import { useRead } from '../use-console.ts'

const columns: readonly Column<BrakedOwner>[] = [
  { name: 'Owner', cell: ({ account }) => <AccountLink account={account} /> },
  { name: 'Won, USD', num: true, cell: ({ won }) => <span title={won}>{usd(won)}</span> },
  { name: 'Held until', cell: ({ until }) => <Moment at={until} /> },
]

export function BrakePage() {
  const brake = useRead('get_withdrawal_brake')
  return (
    <>
      <Panel
        title="Withdrawal brake"
        tools={brake.value !== null && <Act action={setWithdrawalBrake(brake.value)}>Set …</Act>}
      >
        <Shown read={brake} what="The brake">
          {(row) => (
            <Numbers
              rows={[
                ['State', <State key="state" {...row} />],
                ['Pulled when the fund pays within a minute more than', partText(row)],
                ['Holds owners who won there more than', `${usd(row.profit_above)} USD`],
                ['For', `${row.minutes} minutes`],
                ['Markets', row.pulled?.markets.join(', ') ?? 'none'],
                ['Pulled', row.pulled === null ? 'no' : <Moment key="at" at={row.pulled.since} />],
                ['Again', row.pulled === null ? 'no' : <Moment key="ag" at={row.pulled.last} />],
                ['Until', row.pulled === null ? 'no' : <Moment key="to" at={row.pulled.until} />],
              ]}
            />
          )}
        </Shown>
      </Panel>
      <Panel title="Held owners">
        <Shown read={brake} what="Who is held">
          {({ pulled }) => (
            <Table
              label="Held owners"
              rows={pulled?.owners ?? []}
              rowKey={({ account }) => account}
              empty="No owner is held"
              columns={columns}
            />
          )}
        </Shown>
      </Panel>
    </>
  )
}

const partText = ({ fund_part }: WithdrawalBrake) => `${fund_part} of the fund of the day`

function State({ enabled, pulled }: WithdrawalBrake) {
  if (!enabled) return <Badge tone="warn">off</Badge>
  if (pulled === null) return <Badge tone="good">on</Badge>
  return <Badge tone="bad">pulled, {pulled.owners_count} held</Badge>
}
