// Who did what and why. Not a projection like the others: a revert takes back what was done, not
// that it was done.

import type { Deed } from '../chunk.ts'
import { type Cells, type Database, prepare } from '../projection.ts'

export class Deeds {
  private readonly insert
  private readonly page

  constructor(database: Database) {
    this.insert = prepare(database, 'INSERT OR IGNORE INTO deeds VALUES (?, ?, ?, ?, ?, ?)')
    this.page = prepare(
      database,
      `SELECT seq, at, who, why, what, command FROM deeds
       WHERE seq < ? ORDER BY seq DESC LIMIT ?`,
    )
  }

  add({ seq, atMs, who, why, what, command }: Deed): void {
    this.insert.run(seq, atMs, who, why, what, command)
  }

  before(seq: number | null, limit: number): Cells[] {
    return this.page.all(seq ?? Number.MAX_SAFE_INTEGER, limit) as Cells[]
  }
}
