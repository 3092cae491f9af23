// The events of accounts, given to those that are watched. An event of an account nobody watches
// costs one look-up.

import { columnsOf } from '../../core/events/event-columns.ts'
import {
  causes,
  type EventOf,
  type EventType,
  fillKinds,
  roles,
  tifs,
} from '../../core/events/event-fields.ts'
import { rowWidth } from '../../core/events/event-log.ts'
import { marketOrdersOf } from '../../projections/history/chunk.ts'
import type { MatchReader, MatchSide } from '../../projections/match-reader.ts'
import type { Outcome } from '../../sequencer/outcome.ts'
import type { FillFact, LiquidationFact, TransferFact } from './facts.ts'
import type { FillValues } from './fill-values.ts'
import type { Watch } from './watch.ts'
import type { Watches } from './watches.ts'

const filled = columnsOf('Filled')
const cancelled = columnsOf('OrderCancelled')
const IOC = tifs[1]

type Reader = (outcome: Outcome, row: number) => void
type Liquidation = Pick<LiquidationFact, 'event' | 'market'> & Partial<LiquidationFact>

export class AccountNews {
  private readonly watches: Watches
  private readonly values: FillValues
  /** Watches that heard something of this command, and of this batch. */
  private readonly told = new Set<Watch>()
  private readonly stirred = new Set<Watch>()
  /** Orders of this batch's action are market orders. */
  private action = 0
  private actionOf = 0

  constructor(watches: Watches, values: FillValues) {
    this.watches = watches
    this.values = values
  }

  /** By event; what is not here concerns no account. */
  readonly reads: Partial<Record<EventType, Reader>> = {
    BatchActionStarted: ({ log, seq }, row) => {
      this.actionOf = seq
      this.action = (log.read(row) as EventOf<'BatchActionStarted'>).index
    },
    OrderPlaced: this.of('OrderPlaced', (watch, event, outcome) => {
      watch.orders.placed(event, this.isMarket(event, outcome), outcome.atMs)
    }),
    OrderRested: this.of('OrderRested', (watch, event, { atMs }) => {
      watch.orders.rested(event.order, event.price, atMs)
    }),
    OrderReduced: this.of('OrderReduced', (watch, event, { atMs }) => {
      watch.orders.reduced(event.order, event.cancelled, atMs)
    }),
    OrderCancelled: (outcome, row) => this.cancelled(outcome, row),
    StopPlaced: this.of('StopPlaced', (watch, event, { atMs }) => {
      watch.orders.stopPlaced(event, atMs)
    }),
    StopArmed: this.of('StopArmed', (watch, { order }, { atMs }) => {
      watch.orders.armed(order, atMs)
    }),
    StopReduced: this.of('StopReduced', (watch, { order, size }, { atMs }) => {
      watch.orders.stopReduced(order, size, atMs)
    }),
    StopTriggered: this.of('StopTriggered', (watch, { order }, { atMs }) => {
      watch.orders.triggered(order, atMs)
    }),
    TwapPlaced: this.of('TwapPlaced', (watch, event, { atMs }) => {
      watch.twaps.placed(event, atMs)
    }),
    TwapSliced: this.of('TwapSliced', (watch, { twap, slice }, { atMs }) => {
      watch.twaps.sliced(twap, slice, atMs)
    }),
    TwapEnded: this.of('TwapEnded', (watch, event, { atMs }) => {
      watch.twaps.ended(event, atMs)
    }),
    AccountOpened: ({ log }, row) => {
      const { address, account } = log.read(row) as EventOf<'AccountOpened'>
      const watch = this.watches.ofAddress(address ?? '')
      if (watch === undefined) return
      watch.opened(account)
      this.watches.bind(watch)
      this.stirred.add(watch)
    },
    Deposited: this.of('Deposited', (watch, { amount, balance, pending }) => {
      watch.add({ type: 'transfer', event: 'deposit', amount, balance, pending })
    }),
    WithdrawalRequested: this.of('WithdrawalRequested', (watch, { amount, balance, pending }) => {
      watch.add({ type: 'transfer', event: 'withdraw', amount: -amount, balance, pending })
    }),
    WithdrawalCompleted: this.of('WithdrawalCompleted', (watch, { balance, pending }) => {
      watch.add({ type: 'transfer', event: 'withdraw_completed', amount: 0, balance, pending })
    }),
    WithdrawalFailed: this.of('WithdrawalFailed', (watch, { amount, balance, pending }) => {
      watch.add({ type: 'transfer', event: 'withdraw_failed', amount, balance, pending })
    }),
    Transferred: (outcome, row) => this.transferred(outcome, row),
    LeverageSet: this.of('LeverageSet', (watch, { market, leverage }) => {
      watch.add({ type: 'leverage', market, leverage })
    }),
    MarginModeSet: this.of('MarginModeSet', (watch, { market, isolated }) => {
      watch.add({ type: 'margin', market, isolated })
    }),
    IsolatedMarginMoved: this.of('IsolatedMarginMoved', () => undefined),
    FundingPaid: this.of('FundingPaid', () => undefined),
    DeficitBooked: this.of('DeficitBooked', () => undefined),
    LiquidationStarted: this.of('LiquidationStarted', (watch, event) => {
      const { scope: market, equity, maintenance } = event
      liquidated(watch, { event: 'liquidation_started', market, equity, maintenance })
    }),
    LiquidationStepped: this.of('LiquidationStepped', (watch, { market, lots }) => {
      liquidated(watch, { event: 'market_liquidation', market, lots })
    }),
    BackstopTookOver: this.of('BackstopTookOver', (watch, { market, lots, value }) => {
      const taken = { lots: Math.abs(lots), value: Math.abs(value) }
      liquidated(watch, { event: 'backstop_liquidation', market, ...taken })
    }),
    InsurancePaid: this.of('InsurancePaid', (watch, { scope: market, amount: value }) => {
      liquidated(watch, { event: 'insurance_paid', market, value })
    }),
    Deleveraged: (outcome, row) => this.deleveraged(outcome, row),
  }

  /** A reader that makes the event only where its account is watched. */
  private of<T extends EventType>(
    type: T,
    tell: (watch: Watch, event: EventOf<T>, outcome: Outcome) => void,
  ): Reader {
    const place = (columnsOf(type) as Readonly<Record<string, number>>).account!
    return (outcome, row) => {
      const watch = this.heard(outcome.log.rows[row * rowWidth + place]!, outcome)
      if (watch !== undefined) tell(watch, outcome.log.read(row) as unknown as EventOf<T>, outcome)
    }
  }

  private heard(account: number, { seq, atMs }: Outcome): Watch | undefined {
    const watch = this.watches.of(account)
    if (watch === undefined) return undefined
    this.told.add(watch)
    this.stirred.add(watch)
    return watch.at(seq, atMs)
  }

  /** For orders that nobody asked for the event says it, for a user's the command. */
  private isMarket({ tif, origin }: EventOf<'OrderPlaced'>, { entry, seq }: Outcome): boolean {
    if (tif !== IOC) return false
    if (origin !== 'user') return true
    const index = this.actionOf === seq ? this.action : 0
    return (marketOrdersOf(entry) & (1 << index)) !== 0
  }

  private cancelled(outcome: Outcome, row: number): void {
    const { rows } = outcome.log
    const at = row * rowWidth
    const order = rows[at + cancelled.order]!
    this.values.end(order)
    const watch = this.heard(rows[at + cancelled.account]!, outcome)
    if (watch === undefined) return
    const remaining = rows[at + cancelled.remaining]!
    watch.orders.cancelled(order, remaining, rows[at + cancelled.reason]!, outcome.atMs)
  }

  private transferred(outcome: Outcome, row: number): void {
    const event = outcome.log.read(row) as EventOf<'Transferred'>
    const { from, to, amount } = event
    const tell = (account: number, fact: Pick<TransferFact, 'amount' | 'balance' | 'pending'>) =>
      this.heard(account, outcome)?.add({ type: 'transfer', event: 'subaccount_transfer', ...fact })
    tell(from, { amount: -amount, balance: event.fromBalance, pending: event.fromPending })
    tell(to, { amount, balance: event.toBalance, pending: event.toPending })
  }

  private deleveraged(outcome: Outcome, row: number): void {
    const event = outcome.log.read(row) as EventOf<'Deleveraged'>
    const { market, value } = event
    const lots = Math.abs(event.lots)
    for (const account of [event.account, event.counterparty]) {
      const watch = this.heard(account, outcome)
      if (watch !== undefined)
        liquidated(watch, { event: 'adl_liquidation', market, lots, value: Math.abs(value) })
    }
  }

  /** One part of a fill; null: nobody watches the account. */
  filled(outcome: Outcome, at: number): void {
    const watch = this.heard(outcome.log.rows[at + filled.account]!, outcome)
    if (watch === undefined) return
    const { seq: _, atMs: __, ...fact } = fillFactOf(outcome, at)
    watch.orders.moved(fact)
    watch.add({ ...fact, clientOrderId: watch.orders.get(fact.order)?.clientOrderId ?? null })
  }

  /** A side of a match is complete with this row of a fill. */
  matched(outcome: Outcome, at: number, match: MatchReader, side: MatchSide): void {
    const isTaker = side === 'taker'
    const order = isTaker ? match.takerOrder : match.makerOrder
    const remaining = isTaker ? match.takerRemaining : match.makerRemaining
    if (remaining === 0) this.values.end(order)
    const watch = this.watches.of(outcome.log.rows[at + filled.account]!)
    if (watch === undefined) return
    const { lots, price, value } = match
    const slice = watch.orders.get(order)?.twap ?? 0
    watch.orders.filled(order, { lots, price, remaining }, outcome.atMs)
    if (slice !== 0) watch.twaps.filled(slice, { lots, value }, outcome.atMs)
  }

  commandEnded(): void {
    if (this.told.size === 0) return
    for (const watch of this.told) watch.commandEnded()
    this.told.clear()
  }

  batchEnded(): void {
    if (this.stirred.size === 0) return
    for (const watch of this.stirred) watch.stateChanged()
    this.stirred.clear()
  }

  reverted(): void {
    this.told.clear()
    this.stirred.clear()
    this.watches.rebindAll()
  }
}

const nothing = { lots: null, value: null, equity: null, maintenance: null }

function liquidated(watch: Watch, fact: Liquidation): void {
  watch.add({ type: 'liquidation', ...nothing, ...fact })
}

export function fillFactOf({ log, seq, atMs }: Outcome, at: number): FillFact {
  const { rows } = log
  return {
    type: 'fill',
    seq,
    atMs,
    history: rows[at + filled.history]!,
    counterparty: rows[at + filled.counterparty]!,
    order: rows[at + filled.order]!,
    clientOrderId: null,
    market: rows[at + filled.market]!,
    kind: fillKinds[rows[at + filled.kind]!]!,
    role: roles[rows[at + filled.role]!]!,
    cause: causes[rows[at + filled.cause]!]!,
    lots: rows[at + filled.lots]!,
    price: rows[at + filled.price]!,
    value: rows[at + filled.value]!,
    fee: rows[at + filled.fee]!,
    pnl: rows[at + filled.pnl]!,
    entryCost: rows[at + filled.entryCost]!,
    entryLots: rows[at + filled.entryLots]!,
  }
}
