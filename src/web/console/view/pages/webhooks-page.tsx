import { type Column, Moment, Table } from '../../../view/parts/table.tsx'
import { resendFrom } from '../../model/actions/webhook-actions.ts'
import type { GivenUpRow, WebhookRow } from '../../model/admin-rows.ts'
import { Act } from '../parts/act.tsx'
import { Badge, Panel, Shown } from '../parts/panel.tsx'
import { useRead } from '../use-console.ts'

const columns: readonly Column<WebhookRow>[] = [
  { name: 'Webhook', cell: ({ name, host }) => <span title={host}>{name}</span> },
  { name: 'At', cell: ({ host }) => <span class="mono">{host}</span> },
  { name: 'State', cell: (row) => <Standing {...row} /> },
  { name: 'Oldest waits since', cell: ({ waiting_since }) => <Since at={waiting_since} /> },
  { name: 'Failing since', cell: ({ failing_since }) => <Since at={failing_since} /> },
  { name: 'Last fault', cell: ({ fault }) => fault ?? <span class="dim">none</span> },
  { name: 'Taken', num: true, cell: ({ delivered }) => delivered },
  { name: 'Failed', num: true, cell: ({ failed }) => failed },
  { name: 'Delivered up to', num: true, cell: ({ seq }) => seq },
  {
    name: '',
    cell: (row) => (
      <div class="row-actions">
        <Act action={resendFrom(row)}>Resend …</Act>
      </div>
    ),
  },
]

function Standing({ failing_since, waiting_since, given_up }: WebhookRow) {
  if (failing_since !== null) return <Badge tone="bad">failing</Badge>
  if (waiting_since !== null) return <Badge tone="warn">behind</Badge>
  if (given_up.length > 0) return <Badge tone="warn">{given_up.length} given up</Badge>
  return <Badge tone="good">delivered</Badge>
}

function Since({ at }: { at: number | null }) {
  return at === null ? <span class="dim">nothing</span> : <Moment at={at} />
}

type Lost = GivenUpRow & Readonly<{ hook: WebhookRow }>

export function WebhooksPage() {
  const hooks = useRead('list_webhooks')
  const lost = (hooks.value ?? []).flatMap((hook) =>
    hook.given_up.map((row): Lost => ({ ...row, hook })),
  )
  return (
    <>
      <Panel title="Webhooks">
        <Shown read={hooks} what="The list of webhooks">
          {(rows) => (
            <Table
              label="Webhooks"
              rows={rows}
              rowKey={({ name }) => name}
              empty="None. The setting webhooks adds one"
              columns={columns}
            />
          )}
        </Shown>
      </Panel>
      <Panel title="Given up">
        <Shown read={hooks} what="What was given up">
          {() => (
            <Table
              label="Given up"
              rows={lost}
              rowKey={({ hook, id }) => `${hook.name} ${id}`}
              empty="Nothing was given up"
              columns={givenUpColumns}
            />
          )}
        </Shown>
      </Panel>
    </>
  )
}

const givenUpColumns: readonly Column<Lost>[] = [
  { name: 'Webhook', cell: ({ hook }) => hook.name },
  { name: 'Message', cell: ({ id }) => <span class="mono">{id}</span> },
  { name: 'What', cell: ({ type }) => type },
  { name: 'Given up', cell: ({ at }) => <Moment at={at} /> },
  { name: 'Last fault', cell: ({ fault }) => fault },
  {
    name: '',
    cell: ({ hook, id }) => (
      <div class="row-actions">
        <Act action={resendFrom(hook, id)}>From here …</Act>
      </div>
    ),
  },
]
