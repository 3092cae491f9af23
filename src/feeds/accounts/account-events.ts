// The events of accounts, given to those that are watched. An event of an account nobody watches
// costs one look-up.

import { columnsOf, type EventOf, type EventType, rowWidth, tifs } from '../../core/index.ts'
import { marketOrdersOf } from '../../projections/history/chunk.ts'
import type { MatchReader, MatchSide } from '../../projections/match-reader.ts'
import type { ChannelName } from '../../protocol/streams/channels.ts'
import type { Outcome } from '../../sequencer/outcome.ts'
import type { AccountChannel } from '../channels/channel.ts'
import { channels } from '../channels/channels.ts'
import type { EventReader } from '../event-reader.ts'
import { fillFactOf } from './fill-fact.ts'
import type { FillValues } from './fill-values.ts'
import type { Watch } from './watch.ts'
import type { Watches } from './watches.ts'

const filled = columnsOf('Filled')
const cancelled = columnsOf('OrderCancelled')
const IOC = tifs[1]

type NamedChannel = readonly [ChannelName, AccountChannel]

const accountChannels = Object.entries(channels).filter(
  ([, { of }]) => of === 'account',
) as unknown as readonly NamedChannel[]

export class AccountEvents {
  private readonly watches: Watches
  private readonly values: FillValues
  /** Watches that this command concerns, and this batch. */
  private readonly inCommand = new Set<Watch>()
  private readonly inBatch = new Set<Watch>()
  /** Orders of this batch's action are market orders. */
  private action = 0
  private actionOf = 0

  constructor(watches: Watches, values: FillValues) {
    this.watches = watches
    this.values = values
  }

  /** What several channels share. */
  private readonly reads: Partial<Record<EventType, EventReader>> = {
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
      this.inBatch.add(watch)
    },
    // What these do shows in states alone.
    IsolatedMarginMoved: this.of('IsolatedMarginMoved', () => undefined),
    FundingPaid: this.of('FundingPaid', () => undefined),
    DeficitBooked: this.of('DeficitBooked', () => undefined),
  }

  /** What is not read here or by a channel concerns no account. */
  readersOf(type: EventType): EventReader[] {
    const readers = accountChannels.flatMap((each) => this.factReaders(type, each))
    return [this.reads[type], ...readers].filter((reader) => reader !== undefined)
  }

  /** Those by which a channel makes facts of its own. */
  private factReaders(type: EventType, [channel, { facts }]: NamedChannel): EventReader[] {
    const columns = columnsOf(type) as Readonly<Record<string, number>>
    return Object.entries(facts[type] ?? {}).map(([column, contentOf]) => {
      const place = columns[column]!
      return (outcome, row) => {
        const watch = this.touch(outcome.log.rows[row * rowWidth + place]!, outcome)
        if (watch === undefined) return
        const content = contentOf(outcome.log.read(row) as never)
        watch.add({ type: 'channel', channel, content })
      }
    })
  }

  /** A reader that makes the event only where its account is watched. */
  private of<T extends EventType>(
    type: T,
    read: (watch: Watch, event: EventOf<T>, outcome: Outcome) => void,
  ): EventReader {
    const place = (columnsOf(type) as Readonly<Record<string, number>>).account!
    return (outcome, row) => {
      const watch = this.touch(outcome.log.rows[row * rowWidth + place]!, outcome)
      if (watch !== undefined) read(watch, outcome.log.read(row) as unknown as EventOf<T>, outcome)
    }
  }

  private touch(account: number, { seq, atMs }: Outcome): Watch | undefined {
    const watch = this.watches.of(account)
    if (watch === undefined) return undefined
    this.inCommand.add(watch)
    this.inBatch.add(watch)
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
    const watch = this.touch(rows[at + cancelled.account]!, outcome)
    if (watch === undefined) return
    const remaining = rows[at + cancelled.remaining]!
    watch.orders.cancelled(order, remaining, rows[at + cancelled.reason]!, outcome.atMs)
  }

  /** One part of a fill. */
  filled(outcome: Outcome, at: number): void {
    const watch = this.touch(outcome.log.rows[at + filled.account]!, outcome)
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
    if (this.inCommand.size === 0) return
    for (const watch of this.inCommand) watch.commandEnded()
    this.inCommand.clear()
  }

  batchEnded(): void {
    if (this.inBatch.size === 0) return
    for (const watch of this.inBatch) watch.stateChanged()
    this.inBatch.clear()
  }

  reverted(): void {
    this.inCommand.clear()
    this.inBatch.clear()
    this.watches.rebindAll()
  }
}
