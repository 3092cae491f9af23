import { useSignal } from '@preact/signals'
import { Moment, Table } from '../../../view/parts/table.tsx'
import type { JournalRow } from '../../model/admin-rows.ts'
import { Badge, Panel, Shown } from '../parts/panel.tsx'
import { useRead } from '../use-console.ts'

const pageSize = 25

export function JournalPage() {
  /** Cursors of the previous pages. */
  const before = useSignal<readonly number[]>([])
  const last = before.value.at(-1)
  const journal = useRead('get_operator_actions', {
    ...(last === undefined ? {} : { before: last }),
    limit: pageSize,
  })
  const oldest = journal.value?.at(-1)?.seq
  const isLast = (journal.value?.length ?? 0) < pageSize
  return (
    <Panel
      title="Who did what, and why"
      tools={
        <div class="row-actions">
          <button
            type="button"
            class="button small"
            disabled={before.value.length === 0}
            onClick={() => {
              before.value = before.peek().slice(0, -1)
            }}
          >
            Newer
          </button>
          <button
            type="button"
            class="button small"
            disabled={isLast || oldest === undefined}
            onClick={() => {
              before.value = [...before.peek(), oldest!]
            }}
          >
            Older
          </button>
        </div>
      }
    >
      <Shown read={journal} what="The journal">
        {(rows) => (
          <Table
            label="Journal"
            rows={rows}
            rowKey={({ seq }) => seq}
            empty="No actions"
            columns={[
              { name: 'When', cell: ({ at }) => <Moment at={at} /> },
              { name: 'Who', cell: ({ who }) => <b>{who}</b> },
              { name: 'What', cell: ({ what }) => what },
              { name: 'Why', cell: ({ why }) => <span class="why">{why}</span> },
              { name: 'Outcome', cell: (row) => <Outcome row={row} /> },
              { name: 'Details', cell: (row) => <Command row={row} /> },
              { name: 'Entry', num: true, cell: ({ seq }) => <span class="dim">{seq}</span> },
            ]}
          />
        )}
      </Shown>
    </Panel>
  )
}

/** Marks a refused action, which must not look like an executed one, because it changed nothing. */
function Outcome({ row: { outcome, rejection } }: { row: JournalRow }) {
  if (rejection === null) return <span class="dim">{outcome}</span>
  return (
    <span class="why">
      <Badge tone="bad">{outcome}</Badge> {rejection}
    </span>
  )
}

/** Shows amounts in dollars and base units, followed by the command as in the journal. */
function Command({ row: { details, command } }: { row: JournalRow }) {
  const lengthMax = 80
  const short = details.length <= lengthMax ? details : `${details.slice(0, lengthMax)} …`
  return (
    <details>
      <summary>{short === '' ? 'exactly' : short}</summary>
      {details.length > lengthMax && <p>{details}</p>}
      <code class="mono command">{command}</code>
    </details>
  )
}
