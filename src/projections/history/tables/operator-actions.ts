// Actions of operators, with operator and reason. Unlike a projection it keeps its rows in a
// revert, although the effect of the action is undone.

import type { FedOutcome } from '../chunk.ts'
import type { CursorPage } from '../history.ts'
import type { Database } from '../projection.ts'
import type { Cells } from '../rows/column.ts'
import { insertInto } from '../rows/table.ts'
import { selectWire } from '../rows/wire-row.ts'
import { operatorActionRow, operatorActions } from '../schema/store-table.ts'

export class OperatorActions {
  private readonly insert
  private readonly page

  constructor(database: Database) {
    this.insert = insertInto(database, operatorActions)
    this.page = selectWire(
      database,
      operatorActionRow,
      'FROM operator_actions WHERE seq < ? ORDER BY seq DESC LIMIT ?',
    )
  }

  take(outcome: FedOutcome): void {
    const action = outcome.operatorAction()
    if (action !== null) this.insert({ seq: outcome.seq, at: outcome.atMs, ...action })
  }

  /** Newest first; `before` is a seq. */
  newest({ before, limit }: CursorPage): Cells[] {
    return this.page(before ?? Number.MAX_SAFE_INTEGER, limit)
  }
}
