// The description of a table. Its schema, its insert statement, the type of its rows and the
// columns of reads are derived from it.

import type { Database } from '../projection.ts'
import type { Column, Kind, StoredIn } from './column.ts'

export type Kinds = Readonly<Record<string, Kind>>

export type Table<K extends Kinds = Kinds> = Readonly<{
  name: string
  columns: { readonly [N in keyof K]: Column<K[N]> }
  create: string
}>

/** A row as stored. */
export type Stored<T extends Table> = {
  -readonly [N in keyof T['columns']]: StoredIn<T['columns'][N]['kind']>
}

type Shape<K extends Kinds> = Readonly<{
  /** A key of one column is the rowid. Rows with a longer key are stored in the order of the
   *  key. */
  key: readonly (keyof K & string)[]
  /** Indexes: the suffix of the name, and the definition after the table's name. */
  indexes?: Readonly<Record<string, string>>
  unique?: Readonly<Record<string, string>>
}>

export function table<K extends Kinds>(name: string, kinds: K, shape: Shape<K>): Table<K> {
  const columns = Object.fromEntries(
    Object.entries(kinds).map(([column, kind]) => [
      column,
      { name: column, sql: `${name}.${column}`, kind },
    ]),
  ) as Table<K>['columns']
  return { name, columns, create: createText(name, kinds, shape) }
}

function createText<K extends Kinds>(name: string, kinds: K, shape: Shape<K>): string {
  const { key, indexes = {}, unique = {} } = shape
  const columns = Object.entries(kinds).map(([column, { type }]) =>
    key.length === 1 && column === key[0] ? `${column} ${type} PRIMARY KEY` : `${column} ${type}`,
  )
  const parts = key.length > 1 ? [...columns, `PRIMARY KEY (${key.join(', ')})`] : columns
  const end = key.length > 1 ? ' WITHOUT ROWID' : ''
  const indexText = (kind: string, [end, on]: readonly [string, string]) =>
    `CREATE ${kind} ${name}_${end} ON ${name} ${on};\n`
  return [
    `CREATE TABLE ${name} (${parts.join(', ')})${end};\n`,
    ...Object.entries(indexes).map((index) => indexText('INDEX', index)),
    ...Object.entries(unique).map((index) => indexText('UNIQUE INDEX', index)),
  ].join('')
}

export function namesOf({ columns }: Table): readonly string[] {
  return Object.keys(columns)
}

/** Returns a function that inserts a row. `how`: conflict handling for existing keys. */
export function insertInto<T extends Table>(
  database: Database,
  into: T,
  how: 'INSERT' | 'INSERT OR REPLACE' | 'INSERT OR IGNORE' = 'INSERT',
): (row: Readonly<Stored<T>>) => void {
  const names = namesOf(into)
  const marks = names.map(() => '?').join(', ')
  const statement = database.prepare(
    `${how} INTO ${into.name} (${names.join(', ')}) VALUES (${marks})`,
  )
  // Compiled for each table, from the names above only. With variable field names all tables would
  // share the code, which made history a twelfth slower.
  const fields = names.map((name) => `row.${name}`).join(', ')
  const compiled = new Function('statement', `return (row) => { statement.run(${fields}) }`)
  return compiled(statement)
}
