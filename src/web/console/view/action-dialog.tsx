// The dialog of an action. First it shows the input fields, then the exact changes with old and new
// values, and the reason. Nothing is sent before the changes were shown.

import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { NONE, wordsOf } from '../../model/number-text.ts'
import { Dialog } from '../../view/parts/dialog.tsx'
import { Table } from '../../view/parts/table.tsx'
import type { Action, Change, Touched } from '../model/action.ts'
import type { Body } from '../model/admin-plane.ts'
import type { Values } from '../model/form-field.ts'
import { FieldInput } from './parts/field-input.tsx'
import { useConsole } from './use-console.ts'

export function ActionDialog() {
  const operators = useConsole()
  const action = operators.pending.value
  if (action === null) return null
  return <Asking key={action.title} action={action} />
}

function Asking({ action }: { action: Action }) {
  const values = useSignal<Values>({})
  const reviewed = useSignal<Body | null>(action.fields.length === 0 ? action.body({}) : null)
  if (reviewed.value === null)
    return <Fill action={action} values={values} onReview={(body) => (reviewed.value = body)} />
  const back = () => {
    reviewed.value = null
  }
  return (
    <Review
      action={action}
      body={reviewed.value}
      onBack={action.fields.length === 0 ? null : back}
    />
  )
}

type FillProps = Readonly<{
  action: Action
  values: Signal<Values>
  onReview: (body: Body) => void
}>

function Fill({ action, values, onReview }: FillProps) {
  const operators = useConsole()
  const { fields, title, operation } = action
  const missing = useSignal<readonly string[]>([])
  const review = async () => {
    const now = values.peek()
    const empty = fields.filter(({ name, initial, kind, optional }) => {
      const text = now[name] ?? initial
      return !optional && kind !== 'flag' && kind !== 'long' && text.trim() === ''
    })
    missing.value = empty.map(({ name }) => name)
    if (empty.length === 0) onReview(action.body(now))
  }
  return (
    <Dialog
      title={title}
      wide={fields.length > 4}
      onClose={() => {
        operators.pending.value = null
      }}
      action={{ label: 'Review', go: review }}
    >
      <p class="dim">{operators.operation(operation)?.summary}</p>
      <div class={fields.length > 4 ? 'form many' : 'form'}>
        {fields.map((field, at) => (
          <FieldInput
            key={field.name}
            field={field}
            first={at === 0}
            value={values.value[field.name] ?? field.initial}
            problem={missing.value.includes(field.name) ? 'This is needed' : null}
            onInput={(text) => {
              values.value = { ...values.peek(), [field.name]: text }
            }}
          />
        ))}
      </div>
    </Dialog>
  )
}

type ReviewProps = Readonly<{ action: Action; body: Body; onBack: (() => void) | null }>

function Review({ action, body, onBack }: ReviewProps) {
  const operators = useConsole()
  const reason = useSignal('')
  const trouble = useSignal<string | null>(null)
  const operation = operators.operation(action.operation)
  const close = () => {
    operators.pending.value = null
  }
  const go = async () => {
    const why = reason.peek().trim()
    if (why === '') {
      trouble.value = 'Say why: the journal keeps it with the name of your token.'
      return
    }
    try {
      await operators.act(action, body, why)
      close()
    } catch (error) {
      trouble.value = (error as Error).message
    }
  }
  return (
    <Dialog
      title={action.title}
      wide
      onClose={close}
      action={{ label: action.title, go }}
      foot={
        onBack !== null && (
          <button type="button" class="button" onClick={onBack}>
            Back
          </button>
        )
      }
    >
      <p class="dim">{operation?.summary}</p>
      {action.warning !== undefined && <p class="caution">{action.warning}</p>}
      <Changes changes={action.changes(body)} />
      <TouchedTables action={action} body={body} />
      <Sent path={operation?.path ?? ''} body={body} />
      <FieldInput
        field={{
          ...{ name: 'reason', label: 'Reason', kind: 'text', initial: '', optional: false },
          ...{ hint: 'Why you do this; the journal keeps it', choices: [], columns: [] },
        }}
        first
        value={reason.value}
        problem={trouble.value}
        onInput={(text) => {
          reason.value = text
        }}
      />
    </Dialog>
  )
}

/** Shows the exact request. */
function Sent({ path, body }: { path: string; body: Body }) {
  return (
    <details class="sent">
      <summary>What is sent</summary>
      <pre class="mono">
        POST {path} {JSON.stringify(body, null, 2)}
      </pre>
    </details>
  )
}

/** Label of a known field. Other names are shown unchanged. */
const titleOf = (name: string) =>
  /^[a-z_]+$/.test(name) ? wordsOf(name) : name.charAt(0).toUpperCase() + name.slice(1)

function Changes({ changes }: { changes: readonly Change[] }) {
  const text = (value: string | null) => (value === null || value === '' ? NONE : value)
  return (
    <Table
      label="What changes"
      rows={changes}
      rowKey={({ name }) => name}
      empty="Nothing would change"
      columns={[
        { name: 'What', cell: ({ name }) => titleOf(name) },
        { name: 'Now', cell: ({ now }) => <span class="dim">{text(now)}</span> },
        {
          name: 'Then',
          cell: ({ now, next }) => <Then changed={now !== next} text={text(next)} />,
        },
      ]}
    />
  )
}

function Then({ changed, text }: { changed: boolean; text: string }) {
  return changed ? <b>{text}</b> : <span class="dim">{text}</span>
}

function TouchedTables({ action, body }: Pick<ReviewProps, 'action' | 'body'>) {
  const found = useSignal<readonly Touched[] | null>(null)
  const trouble = useSignal<string | null>(null)
  useEffect(() => {
    action.touched?.(body).then(
      (tables) => {
        found.value = tables
      },
      (error: Error) => {
        trouble.value = error.message
      },
    )
  }, [action, body, found, trouble])
  if (action.touched === undefined) return null
  if (trouble.value !== null) return <p class="caution">Who is affected: {trouble.value}</p>
  if (found.value === null) return <p class="dim">Who is affected: reading …</p>
  return (
    <>
      {found.value.map(({ title, columns, rows }) => (
        <div key={title} class="touched">
          <h3>{title}</h3>
          <Table
            label={title}
            rows={rows}
            rowKey={(row) => row.join(' ')}
            empty="None"
            columns={columns.map((name, at) => ({
              name,
              cell: (row: readonly string[]) => row[at],
            }))}
          />
        </div>
      ))}
    </>
  )
}
