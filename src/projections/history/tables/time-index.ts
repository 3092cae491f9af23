// From a stretch of time to a stretch of ids, without an index on time: engine time never falls as
// ids rise, so the border is found by halving. Some twenty seeks for ten million rows.

import { type Cells, type Database, prepare } from '../projection.ts'

/** Ids from `low` to `top`; empty when low > top. */
export type IdRange = Readonly<{ low: number; top: number }>

export class TimeIndex {
  private readonly next

  /** `among`: a column whose value is asked for each time, where ids rise only within one. */
  constructor(database: Database, table: string, id: string, among?: string) {
    const where = among === undefined ? '' : `${among} = ? AND`
    this.next = prepare(
      database,
      `SELECT ${id}, at FROM ${table} WHERE ${where} ${id} >= ? ORDER BY ${id} LIMIT 1`,
    )
  }

  /** `startMs` and `endMs` are inclusive; null: no border there. `last` is the newest id. */
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

  /** The smallest id such that no row before it is as late as this. */
  private firstAt(ms: number, last: number, among: readonly number[]): number {
    let low = 1
    let high = last + 1
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const found = this.next.get(...among, middle) as Cells | undefined
      if (found !== undefined && (found[1] as number) < ms) low = (found[0] as number) + 1
      else high = middle
    }
    return low
  }
}
