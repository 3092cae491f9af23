// The readable side of the exchange: the current state in trading terms and units. A view cannot
// change anything and hides how the state is stored. Money is computed by the functions that the
// engine decides with.

import type { TimeMs } from '../../units/units.ts'
import { type Mode, modes } from '../../words/order-words.ts'
import type { MarketId } from '../commands/ids.ts'
import { hasReactions } from '../due/reactions.ts'
import type { PriceRules, RuleLimits } from '../rules/rule-book.ts'
import type { State } from '../state/state.ts'
import { hasLeftDue, nextQueuedAt } from '../timing/schedule.ts'
import { Accounts, type AccountsView } from './account-view.ts'
import { Books, type BooksView } from './book-view.ts'
import { Markets, type MarketsView } from './markets-view.ts'
import { Money, type MoneyView } from './money-view.ts'
import { Orders, type OrdersView } from './order-view.ts'
import { Positions, type PositionsView } from './position-view.ts'

/** A view always shows the current state. One view per state is enough. */
export function viewOf(state: State): ExchangeView {
  return new StateView(state)
}

class StateView {
  private readonly state: State
  readonly accounts: AccountsView
  readonly positions: PositionsView
  readonly orders: OrdersView
  readonly books: BooksView
  readonly markets: MarketsView
  readonly money: MoneyView

  constructor(state: State) {
    this.state = state
    this.accounts = new Accounts(state)
    this.positions = new Positions(state)
    this.orders = new Orders(state)
    this.books = new Books(state)
    this.markets = new Markets(state)
    this.money = new Money(state)
  }

  /** Number of commands that this state has applied. Not the journal's `seq`, which also counts
   *  snapshots and reverts and never decreases. */
  get seq(): number {
    return this.state.seq
  }

  /** Engine time. */
  get atMs(): TimeMs {
    return this.state.atMs as TimeMs
  }

  /** The largest stamp of a command so far: the wall time by which signed requests are
   *  forgotten. */
  get stampMs(): TimeMs {
    return this.state.stampMs as TimeMs
  }

  get clockFrozen(): boolean {
    return this.state.clockFrozen
  }

  get mode(): Mode {
    return modes[this.state.mode]!
  }

  get rulesVersion(): number {
    return this.state.rulesVersion
  }

  /** Markets by name. */
  get symbols(): ReadonlyMap<string, MarketId> {
    return this.state.symbols as ReadonlyMap<string, number> as ReadonlyMap<string, MarketId>
  }

  /** Notes of a sandbox's price sources, by name. */
  get notes(): ReadonlyMap<string, string> {
    return this.state.notes
  }

  get priceRules(): PriceRules {
    return this.state.rules.prices
  }

  /** Limits of commands in the rules version in force. */
  get ruleLimits(): RuleLimits {
    return this.state.rules.limits
  }

  /** No work is due before this time. It may be too early, never too late. */
  get nextDueAt(): number {
    return this.state.nextDueAt
  }

  /** Whether reactions or releases wait for the next command, whatever its time. */
  get hasWorkLeft(): boolean {
    return hasReactions(this.state) || hasLeftDue(this.state)
  }

  /** When the earliest queued item is due. Scans the whole queue. */
  nextQueuedAt(): number {
    return nextQueuedAt(this.state)
  }
}

export type ExchangeView = Readonly<StateView>
