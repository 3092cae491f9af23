// The order of the rows of a table, which the reader chooses by a column.

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
