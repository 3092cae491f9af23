// Which fields of a request, a reply or a frame are decimals, in the form that
// python/openperp/_decimals.py reads: the Python client turns them into `decimal.Decimal`.

import type { Schema as FieldSchema } from '../../gateway/documents/fields.ts'
import { decimal } from '../../protocol/schemas/field-types.ts'
import { Code, type Literal, Tuple } from './python-text.ts'

/** A schema with the properties that its documentation does not read. */
export type Schema = FieldSchema &
  Readonly<{ pattern?: string; patternProperties?: Readonly<Record<string, FieldSchema>> }>

const decimalPattern = (decimal('') as Schema).pattern

export const isDecimal = ({ type, pattern }: Schema) =>
  type === 'string' && pattern === decimalPattern

/** Null: there are no decimals in it. */
export function formOf(schema: Schema): Literal {
  const { anyOf, items, properties, patternProperties } = schema
  if (isDecimal(schema)) return new Code('D')
  if (anyOf !== undefined) return anyOf.map(formOf).reduce(merged, null)
  if (Array.isArray(items)) {
    const forms = (items as readonly Schema[]).map(formOf)
    return forms.every((form) => form === null) ? null : new Tuple(forms)
  }
  if (items !== undefined) {
    const form = formOf(items)
    return form === null ? null : [form]
  }
  const fields = Object.entries({ ...properties })
  for (const each of Object.values(patternProperties ?? {})) fields.push(['*', each])
  const forms = fields
    .map(([name, field]): [string, Literal] => [name, formOf(field)])
    .filter(([, form]) => form !== null)
  return forms.length === 0 ? null : Object.fromEntries(forms)
}

const isObject = (form: Literal): form is Readonly<Record<string, Literal>> =>
  typeof form === 'object' &&
  form !== null &&
  !Array.isArray(form) &&
  !(form instanceof Code) &&
  !(form instanceof Tuple)

/** The form of either. The client reads the form of a list for one of its items too. */
function merged(one: Literal, other: Literal): Literal {
  if (one === null) return other
  if (other === null || JSON.stringify(one) === JSON.stringify(other)) return one
  if (isObject(one) && isObject(other)) {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
    return Object.fromEntries(
      names.map((name) => [name, merged(one[name] ?? null, other[name] ?? null)]),
    )
  }
  if (Array.isArray(one) && isObject(other)) return [merged(one[0] as Literal, other)]
  if (Array.isArray(other) && isObject(one)) return [merged(one, other[0] as Literal)]
  throw new Error(`no form for ${JSON.stringify([one, other])}`)
}
