// What operators did, who and why. Not a projection like the others: a revert takes back what was
// done, not that somebody did it.

import type { Told } from '../chunk.ts'
import type { CursorPage } from '../history.ts'
import type { Database } from '../projection.ts'
import type { Cells } from '../rows/column.ts'
import { insertInto } from '../rows/table.ts'
import { selectTold } from '../rows/told-row.ts'
import { deedRow, deeds } from '../schema/store-table.ts'

export class Deeds {
  private readonly insert
  private readonly page

  constructor(database: Database) {
    this.insert = insertInto(database, deeds)
    this.page = selectTold(database, deedRow, 'FROM deeds WHERE seq < ? ORDER BY seq DESC LIMIT ?')
  }

  take(told: Told): void {
    const deed = told.deed()
    if (deed !== null) this.insert({ seq: told.seq, at: told.atMs, ...deed })
  }

  /** Newest first; `before` is a seq. */
  newest({ before, limit }: CursorPage): Cells[] {
    return this.page(before ?? Number.MAX_SAFE_INTEGER, limit)
  }
}
