// Passes events to the accounts that are watched. An event of any other account costs one lookup.

import {
  bitsOf,
  columnsOf,
  type EventOf,
  type EventType,
  type FillPart,
  fillOf,
  makerFillsOf,
  takerFillsOf,
  wordAt,
} from '../../core/index.ts'
import type { ChannelName } from '../../protocol/streams/channels.ts'
import type { Outcome } from '../../sequencer/outcome.ts'
import type { AccountChannel } from '../channels/channel.ts'
import { channels } from '../channels/channels.ts'
import type { EventReader } from '../event-reader.ts'
import type { FillValues } from './fill-values.ts'
import type { Watch } from './watch.ts'
import type { Watches } from './watches.ts'

const traded = columnsOf('Traded')
const cancelled = columnsOf('OrderCancelled')
const cancelledFor = bitsOf('OrderCancelled').reason

type NamedChannel = readonly [ChannelName, AccountChannel]

const accountChannels = Object.entries(channels).filter(
  ([, { of }]) => of === 'account',
) as unknown as readonly NamedChannel[]

export class AccountEvents {
  private readonly watches: Watches
  private readonly values: FillValues
  /** Watches with events in this command, and in this batch. */
  private readonly inCommand = new Set<Watch>()
  private readonly inBatch = new Set<Watch>()
  /** Accounts with events in this batch that are not watched; `null` if they are not tracked. */
  private readonly unwatched: Set<number> | null

  constructor(watches: Watches, values: FillValues, unwatched: Set<number> | null) {
    this.watches = watches
    this.values = values
    this.unwatched = unwatched
  }

  /** Readers for events that several channels share. */
  private readonly reads: Partial<Record<EventType, EventReader>> = {
    ExpirySet: this.of('ExpirySet', (watch, event) => {
      watch.orders.expirySet(event)
    }),
    OrderProtected: this.of('OrderProtected', (watch, event) => {
      watch.orders.protect(event)
    }),
    TrailSet: this.of('TrailSet', (watch, event) => {
      watch.orders.trailSet(event)
    }),
    OcoLinked: this.of('OcoLinked', (watch, event, { atMs }) => {
      watch.orders.linked(event, atMs)
    }),
    OrderPlaced: this.of('OrderPlaced', (watch, event, { atMs }) => {
      watch.orders.placed(event, atMs)
    }),
    Traded: (outcome, at) => this.traded(outcome, at),
    Filled: this.of('Filled', (watch, event) => {
      watch.orders.moved(event.market, event.positionLots)
      addFills(watch, [fillOf(event)])
    }),
    OrderRested: this.of('OrderRested', (watch, event, { atMs }) => {
      watch.orders.rested(event.order, event.price, atMs)
    }),
    OrderReduced: this.of('OrderReduced', (watch, event, { atMs }) => {
      watch.orders.reduced(event.order, event.cancelled, atMs)
    }),
    OrderCancelled: (outcome, at) => this.cancelled(outcome, at),
    StopPlaced: this.of('StopPlaced', (watch, event, { atMs }) => {
      watch.orders.stopPlaced(event, atMs)
    }),
    StopArmed: this.of('StopArmed', (watch, event, { atMs }) => {
      watch.orders.armed(event, atMs)
    }),
    StopReduced: this.of('StopReduced', (watch, { order, size }, { atMs }) => {
      watch.orders.stopReduced(order, size, atMs)
    }),
    StopTriggered: this.of('StopTriggered', (watch, event, { atMs }) => {
      watch.orders.triggered(event, atMs)
    }),
    AlgoPlaced: this.of('AlgoPlaced', (watch, event, { atMs }) => {
      watch.twaps.placed(event, atMs)
    }),
    AlgoStepped: this.of('AlgoStepped', (watch, { algo, step }, { atMs }) => {
      watch.twaps.sliced(algo, step, atMs)
    }),
    AlgoFilled: this.of('AlgoFilled', (watch, event, { atMs }) => {
      watch.twaps.filled(event, atMs)
    }),
    AlgoEnded: this.of('AlgoEnded', (watch, event, { atMs }) => {
      watch.twaps.ended(event, atMs)
    }),
    AccountOpened: ({ log }, at) => {
      const { address, account } = log.read(at) as EventOf<'AccountOpened'>
      const watch = this.watches.ofAddress(address ?? '')
      if (watch === undefined) return
      watch.opened(account)
      this.watches.bind(watch)
      this.inBatch.add(watch)
    },
    // These events only change states, so that no facts are made from them.
    IsolatedMarginMoved: this.of('IsolatedMarginMoved', () => undefined),
    FundingPaid: this.of('FundingPaid', () => undefined),
    DeficitBooked: this.of('DeficitBooked', () => undefined),
    MmpSet: this.of('MmpSet', () => undefined),
    MmpRemoved: this.of('MmpRemoved', () => undefined),
    MmpReset: this.of('MmpReset', () => undefined),
    MmpTripped: this.of('MmpTripped', () => undefined),
  }

  /** Readers of an event type; empty if neither this class nor a channel reads it. */
  readersOf(type: EventType): EventReader[] {
    const readers = accountChannels.flatMap((each) => this.factReaders(type, each))
    return [this.reads[type], ...readers].filter((reader) => reader !== undefined)
  }

  /** Readers that make a channel's own facts from events. */
  private factReaders(type: EventType, [channel, { facts }]: NamedChannel): EventReader[] {
    const columns = columnsOf(type) as Readonly<Record<string, number>>
    return Object.entries(facts[type] ?? {}).map(([column, contentOf]) => {
      const place = columns[column]!
      return (outcome, at) => {
        const watch = this.touch(outcome.log.rows[at + place]!, outcome)
        if (watch === undefined) return
        const content = contentOf(outcome.log.read(at) as never)
        watch.add({ type: 'channel', channel, content })
      }
    })
  }

  /** A reader that decodes the event only if its account is watched. */
  private of<T extends EventType>(
    type: T,
    read: (watch: Watch, event: EventOf<T>, outcome: Outcome) => void,
  ): EventReader {
    const place = (columnsOf(type) as Readonly<Record<string, number>>).account!
    return (outcome, at) => {
      const watch = this.touch(outcome.log.rows[at + place]!, outcome)
      if (watch !== undefined) read(watch, outcome.log.read(at) as unknown as EventOf<T>, outcome)
    }
  }

  private touch(account: number, { seq, atMs }: Outcome): Watch | undefined {
    const watch = this.watches.of(account)
    if (watch === undefined) {
      this.unwatched?.add(account)
      return undefined
    }
    this.inCommand.add(watch)
    this.inBatch.add(watch)
    return watch.at(seq, atMs)
  }

  private cancelled(outcome: Outcome, at: number): void {
    const { rows } = outcome.log
    const order = rows[at + cancelled.order]!
    this.values.end(order)
    const watch = this.touch(rows[at + cancelled.account]!, outcome)
    if (watch === undefined) return
    const ending = {
      remaining: rows[at + cancelled.remaining]!,
      reason: wordAt(rows, at, cancelledFor),
      levelLots: rows[at + cancelled.levelLots]!,
    }
    watch.orders.cancelled(order, ending, outcome.atMs)
  }

  private traded(outcome: Outcome, at: number): void {
    const { log, atMs } = outcome
    const { rows } = log
    if (rows[at + traded.takerRemaining] === 0) this.values.end(rows[at + traded.takerOrder]!)
    if (rows[at + traded.makerRemaining] === 0) this.values.end(rows[at + traded.makerOrder]!)
    const taker = this.touch(rows[at + traded.taker]!, outcome)
    const maker = this.touch(rows[at + traded.maker]!, outcome)
    if (taker === undefined && maker === undefined) return
    const trade = log.read(at) as EventOf<'Traded'>
    const { market, lots, price } = trade
    if (taker !== undefined) {
      taker.orders.moved(market, trade.takerLots)
      addFills(taker, takerFillsOf(trade))
      taker.orders.filled(trade.takerOrder, { lots, price, remaining: trade.takerRemaining }, atMs)
    }
    if (maker === undefined) return
    maker.orders.moved(market, trade.makerLots)
    addFills(maker, makerFillsOf(trade))
    maker.orders.filled(trade.makerOrder, { lots, price, remaining: trade.makerRemaining }, atMs)
  }

  commandEnded(): void {
    if (this.inCommand.size === 0) return
    for (const watch of this.inCommand) watch.commandEnded()
    this.inCommand.clear()
  }

  batchEnded(): void {
    if (this.inBatch.size === 0) return
    for (const watch of this.inBatch) watch.stateChanged()
    if (this.unwatched !== null) this.watches.keep(this.inBatch, performance.now())
    this.inBatch.clear()
  }

  reverted(): void {
    this.inCommand.clear()
    this.inBatch.clear()
    this.watches.rebindAll()
  }
}

function addFills(watch: Watch, parts: readonly FillPart[]): void {
  for (const part of parts) {
    const clientOrderId = watch.orders.get(part.order)?.clientOrderId ?? null
    const { account: _, ...fill } = part
    watch.add({ type: 'fill', ...fill, clientOrderId })
  }
}
