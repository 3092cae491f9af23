// The position of the store, the addresses of accounts, and the actions of operators.

import { computed, int, text, textOrNull } from '../rows/column.ts'
import { table } from '../rows/table.ts'
import { type RowOf, wireRow } from '../rows/wire-row.ts'

/** A single row: the exchange, the position of the store, and the seq after which history is
 *  complete (that of its beginning, or of the last revert). */
export const progress = table(
  'progress',
  { exchange: text, fingerprint: text, seq: int, marks: text, completeAfter: int },
  { key: [] },
)

export const completeAfterRow = wireRow((row) => row.int(progress.columns.completeAfter))

/** The seq after which steps of orders and algos are complete. In a partial history, steps of
 *  older orders have no account. */
export const stepsCompleteAfterRow = wireRow((row) => {
  const newest = (table: string) => `coalesce((SELECT max(seq) FROM ${table} WHERE account = 0), 0)`
  const places = `completeAfter, ${newest('order_events')}, ${newest('algo_events')}`
  return row.int(computed(int, `max(${places})`))
})

export const snapshots = table(
  'snapshots',
  { seq: int, id: text, marks: text },
  { key: ['seq'], unique: { id: '(id)' } },
)

export const accounts = table(
  'accounts',
  { id: int, address: text },
  { key: ['id'], unique: { address: '(address)' } },
)

export const operatorActions = table(
  'operator_actions',
  { seq: int, at: int, who: text, why: text, what: text, command: text, rejection: textOrNull },
  { key: ['seq'] },
)

/** An executed or rejected action of an operator. A revert does not remove it. `command` is
 *  JSON. */
export const operatorActionRow = wireRow((row) => ({
  seq: row.int(operatorActions.columns.seq),
  atMs: row.int(operatorActions.columns.at),
  who: row.text(operatorActions.columns.who),
  why: row.text(operatorActions.columns.why),
  what: row.text(operatorActions.columns.what),
  command: row.text(operatorActions.columns.command),
  rejection: row.textOrNull(operatorActions.columns.rejection),
}))
export type OperatorActionRow = RowOf<typeof operatorActionRow>
