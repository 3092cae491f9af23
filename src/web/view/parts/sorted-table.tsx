// A table that is always sorted by one of its columns. The choice is remembered.

import { sortedBy } from '../../model/pages/sort.ts'
import { nextSorting, sortingOf } from '../../model/tables/shown-rows.ts'
import { SortChoice } from '../account/rows-table.tsx'
import { useTerminal } from '../use-terminal.ts'
import { Table, type TableProps } from './table.tsx'

type SortedProps<Row> = Omit<TableProps<Row>, 'sorting'> &
  Readonly<{
    /** The first sorting: the name of a column, with a minus sign for descending. */
    usual: string
  }>

export function SortedTable<Row>({ usual, ...props }: SortedProps<Row>) {
  const { label, columns, rows } = props
  const { preferences } = useTerminal()
  const { sorts } = preferences.now.value
  const chosen = sorts[label] || usual
  const now = sortingOf(chosen)
  const key = columns.find(({ name }) => name === now?.column)?.sort
  const onSort = (text: string) => preferences.change({ sorts: { ...sorts, [label]: text } })
  return (
    <>
      {rows.length > 1 && <SortChoice columns={columns} now={chosen} onSort={onSort} />}
      <Table
        {...props}
        rows={key === undefined ? rows : sortedBy(rows, key, now?.down === true)}
        sorting={{ now, onSort: (column) => onSort(nextSorting(now, column)) }}
      />
    </>
  )
}
