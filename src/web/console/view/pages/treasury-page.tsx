import { type Column, Moment, Table } from '../../../view/parts/table.tsx'
import type { RefusedReport, Treasury } from '../../model/admin-rows.ts'
import { Badge, Panel, Shown } from '../parts/panel.tsx'
import { useRead } from '../use-console.ts'

const columns: readonly Column<Treasury>[] = [
  { name: 'Treasury', cell: ({ kind }) => (kind === 'files' ? 'a folder' : 'a service') },
  { name: 'At', cell: ({ where }) => <span class="mono">{where}</span> },
  { name: 'State', cell: (row) => <Standing {...row} /> },
  { name: 'Orders given', num: true, cell: ({ orders_given }) => orders_given },
  { name: 'Oldest order waits since', cell: (row) => <Since at={row.orders_waiting_since} /> },
  { name: 'Why it waits', cell: ({ orders_fault }) => <Fault text={orders_fault} /> },
  { name: 'No reports since', cell: ({ failing_since }) => <Since at={failing_since} /> },
  { name: 'Why not', cell: ({ fault }) => <Fault text={fault} /> },
  { name: 'Reports applied', num: true, cell: ({ reports_applied }) => reports_applied },
  { name: 'Came again', num: true, cell: ({ reports_known }) => reports_known },
  { name: 'Refused', num: true, cell: ({ reports_refused }) => reports_refused },
]

function Standing({ fault, orders_fault, orders_waiting_since, reports_refused }: Treasury) {
  if (fault !== null) return <Badge tone="bad">no reports</Badge>
  if (orders_fault !== null) return <Badge tone="bad">orders not taken</Badge>
  if (reports_refused > 0) return <Badge tone="warn">{reports_refused} refused</Badge>
  if (orders_waiting_since !== null) return <Badge tone="warn">orders wait</Badge>
  return <Badge tone="good">in step</Badge>
}

function Since({ at }: { at: number | null }) {
  return at === null ? <span class="dim">nothing</span> : <Moment at={at} />
}

const Fault = ({ text }: { text: string | null }) => text ?? <span class="dim">none</span>

const refusedColumns: readonly Column<RefusedReport>[] = [
  { name: 'Refused', cell: ({ refused_at }) => <Moment at={refused_at} /> },
  { name: 'Of', cell: ({ name }) => <span class="mono">{name}</span> },
  { name: 'Which', cell: ({ report }) => report },
  { name: 'Why, and what is accepted', cell: ({ says }) => <span class="why">{says}</span> },
]

export function TreasuryPage() {
  const treasury = useRead('get_treasury')
  return (
    <>
      <Panel title="Treasury">
        <Shown read={treasury} what="The treasury">
          {(row) => (
            <Table
              label="Treasury"
              rows={row === null ? [] : [row]}
              rowKey={({ where }) => where}
              empty="None is configured, or another node of the cluster leads"
              columns={columns}
            />
          )}
        </Shown>
      </Panel>
      <Panel title="Refused reports">
        <Shown read={treasury} what="What was refused">
          {(row) => (
            <Table
              label="Refused reports"
              rows={row?.refused.toReversed() ?? []}
              rowKey={({ name, report, refused_at }) => `${refused_at} ${name} ${report}`}
              empty="Nothing was refused since the start"
              columns={refusedColumns}
            />
          )}
        </Shown>
      </Panel>
    </>
  )
}
