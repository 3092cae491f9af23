// Addresses by the core's account ids. Accounts opened after a snapshot are forgotten by a revert,
// because their ids will be given anew.

import { columnsOf } from '../../../core/events/event-columns.ts'
import { type Cells, type Database, type Projection, prepare } from '../projection.ts'

const opened = columnsOf('AccountOpened')
const cacheMax = 100_000

export class Accounts implements Projection {
  readonly reads = {
    AccountOpened: (told, at) => {
      const id = told.rows[at + opened.account]!
      this.insert.run(id, told.text(told.rows[at + opened.address]!))
      this.last = id
    },
  } satisfies Projection['reads']
  private last = 0
  private readonly addresses = new Map<number, string>()
  private readonly insert
  private readonly byId
  private readonly byAddress
  private readonly cut

  /** `reserved`: addresses of the accounts that are there from the beginning, by id from 1. */
  constructor(database: Database, reserved: readonly string[]) {
    this.insert = prepare(database, 'INSERT INTO accounts VALUES (?, ?)')
    this.byId = prepare(database, 'SELECT address FROM accounts WHERE id = ?')
    this.byAddress = prepare(database, 'SELECT id FROM accounts WHERE address = ?')
    this.cut = prepare(database, 'DELETE FROM accounts WHERE id > ?')
    const put = prepare(database, 'INSERT OR IGNORE INTO accounts VALUES (?, ?)')
    reserved.forEach((address, index) => {
      put.run(index + 1, address)
    })
    this.last = reserved.length
  }

  /** 0: never seen. */
  idOf(address: string): number {
    const found = this.byAddress.get(address) as Cells | undefined
    return found === undefined ? 0 : (found[0] as number)
  }

  addressOf(id: number): string {
    const known = this.addresses.get(id)
    if (known !== undefined) return known
    const found = this.byId.get(id) as Cells | undefined
    const address = found === undefined ? '' : (found[0] as string)
    if (this.addresses.size >= cacheMax) this.addresses.clear()
    this.addresses.set(id, address)
    return address
  }

  mark() {
    return [this.last]
  }

  resume([last]: readonly number[]): void {
    this.last = last!
    this.addresses.clear()
  }

  revert([last]: readonly number[]): void {
    this.cut.run(last!)
  }
}
