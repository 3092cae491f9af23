// A table of the account whose rows can be filtered and sorted. Filter and sorting are remembered.

import { useRef } from 'preact/hooks'
import { sortedBy } from '../../model/pages/sort.ts'
import { inOrder, matches, nextSorting, sortingOf } from '../../model/tables/shown-rows.ts'
import { Table, type TableProps } from '../parts/table.tsx'
import { useTerminal } from '../use-terminal.ts'

type RowsProps<Row> = Omit<TableProps<Row>, 'sorting'> &
  Readonly<{
    /** Text of a row that the filter searches. */
    words: (row: Row) => string
    /** Market of a row (default: the rows concern all markets). */
    marketOf?: (row: Row) => string
  }>

type Key = string | number

export function RowsTable<Row>(props: RowsProps<Row>) {
  const { rows, words, marketOf, ...rest } = props
  const { label, columns, rowKey, empty } = rest
  const { preferences, markets } = useTerminal()
  const { filter, hereOnly, sorts } = preferences.now.value
  const now = sortingOf(sorts[label])
  const key = columns.find(({ name }) => name === now?.column)?.sort
  const here = hereOnly && marketOf !== undefined ? markets.symbol.value : null
  const found = rows.filter(
    (row) => (here === null || marketOf?.(row) === here) && matches(words(row), filter),
  )
  const order = now === null || key === undefined ? found : sortedBy(found, key, now.down)
  // Sorted rows do not move under the pointer, which could press a button of another row.
  const held = useRef<readonly Key[] | null>(null)
  const last = useRef<readonly Key[]>([])
  const isHeld = held.current !== null && order !== found
  const shown = isHeld ? inOrder(order, rowKey, held.current ?? []) : order
  last.current = shown.map(rowKey)
  const hidden = rows.length - found.length
  const sortBy = (text: string) => {
    held.current = null
    preferences.change({ sorts: { ...sorts, [label]: text } })
  }
  return (
    <div
      class="rows"
      onPointerEnter={() => {
        held.current = last.current
      }}
      onPointerLeave={() => {
        held.current = null
      }}
    >
      {rows.length > 1 && <SortChoice columns={columns} now={sorts[label] ?? ''} onSort={sortBy} />}
      <Table
        {...rest}
        rows={shown}
        empty={rows.length > 0 ? 'No row matches.' : empty}
        sorting={{ now, onSort: (column) => sortBy(nextSorting(now, column)) }}
      />
      {hidden > 0 && <Hidden count={hidden} />}
    </div>
  )
}

/** Number of rows that the filter hides, so that none is forgotten. */
function Hidden({ count }: { count: number }) {
  const { preferences } = useTerminal()
  return (
    <p class="rows-hidden">
      {count} {count === 1 ? 'row' : 'rows'} hidden by the filter{' '}
      <button
        type="button"
        class="link"
        onClick={() => preferences.change({ filter: '', hereOnly: false })}
      >
        Show all
      </button>
    </p>
  )
}

type SortProps<Row> = Pick<TableProps<Row>, 'columns'> &
  Readonly<{ now: string; onSort: (text: string) => void }>

/** The choice of the column on a phone, where the tables have no head. */
export function SortChoice<Row>({ columns, now, onSort }: SortProps<Row>) {
  const names = columns.filter(({ sort }) => sort !== undefined).map(({ name }) => name)
  return (
    <select
      class="select narrow-only"
      aria-label="Sort by"
      value={now}
      onChange={({ currentTarget }) => onSort(currentTarget.value)}
    >
      <option value="">Not sorted</option>
      {names.flatMap((name) => [
        <option key={`-${name}`} value={`-${name}`}>
          {name} ↓
        </option>,
        <option key={name} value={name}>
          {name} ↑
        </option>,
      ])}
    </select>
  )
}
