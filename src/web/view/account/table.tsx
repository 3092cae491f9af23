// A table of rows with columns said once.

import type { ComponentChildren } from 'preact'

export type Column<Row> = Readonly<{
  name: string
  cell: (row: Row) => ComponentChildren
  /** Numbers stand at the right. */
  num?: boolean
}>

type TableProps<Row> = Readonly<{
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string | number
  empty: ComponentChildren
}>

export function Table<Row>({ label, rows, columns, rowKey, empty }: TableProps<Row>) {
  if (rows.length === 0) return <p class="nothing">{empty}</p>
  return (
    <table class="table" aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ name, num }) => (
            <th key={name} scope="col" class={num ? 'num' : ''}>
              {name || <span class="hidden-text">Actions</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ name, cell, num }) => (
              <td key={name} class={num ? 'num' : ''} data-name={name}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
