// What a column holds, and so how it lies in its table and what a reader makes of it (wire-row.ts).

/** What SQLite takes and gives. */
export type Cell = number | string | null
export type Cells = readonly Cell[]

export type Kind<Is extends string = string, Stored extends Cell = Cell> = Readonly<{
  is: Is
  type: 'INTEGER' | 'TEXT'
  /** The list in which the stored number is a place. */
  words: readonly string[]
  /** Only the compiler looks at it. */
  stored?: Stored
}>

export type Word<Words extends readonly string[]> = Kind<'word', number> &
  Readonly<{ words: Words }>

export type Column<K extends Kind = Kind> = Readonly<{
  name: string
  /** What a statement calls it. */
  sql: string
  kind: K
}>

export type StoredIn<K> = K extends Kind<string, infer Stored> ? Stored : never

export const int: Kind<'int', number> = { is: 'int', type: 'INTEGER', words: [] }
export const intOrNull: Kind<'intOrNull', number | null> = { ...int, is: 'intOrNull' }
/** 1 or 0. */
export const flag: Kind<'flag', number> = { ...int, is: 'flag' }
/** An id, returned as the address. */
export const account: Kind<'account', number> = { ...int, is: 'account' }
export const text: Kind<'text', string> = { is: 'text', type: 'TEXT', words: [] }
export const textOrNull: Kind<'textOrNull', string | null> = { ...text, is: 'textOrNull' }

/** Stored as its place in a list. */
export function word<const Words extends readonly string[]>(words: Words): Word<Words> {
  return { is: 'word', type: 'INTEGER', words }
}

/** What a statement works out. */
export function computed<K extends Kind>(kind: K, sql: string): Column<K> {
  return { name: sql, sql, kind }
}

/** Columns of rows that are in no table. */
export function numbers<N extends string>(
  ...names: readonly N[]
): Readonly<Record<N, Column<typeof int>>> {
  const columns = names.map((name) => [name, { name, sql: name, kind: int }])
  return Object.fromEntries(columns) as Record<N, Column<typeof int>>
}
