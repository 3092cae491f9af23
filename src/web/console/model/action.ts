// An action of an operator: its input fields, the request, and the preview of its changes.

import type { Body } from './admin-plane.ts'
import { bodyOf, type FormField, typed, type Values } from './form-field.ts'

/** A changed value. `now` and `next` are `null` if there is no value before or after the change. */
export type Change = Readonly<{ name: string; now: string | null; next: string | null }>

/** The affected accounts, as a table with a title. */
export type Touched = Readonly<{
  title: string
  columns: readonly string[]
  rows: readonly (readonly string[])[]
}>

export type Action = Readonly<{
  /** Name of the operation on the admin plane. */
  operation: string
  /** Title of the dialog and label of its button. */
  title: string
  /** A warning in addition to the description of the operation. */
  warning?: string
  fields: readonly FormField[]
  body(values: Values): Body
  changes(body: Body): readonly Change[]
  touched?(body: Body): Promise<readonly Touched[]>
}>

type Plain = Pick<Action, 'operation' | 'title'> &
  Partial<Action> &
  Readonly<{
    /** Parameters that are not input fields. */
    given?: Body
    /** Current values of the fields, if known. */
    now?: Readonly<Record<string, unknown>>
  }>

/** Creates an action whose input fields form its body. Each value that differs from the current one
 *  is listed as a change. */
export function action({ given = {}, now = {}, ...rest }: Plain): Action {
  const fields = rest.fields ?? []
  return {
    body: (values) => ({ ...given, ...bodyOf(fields, values) }),
    changes: (body) => changesBetween(now, body),
    ...rest,
    fields,
  }
}

/** Returns the requested values by name, with the current values where they are known. */
export function changesBetween(
  now: Readonly<Record<string, unknown>>,
  requested: Body,
): readonly Change[] {
  return Object.entries(requested).map(([name, value]) => ({
    ...{ name, now: name in now ? typed(now[name]) : null },
    next: typed(value),
  }))
}
