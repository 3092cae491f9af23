// Records when orders became visible to other readers after their placement.

import type { FedOutcome } from '../../chunk.ts'
import { type Database, prepare } from '../../projection.ts'
import { pick, select } from '../../rows/select.ts'
import { insertInto } from '../../rows/table.ts'
import { orderReleases } from '../../schema/order-table.ts'

type Released = Readonly<{ id: number; account: number }>

export class Releases {
  /** The last release: the newest event at that time, and the number of earlier releases since
   *  that event. */
  private last = { newest: 0, turn: 0 }
  private readonly insert
  private readonly found
  private readonly dropOne
  private readonly cut

  constructor(database: Database) {
    this.insert = insertInto(database, orderReleases)
    const place = pick(orderReleases, 'seq')
    this.found = select(database, place, 'FROM order_releases WHERE ord = ?')
    this.dropOne = prepare(database, 'DELETE FROM order_releases WHERE ord = ?')
    this.cut = prepare(database, 'DELETE FROM order_releases WHERE seq > ?')
  }

  /** `newest`: id of the newest event of all orders. */
  add({ seq }: FedOutcome, { id, account }: Released, newest: number): void {
    const { last } = this
    this.last = { newest, turn: last.newest === newest ? last.turn + 1 : 0 }
    this.insert({ ord: id, seq, account, ...this.last })
  }

  has(order: number): boolean {
    return this.found.get(order) !== undefined
  }

  drop(order: number): void {
    this.dropOne.run(order)
  }

  revert(snapshot: number): void {
    this.cut.run(snapshot)
  }
}
