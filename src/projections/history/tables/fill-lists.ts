// Counts fills per list and range of history ids, so that a page at offset one million is found
// without reading a million rows. The lists are: all fills, those of a market, of an account, and
// of an account in a market (0 means all). A range of the first level has 512 ids, and one of the
// second level 512 of those. Unlike numbered rows, counts allow rows to be deleted. The key is the
// range, then the list, so that a thousand active accounts write to the same pages; a search reads
// each range for its list.

import { type Database, prepare } from '../projection.ts'
import { computed, int } from '../rows/column.ts'
import { pick, select } from '../rows/select.ts'
import { fillCounts, fills } from '../schema/fill-table.ts'

export type List = Readonly<{ account: number; market: number }>

const levels = [1, 2] as const
type Level = (typeof levels)[number]
const marketsMax = 2 ** 16

type Walker = Readonly<{
  /** Number of rows of the list with ids within these bounds. */
  count(from: number, to: number): number
  /** Id of the row that comes `skip` rows after this one, newest first; 0 if there is none. */
  below(id: number, skip: number): number
}>

export class FillLists {
  /** Number of ids in a range of the first level. */
  readonly stretch: number
  private readonly sizes: Readonly<Record<Level, number>>
  /** Changes of the current range by list. Written when the range ends, or at a commit. */
  private readonly added = new Map<number, number>()
  private block = 0
  private readonly change
  private readonly dropEmpty
  private readonly counts
  private readonly walkers: readonly ((list: List) => Walker)[]

  constructor(database: Database, stretch = 512) {
    this.stretch = stretch
    this.sizes = { 1: stretch, 2: stretch * stretch }
    this.change = prepare(
      database,
      `INSERT INTO fill_counts (level, block, account, market, n) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET n = n + excluded.n`,
    )
    this.dropEmpty = prepare(
      database,
      'DELETE FROM fill_counts WHERE level=? AND block=? AND account=? AND market=? AND n = 0',
    )
    this.counts = select(
      database,
      pick(fillCounts, 'block', 'n'),
      `FROM blocks CROSS JOIN fill_counts
       ON level = ?1 AND fill_counts.block = blocks.block AND account = ?2 AND market = ?3`,
      `WITH RECURSIVE blocks (block) AS
         (SELECT ?4 UNION ALL SELECT block - 1 FROM blocks WHERE block > ?5)`,
    )
    this.walkers = ['', 'market = ? AND', 'account = ? AND', 'account = ? AND market = ? AND'].map(
      (where) => walkerOf(database, where),
    )
  }

  /** Adds a row. Its id must be the highest. */
  add(id: number, account: number, market: number): void {
    const block = Math.floor(id / this.stretch)
    if (block !== this.block) this.flush()
    this.block = block
    for (const key of keysOf(account, market)) this.added.set(key, (this.added.get(key) ?? 0) + 1)
  }

  flush(): void {
    for (const [key, n] of this.added) this.write(key, this.block, n)
    this.added.clear()
  }

  /** Subtracts removed rows of a range. */
  remove(block: number, { account, market }: List, n: number): void {
    for (const key of keysOf(account, market)) this.write(key, block, -n)
  }

  private write(key: number, block: number, n: number): void {
    const account = Math.floor(key / marketsMax)
    const market = key % marketsMax
    for (const level of levels) {
      const at = Math.floor((block * this.stretch) / this.sizes[level])
      this.change.run(level, at, account, market, n)
      if (n < 0) this.dropEmpty.run(level, at, account, market)
    }
  }

  /** Id of the row at this offset in the list, newest first, among ids up to `top`; 0 if there are
   *  fewer rows. */
  seek(list: List, top: number, offset: number): number {
    const walker = this.walkers[(list.account > 0 ? 2 : 0) + (list.market > 0 ? 1 : 0)]!(list)
    let from = top
    let skip = offset
    // Searches upwards: the rest of the range that contains `from`, one level at a time.
    const start = Math.floor(from / this.stretch) * this.stretch
    const rows = walker.count(start, from)
    if (skip < rows) return walker.below(from, skip)
    skip -= rows
    from = start - 1
    for (const level of levels) {
      const end = level === 1 ? start - (start % this.sizes[2]) : 0
      const found = this.descend(list, level, { from, end, skip })
      if (found.inside) return this.seekInside(list, walker, level, found)
      skip = found.skip
      from = end - 1
    }
    return 0
  }

  /** Searches complete ranges from `from` down to `end` for the one that contains the row. */
  private descend(
    list: List,
    level: Level,
    { from, end, skip }: Readonly<{ from: number; end: number; skip: number }>,
  ): { inside: boolean; block: number; skip: number } {
    if (from < end) return { inside: false, block: 0, skip }
    const size = this.sizes[level]
    const first = Math.floor(from / size)
    const last = Math.floor(end / size)
    let left = skip
    for (const { block, n } of this.counts.all(level, list.account, list.market, first, last)) {
      if (left < n) return { inside: true, block, skip: left }
      left -= n
    }
    return { inside: false, block: 0, skip: left }
  }

  private seekInside(
    list: List,
    walker: Walker,
    level: Level,
    { block, skip }: Readonly<{ block: number; skip: number }>,
  ): number {
    const end = block * this.sizes[level]
    const from = end + this.sizes[level] - 1
    if (level === 1) return walker.below(from, skip)
    const found = this.descend(list, 1, { from, end, skip })
    return walker.below((found.block + 1) * this.stretch - 1, found.skip)
  }
}

/** Keys of the four lists of a row. */
function keysOf(account: number, market: number): readonly number[] {
  return [0, market, account * marketsMax, account * marketsMax + market]
}

function walkerOf(database: Database, where: string): (list: List) => Walker {
  const count = select(
    database,
    { n: computed(int, 'count(*)') },
    `FROM fills WHERE ${where} history >= ? AND history <= ?`,
  )
  const below = select(
    database,
    pick(fills, 'history'),
    `FROM fills WHERE ${where} history <= ? ORDER BY history DESC LIMIT 1 OFFSET ?`,
  )
  return ({ account, market }) => {
    const key = [account, market].filter((id) => id > 0)
    return {
      count: (from, to) => count.get(...key, from, to)!.n,
      below: (id, skip) => below.get(...key, id, skip)?.history ?? 0,
    }
  }
}
