// A table of rows with declared columns. After an error it shows a text instead.

import type { ComponentChildren } from 'preact'
import { amountText, dateText, zoneText } from '../../model/number-text.ts'
import type { Sorting, SortKey } from '../../model/tables/shown-rows.ts'

export type Column<Row> = Readonly<{
  name: string
  cell: (row: Row) => ComponentChildren
  /** Whether the column has numbers, which are right-aligned. */
  num?: boolean
  /** By what the column is sorted (default: it cannot be). */
  sort?: (row: Row) => SortKey
}>

export type TableProps<Row> = Readonly<{
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string | number
  empty: ComponentChildren
  sorting?: Readonly<{ now: Sorting | null; onSort: (column: string) => void }>
}>

const sortWords = { up: 'ascending', down: 'descending' } as const

/** Head of a column; that of one that can be sorted is a button. */
function Head<Row>({
  column,
  sorting,
}: Pick<TableProps<Row>, 'sorting'> & { column: Column<Row> }) {
  const { name, num, sort } = column
  const { now, onSort } = sorting ?? {}
  const way = now?.column !== name ? null : now.down ? 'down' : 'up'
  return (
    <th
      scope="col"
      class={classOf(name, num)}
      {...(way !== null && { 'aria-sort': sortWords[way] })}
    >
      {name === '' && <span class="hidden-text">Actions</span>}
      {sort === undefined || onSort === undefined ? (
        name
      ) : (
        <button type="button" class="sort" onClick={() => onSort(name)}>
          {name}
          {way !== null && <span class={`sorts ${way === 'down' ? 'falls' : 'rises'}`} />}
        </button>
      )}
    </th>
  )
}

/** CSS class of a column. A column without a name contains the actions of the row. */
function classOf(name: string, num = false): string {
  return name === '' ? 'actions' : num ? 'num' : ''
}

/** Shows a time in the user's time zone. The tooltip contains the zone and UTC. */
export function Moment({ at }: { at: number }) {
  return (
    <time
      class="dim"
      dateTime={new Date(at).toISOString()}
      title={`${dateText(at)} ${zoneText(at)}`}
    >
      {dateText(at)}
    </time>
  )
}

/** Shows a size. The tooltip of an abbreviated size contains all digits. */
export function Amount({ value }: { value: string }) {
  return <span title={value}>{amountText(value)}</span>
}

type UnreadProps = Readonly<{ what: string; why: string; onAgain: () => void }>

export function Unread({ what, why, onAgain }: UnreadProps) {
  return (
    <div class="nothing" role="alert">
      <p>
        {what} could not be read: {why}
      </p>
      <button type="button" class="button small" onClick={onAgain}>
        Try again
      </button>
    </div>
  )
}

export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, columns, rowKey, empty, sorting } = props
  if (rows.length === 0) return <p class="nothing">{empty}</p>
  return (
    <table class="table" aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <Head key={column.name} column={column} {...(sorting && { sorting })} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ name, cell, num }) => (
              <td key={name} class={classOf(name, num)} data-name={name}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
