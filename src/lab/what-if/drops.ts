// The orders that a variant does not have: which recorded commands placed, edited or cancelled
// them, and which orders came of them.

import type { ExchangeView } from '../../core/index.ts'
import type { Outcome } from '../../sequencer/outcome.ts'
import { commandWords } from '../diff/command-words.ts'
import { isOf, resultLine } from '../diff/outcome-text.ts'
import { LabFault } from '../lab-fault.ts'
import type { Dropped } from './changes.ts'
import { isMade, type MadeOrder } from './id-map.ts'

const removedMax = 100

export class Drops implements Dropped {
  readonly orders: Set<number>
  readonly accounts: ReadonlySet<string>
  /** The orders, and those that stops, algos and edits have made of them. */
  readonly gone: Set<number>
  /** Addresses of their accounts. */
  readonly owners: Set<string>
  readonly removed: Readonly<{ seq: number; command: string; result: string }>[] = []
  private readonly missing: Set<number>

  constructor({ orders, accounts }: Dropped) {
    this.orders = new Set(orders)
    this.accounts = accounts
    this.gone = new Set(orders)
    this.owners = new Set(accounts)
    this.missing = new Set(orders)
  }

  /** Returns whether the command named a dropped order and did nothing else. */
  take(outcome: Outcome, view: ExchangeView): boolean {
    const { log, first, end, ownFirst, ownEnd, entry } = outcome
    if (this.gone.size === 0 || entry.kind !== 'command') return false
    for (const event of log.readBetween(first, end)) if (isMade(event)) this.descend(event)
    const own = log.readBetween(ownFirst, ownEnd)
    if (!('account' in entry.command)) return false
    const made = own.filter(isMade).filter(({ order }) => this.orders.has(order))
    for (const { order, account } of made) {
      this.missing.delete(order)
      this.owners.add(view.accounts.addressOf(account))
    }
    const names = 'order' in entry.command && own.length > 0
    const isOnly = names && own.every((event) => isOf(event, this.gone))
    // The legs of an OCO are placed together.
    if (made.length > 0 && entry.command.type !== 'Batch')
      for (const { order } of own.filter(isMade)) this.gone.add(order)
    if ((made.length > 0 || isOnly) && this.removed.length < removedMax)
      this.removed.push({
        seq: outcome.seq,
        command: commandWords(outcome, view),
        result: resultLine(outcome),
      })
    return isOnly
  }

  private descend(event: MadeOrder): void {
    if (!('parent' in event) || !this.gone.has(event.parent)) return
    this.gone.add(event.order)
    // An edited order has a new id.
    if (event.type === 'OrderPlaced' && event.origin === 'user') this.orders.add(event.order)
  }

  /** Throws if nothing has placed one of the orders, or an account does not exist. */
  requireFound({ accounts }: ExchangeView, after: number): void {
    const [order] = this.missing
    const since = after === 0 ? '' : ` after entry ${after}`
    if (order !== undefined)
      throw new LabFault(
        `--drop order=${order}: no command of an account has placed order ${order}${since}`,
        'an order of a stop, a TWAP or another algo is dropped with that',
      )
    for (const address of this.accounts)
      if (accounts.idOf(address) === 0)
        throw new LabFault(`--drop account=${address}: there is no such account`)
  }
}
