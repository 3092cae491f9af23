// A query of the store with named columns, which are the fields of its rows.

import { type Database, prepare } from '../projection.ts'
import type { Cell, Cells, Column, StoredIn } from './column.ts'
import type { Table } from './table.ts'

export type Columns = Readonly<Record<string, Column>>

/** A row with the numbers as stored. */
export type Selected<C extends Columns> = { -readonly [N in keyof C]: StoredIn<C[N]['kind']> }

/** Some columns of a table. */
export function pick<T extends Table, N extends keyof T['columns'] & string>(
  from: T,
  ...names: readonly N[]
): Pick<T['columns'], N> {
  const wanted = names.map((name) => [name, from.columns[name]])
  return Object.fromEntries(wanted) as Pick<T['columns'], N>
}

export function listOf(columns: readonly Column[]): string {
  return columns.map(({ sql }) => sql).join(', ')
}

/** `rest`: the statement after its columns; `before`: the part before SELECT. */
export function select<C extends Columns>(
  database: Database,
  columns: C,
  rest: string,
  before = '',
) {
  const names = Object.keys(columns)
  const list = listOf(Object.values(columns))
  const statement = prepare(database, `${before} SELECT ${list} ${rest}`)
  const rowOf = (cells: Cells): Selected<C> => {
    const row: Record<string, Cell> = {}
    for (let at = 0; at < names.length; at++) row[names[at]!] = cells[at]!
    return row as Selected<C>
  }
  return {
    get(...args: Cells): Selected<C> | undefined {
      const cells = statement.get(...args) as Cells | undefined
      return cells === undefined ? undefined : rowOf(cells)
    },
    all(...args: Cells): Selected<C>[] {
      return (statement.all(...args) as Cells[]).map(rowOf)
    },
  }
}
