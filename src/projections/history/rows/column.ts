// The kinds of columns, which determine how a value is stored and sent (wire-row.ts).

/** The column types of SQLite. */
export type Cell = number | string | null
export type Cells = readonly Cell[]

export type Kind<Is extends string = string, Stored extends Cell = Cell> = Readonly<{
  is: Is
  type: 'INTEGER' | 'TEXT'
  /** The list into which the stored number is an index. */
  words: readonly string[]
  /** Exists only in the type. */
  stored?: Stored
}>

export type Word<Words extends readonly string[]> = Kind<'word', number> &
  Readonly<{ words: Words }>

export type Column<K extends Kind = Kind> = Readonly<{
  name: string
  /** Expression of the value in a statement. */
  sql: string
  kind: K
}>

export type StoredIn<K> = K extends Kind<string, infer Stored> ? Stored : never

export const int: Kind<'int', number> = { is: 'int', type: 'INTEGER', words: [] }
export const intOrNull: Kind<'intOrNull', number | null> = { ...int, is: 'intOrNull' }
/** Stored as 1 or 0. */
export const flag: Kind<'flag', number> = { ...int, is: 'flag' }
/** An account id, returned as the address. */
export const account: Kind<'account', number> = { ...int, is: 'account' }
export const text: Kind<'text', string> = { is: 'text', type: 'TEXT', words: [] }
export const textOrNull: Kind<'textOrNull', string | null> = { ...text, is: 'textOrNull' }

/** Stored as an index into a list. */
export function word<const Words extends readonly string[]>(words: Words): Word<Words> {
  return { is: 'word', type: 'INTEGER', words }
}

/** A column that the statement computes. */
export function computed<K extends Kind>(kind: K, sql: string): Column<K> {
  return { name: sql, sql, kind }
}

/** Integer columns of rows that are not stored in a table. */
export function numbers<N extends string>(
  ...names: readonly N[]
): Readonly<Record<N, Column<typeof int>>> {
  const columns = names.map((name) => [name, { name, sql: name, kind: int }])
  return Object.fromEntries(columns) as Record<N, Column<typeof int>>
}
