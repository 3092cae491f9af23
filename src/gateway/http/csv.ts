// A page of a list as CSV (RFC 4180): a header row, CRLF, and the same decimals as in JSON. Plain
// numbers are unchanged, also negative ones, so that columns can be summed. Other text that a
// spreadsheet would treat as a formula gets a leading apostrophe, which the spreadsheet hides.

import type { TSchema } from '../../protocol/schemas/typebox.ts'
import { csvCell } from '../../protocol/text/csv-cell.ts'
import { apiError } from '../api-error.ts'
import type { Operation } from '../operation.ts'

export const csvType = 'text/csv; charset=utf-8'

type Row = Readonly<Record<string, string | number | boolean | null>>
type RowSchema = Readonly<{ properties: object; required?: readonly string[] }>
type PageSchema = Readonly<{ properties: { rows: { items: RowSchema } } }>

/** Whether the request wants CSV. The parameter `format` has priority over the accept header. */
export function wantsCsv(operation: Operation, query: unknown, accept: string | undefined) {
  const { format } = query as { format?: unknown }
  if (!operation.csv) {
    if (operation.http.startsWith('GET')) refuseCsv(operation.name, query)
    return false
  }
  if (format === undefined || format === '') return acceptsCsv(accept)
  if (format === 'csv' || format === 'json') return format === 'csv'
  throw apiError('MALFORMED_REQUEST', 'format must be json or csv')
}

/** For reads that are not served as CSV: JSON would be a surprise. */
export function refuseCsv(name: string, query: unknown): void {
  if ((query as { format?: unknown }).format !== 'csv') return
  throw apiError('MALFORMED_REQUEST', `${name} is not served as csv; leave format out`)
}

/** Whether the header names CSV, and not after JSON. Clients that accept any type get JSON. */
function acceptsCsv(accept = ''): boolean {
  const named = accept.split(',').map((type) => type.split(';')[0]!.trim().toLowerCase())
  const csv = named.indexOf('text/csv')
  const json = named.indexOf('application/json')
  return csv >= 0 && (json < 0 || csv < json)
}

/** The columns are the fields of the schema, in order, even if there are no rows. An optional
 *  field is the last column, and only present if a row of the page has it. */
export function csvOf(reply: TSchema, rows: readonly Row[]): string {
  const { properties, required = [] } = (reply as unknown as PageSchema).properties.rows.items
  const all = Object.keys(properties)
  const rare = all.filter((name) => !required.includes(name))
  const optional = rare.filter((name) => rows.some((row) => row[name] !== undefined))
  const names = [...all.filter((name) => required.includes(name)), ...optional]
  const lines = [names, ...rows.map((row) => names.map((name) => cellOf(row[name] ?? null)))]
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')
}

const cellOf = (value: string | number | boolean | null): string =>
  value === null ? '' : String(value)
