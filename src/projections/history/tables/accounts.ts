// Addresses by account id of the core. A revert removes accounts that were opened after the
// snapshot, because their ids will be assigned again.

import { columnsOf } from '../../../core/index.ts'
import { type Database, type NewestRow, type Projection, prepare } from '../projection.ts'
import { pick, select } from '../rows/select.ts'
import { insertInto } from '../rows/table.ts'
import { accounts } from '../schema/store-table.ts'

const opened = columnsOf('AccountOpened')
const cacheMax = 100_000

export class Accounts implements Projection<NewestRow> {
  readonly reads = {
    AccountOpened: (outcome, at) => {
      const id = outcome.rows[at + opened.account]!
      this.insert({ id, address: outcome.text(outcome.rows[at + opened.address]!)! })
      this.last = id
    },
  } satisfies Projection['reads']
  private last = 0
  private readonly addresses = new Map<number, string>()
  private readonly insert
  private readonly byId
  private readonly byAddress
  private readonly cut

  /** `reserved`: addresses of the initial accounts, by id from 1. */
  constructor(database: Database, reserved: readonly string[]) {
    this.insert = insertInto(database, accounts)
    this.byId = select(database, pick(accounts, 'address'), 'FROM accounts WHERE id = ?')
    this.byAddress = select(database, pick(accounts, 'id'), 'FROM accounts WHERE address = ?')
    this.cut = prepare(database, 'DELETE FROM accounts WHERE id > ?')
    const put = insertInto(database, accounts, 'INSERT OR IGNORE')
    reserved.forEach((address, index) => {
      put({ id: index + 1, address })
    })
    this.last = reserved.length
  }

  /** Returns 0 if the address is unknown. */
  idOf(address: string): number {
    return this.byAddress.get(address)?.id ?? 0
  }

  addressOf(id: number): string {
    const known = this.addresses.get(id)
    if (known !== undefined) return known
    const address = this.byId.get(id)?.address ?? ''
    if (this.addresses.size >= cacheMax) this.addresses.clear()
    this.addresses.set(id, address)
    return address
  }

  mark() {
    return { last: this.last }
  }

  resume({ last }: NewestRow): void {
    this.last = last
    this.addresses.clear()
  }

  revert({ last }: NewestRow): void {
    this.cut.run(last)
  }
}
