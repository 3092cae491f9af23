// Which rows of a table are shown, and by which column they are sorted.

export type SortKey = string | number

/** Column by which a table is sorted, and whether the largest value comes first. */
export type Sorting = Readonly<{ column: string; down: boolean }>

/** Reads a remembered sorting: the name of the column, with a minus sign for descending. */
export function sortingOf(text: unknown): Sorting | null {
  if (typeof text !== 'string' || text === '') return null
  const down = text.startsWith('-')
  return { column: down ? text.slice(1) : text, down }
}

/** The sorting after a press on a column: descending, ascending, then none. */
export function nextSorting(now: Sorting | null, column: string): string {
  if (now?.column !== column) return `-${column}`
  return now.down ? column : ''
}

/** Whether a text contains each word of the filter, in any order and case. */
export function matches(text: string, filter: string): boolean {
  const within = text.toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => within.includes(word))
}

/** Puts rows in the order in which they were shown before; new ones come last. */
export function inOrder<Row, Key>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
  before: readonly Key[],
): readonly Row[] {
  const places = new Map(before.map((key, place) => [key, place]))
  const placeOf = (row: Row) => places.get(keyOf(row)) ?? before.length
  return rows.toSorted((one, other) => placeOf(one) - placeOf(other))
}
