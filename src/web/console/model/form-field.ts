// Input fields of an action, and the values that are sent for them.

import { wordsOf } from '../../model/number-text.ts'
import type { Schema } from './operations.ts'

export type FieldKind = 'text' | 'long' | 'whole' | 'flag' | 'choice' | 'rows'

export type FormField = Readonly<{
  name: string
  label: string
  kind: FieldKind
  /** Initial input. */
  initial: string
  hint: string
  /** Whether the field may be left empty; it is then not sent. */
  optional: boolean
  choices: readonly string[]
  /** Columns of a field with several rows, in the order of input. */
  columns: readonly Readonly<{ name: string; whole: boolean }>[]
}>

export type Values = Readonly<Record<string, string>>

export function field(name: string, more: Partial<FormField> = {}): FormField {
  const plain = { kind: 'text', initial: '', hint: '', optional: false } as const
  return { name, label: wordsOf(name), ...plain, choices: [], columns: [], ...more }
}

const partsOf = (schema: Schema) => schema.anyOf ?? [schema]
const isWhole = (schema: Schema) => partsOf(schema).some(({ type }) => type === 'integer')

/** Creates a field from the operation's schema. */
export function fieldOf(name: string, schema: Schema, optional: boolean): FormField {
  const parts = partsOf(schema)
  const hint = schema.description ?? parts[0]?.description ?? ''
  const choices = parts.flatMap((part) => part.enum ?? []).map(String)
  const rows = parts.find(({ type }) => type === 'array')
  const common = { hint, optional }
  if (rows !== undefined) {
    const columns = Object.entries(rows.items?.properties ?? {}).map(([column, each]) => ({
      ...{ name: column, whole: isWhole(each) },
    }))
    const order = columns.map((column) => wordsOf(column.name).toLowerCase()).join(', ')
    return field(name, { ...common, kind: 'rows', columns, hint: `${hint}. A line each: ${order}` })
  }
  if (choices.length > 0) return field(name, { ...common, kind: 'choice', choices })
  if (parts.some(({ type }) => type === 'boolean')) return field(name, { ...common, kind: 'flag' })
  return field(name, { ...common, kind: isWhole(schema) ? 'whole' : 'text' })
}

/** Creates the fields of an object's schema, in the same order. */
export function fieldsOf(schema: Schema): readonly FormField[] {
  const required = schema.required ?? []
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => name !== 'reason')
    .map(([name, each]) => fieldOf(name, each, !required.includes(name)))
}

type Row = Readonly<Record<string, unknown>>

/** Converts a value of the API to input text. */
export function typed(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (!Array.isArray(value)) return String(value)
  return value.map((row: Row) => Object.values(row).map(String).join(', ')).join('\n')
}

/** Parses a line. The exchange refuses lines with missing or extra columns. */
function rowOf({ columns }: FormField, line: string): Row {
  const cells = line
    .trim()
    .split(/[\s,;]+/)
    .filter((cell) => cell !== '')
  return Object.fromEntries(
    cells.map((cell, at) => {
      const column = columns[at]
      const whole = column?.whole === true && /^-?[0-9]+$/.test(cell)
      return [column?.name ?? `column ${at + 1}`, whole ? Number(cell) : cell]
    }),
  )
}

/** Value of an input; undefined if it is empty. */
export function sent(field: FormField, text: string): unknown {
  const { kind, optional } = field
  const untouched = optional && text.trim() === '' && field.initial === ''
  if (untouched) return undefined
  if (kind === 'flag') return text === 'true'
  if (kind === 'rows') {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    return lines.map((line) => rowOf(field, line))
  }
  const trimmed = text.trim()
  if (trimmed === '' && optional) return undefined
  return kind === 'whole' && /^-?[0-9]+$/.test(trimmed) ? Number(trimmed) : trimmed
}

/** Request body with all fields that have input. */
export function bodyOf(fields: readonly FormField[], values: Values): Row {
  const pairs = fields.map((each) => [each.name, sent(each, values[each.name] ?? each.initial)])
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined))
}
