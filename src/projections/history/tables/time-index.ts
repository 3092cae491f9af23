// Finds the ids of a time range without an index on time. Engine time never decreases as ids
// increase, so that binary search works, with about twenty steps for ten million rows.

import type { Database } from '../projection.ts'
import type { Column, Kind } from '../rows/column.ts'
import { select } from '../rows/select.ts'

type Numbers = Column<Kind<string, number>>
type Timed = Readonly<{ name: string; columns: Readonly<{ at: Numbers }> }>

/** Ids from `low` to `top`; empty if low > top. */
export type IdRange = Readonly<{ low: number; top: number }>

type Placed = Readonly<{ name: string; columns: Readonly<{ seq: Numbers }> }>

/** Searches by seq instead of time. */
export function bySeq({ name, columns }: Placed): Timed {
  return { name, columns: { at: columns.seq } }
}

export class TimeIndex {
  private readonly next

  /** `among`: a column whose value each query gives. Ids increase only among rows with the same
   *  value. */
  constructor(database: Database, table: Timed, id: Numbers, among?: Numbers) {
    const where = among === undefined ? '' : `${among.sql} = ? AND`
    this.next = select(
      database,
      { id, at: table.columns.at },
      `FROM ${table.name} WHERE ${where} ${id.sql} >= ? ORDER BY ${id.sql} LIMIT 1`,
    )
  }

  /** `startMs` and `endMs` are inclusive; `null` means no limit. `last`: the newest id. */
  range(
    startMs: number | null,
    endMs: number | null,
    last: number,
    ...among: readonly number[]
  ): IdRange {
    return {
      low: startMs === null ? 1 : this.firstAt(startMs, last, among),
      top: endMs === null ? last : this.firstAt(endMs + 1, last, among) - 1,
    }
  }

  /** The lowest id with this time or a later one. */
  private firstAt(ms: number, last: number, among: readonly number[]): number {
    let low = 1
    let high = last + 1
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const found = this.next.get(...among, middle)
      if (found !== undefined && found.at < ms) low = found.id + 1
      else high = middle
    }
    return low
  }
}
