// A table of rows with declared columns. After an error it shows a text instead.

import type { ComponentChildren } from 'preact'
import { amountText, dateText, zoneText } from '../../model/number-text.ts'
import type { Sorting, SortKey } from '../../model/tables/shown-rows.ts'

export type Column<Row> = Readonly<{
  name: string
  /** `place`: that of the row in the table, from 0. */
  cell: (row: Row, place: number) => ComponentChildren
  /** Whether the column has numbers, which are right-aligned. */
  num?: boolean
  /** What it means, on hover of its head. */
  title?: string
  class?: string
  /** By what the column is sorted (default: it cannot be). */
  sort?: (row: Row) => SortKey
}>

export type TableProps<Row> = Readonly<{
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string | number
  empty: ComponentChildren
  class?: string
  rowClass?: (row: Row) => string
  sorting?: Readonly<{ now: Sorting | null; onSort: (column: string) => void }>
}>

const sortWords = { up: 'ascending', down: 'descending' } as const

/** Head of a column; that of one that can be sorted is a button. */
function Head<Row>({
  column,
  sorting,
}: Pick<TableProps<Row>, 'sorting'> & { column: Column<Row> }) {
  const { name, sort, title } = column
  const { now, onSort } = sorting ?? {}
  const way = now?.column !== name ? null : now.down ? 'down' : 'up'
  return (
    <th
      scope="col"
      class={classOf(column)}
      title={title}
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
function classOf<Row>({ name, num, class: own = '' }: Column<Row>): string {
  return `${name === '' ? 'actions' : num ? 'num' : ''} ${own}`.trim()
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
  const { label, rows, columns, rowKey, rowClass, empty, sorting } = props
  if (rows.length === 0) return <p class="nothing">{empty}</p>
  return (
    <table class={`table ${props.class ?? ''}`} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <Head key={column.name} column={column} {...(sorting && { sorting })} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, place) => (
          <tr key={rowKey(row)} class={rowClass?.(row)}>
            {columns.map((column) => (
              <td key={column.name} class={classOf(column)} data-name={column.name}>
                {column.cell(row, place)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
