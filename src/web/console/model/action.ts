// Something an operator does: what is asked of him first, what is sent, and what that changes, as
// it is shown before it is sent.

import type { Body } from './admin-plane.ts'
import { bodyOf, type FormField, typed, type Values } from './form-field.ts'

/** Null: there was, or will be, nothing. */
export type Change = Readonly<{ name: string; now: string | null; next: string | null }>

/** Whoever is touched by it, as a table with a title. */
export type Touched = Readonly<{
  title: string
  columns: readonly string[]
  rows: readonly (readonly string[])[]
}>

export type Action = Readonly<{
  /** The operation's name on the admin plane. */
  operation: string
  /** Of the dialog and of the button that does it. */
  title: string
  /** What one has to know besides what the operation says of itself. */
  warning?: string
  fields: readonly FormField[]
  body(values: Values): Body
  changes(body: Body): readonly Change[]
  touched?(body: Body): Promise<readonly Touched[]>
}>

type Plain = Pick<Action, 'operation' | 'title'> &
  Partial<Action> &
  Readonly<{
    /** What is sent beside the fields. */
    given?: Body
    /** What the fields say now. */
    now?: Readonly<Record<string, unknown>>
  }>

/** Its fields are its body, and each that differs from now is a change. */
export function action({ given = {}, now = {}, ...rest }: Plain): Action {
  const fields = rest.fields ?? []
  return {
    body: (values) => ({ ...given, ...bodyOf(fields, values) }),
    changes: (body) => changesBetween(now, body),
    ...rest,
    fields,
  }
}

/** Names of what is asked for, with what there is now beside it where that is known. */
export function changesBetween(
  now: Readonly<Record<string, unknown>>,
  asked: Body,
): readonly Change[] {
  return Object.entries(asked).map(([name, value]) => ({
    ...{ name, now: name in now ? typed(now[name]) : null },
    next: typed(value),
  }))
}
