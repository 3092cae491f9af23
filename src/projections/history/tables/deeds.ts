// What operators did, who and why. Not a projection like the others: a revert takes back what was
// done, not that somebody did it.

import type { Told } from '../chunk.ts'
import type { CursorPage } from '../history.ts'
import { type Cells, type Database, prepare } from '../projection.ts'

export class Deeds {
  private readonly insert
  private readonly page

  constructor(database: Database) {
    this.insert = prepare(database, 'INSERT INTO deeds VALUES (?, ?, ?, ?, ?, ?)')
    this.page = prepare(database, 'SELECT * FROM deeds WHERE seq < ? ORDER BY seq DESC LIMIT ?')
  }

  take(told: Told): void {
    const deed = told.deed()
    if (deed !== null) this.insert.run(told.seq, told.atMs, ...deed)
  }

  /** Newest first; `before` is a seq. */
  newest({ before, limit }: CursorPage): Cells[] {
    return this.page.all(before ?? Number.MAX_SAFE_INTEGER, limit) as Cells[]
  }
}
