// When orders became visible to others that were placed earlier.

import type { FedOutcome } from '../../chunk.ts'
import { type Database, prepare } from '../../projection.ts'
import { pick, select } from '../../rows/select.ts'
import { insertInto } from '../../rows/table.ts'
import { orderReleases } from '../../schema/order-table.ts'

type Released = Readonly<{ id: number; account: number }>

export class Releases {
  /** Of the last one: the newest event then, and how many releases came after that event. */
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

  /** `newest`: the newest event of all orders. */
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
