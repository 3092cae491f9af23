// The order of the rows of a table, which the reader chooses by a column.

export type Order<Key extends string> = Readonly<{ by: Key; descending: boolean }>

/** The order after a click on a column: numbers begin with the largest, names with the first; a
 *  second click reverses it. */
export function reordered<Key extends string>(
  order: Order<Key>,
  by: Key,
  isName: boolean,
): Order<Key> {
  return { by, descending: order.by === by ? !order.descending : !isName }
}

/** Rows by a value. Rows without a number are always last; equal rows keep their order. */
export function sortedBy<Row>(
  rows: readonly Row[],
  value: (row: Row) => number | string,
  descending: boolean,
): readonly Row[] {
  return rows.toSorted((a, b) => {
    const [one, other] = [value(a), value(b)]
    const missing = Number(Number.isNaN(one)) - Number(Number.isNaN(other))
    if (missing !== 0 || one === other) return missing
    return one < other === descending ? 1 : -1
  })
}
