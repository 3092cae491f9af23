// An account that has readers or recently had some. Its orders and TWAPs are updated event by
// event, its facts are kept for readers that reconnect, and its channels have publishers.

import type { ExchangeView, MarketParams } from '../../core/index.ts'
import type { FeedContext } from '../feed-context.ts'
import type { Payload, Publisher } from '../topic.ts'
import type { DeleverageRanks } from './deleverage-ranks.ts'
import { Facts, type FactWindow } from './fact-window.ts'
import { type Fact, hideUnreleased, type OpenOrderFact } from './facts.ts'
import type { FillValues } from './fill-values.ts'
import type { LiveOrder } from './live-order.ts'
import { LiveOrders } from './live-orders.ts'
import { LiveTwaps } from './live-twaps.ts'

export type WatchParts = Readonly<{
  context: FeedContext
  window: FactWindow
  values: FillValues
  ranks: DeleverageRanks
}>

/** The account that the rows belong to. */
export type Owner = Readonly<{ view: ExchangeView; address: string }>

export const paramsOf = ({ view }: Owner, market: number): MarketParams =>
  view.markets.paramsOf(market)

/** Publishes a channel of an account. */
export type AccountPublisher = Publisher &
  Readonly<{
    /** Called with the facts of a command, in order. */
    happened?(facts: readonly Fact[], seq: number): void
    /** Called when the state was replaced. */
    changed?(): void
    /** Formats these facts for the channel; absent if the channel sends its current value
     *  instead. */
    replay?(facts: readonly Fact[]): Payload[]
    /** Called when the values of earlier fills of open orders have been loaded from history. */
    fillValuesLoaded?(): void
  }>

export class Watch {
  readonly address: string
  readonly publishers = new Set<AccountPublisher>()
  readonly facts: Facts
  orders: LiveOrders
  twaps: LiveTwaps
  /** 0 if the address has no account yet. */
  account: number
  /** Machine time at which its last reader left; 0 while it has readers. */
  idleSince = 0
  private readonly parts: WatchParts
  /** Facts of the current command. */
  private fresh: Fact[] = []
  private seq = 0
  private atMs = 0

  /** `quietAfter`: the account had no events after this sequence number (default: the current
   *  one). */
  constructor(address: string, parts: WatchParts, quietAfter = parts.context.seq()) {
    this.address = address
    this.parts = parts
    this.facts = new Facts(quietAfter)
    this.account = this.find()
    this.orders = this.liveOrders()
    this.twaps = this.liveTwaps()
  }

  get ranks(): DeleverageRanks {
    return this.parts.ranks
  }

  /** Sequence number of the last command with events of this account. */
  get lastSeq(): number {
    return this.seq
  }

  /** All facts after this sequence number are in memory. */
  get completeAfter(): number {
    return this.facts.completeAfter
  }

  /** Whether this is an account of the exchange itself, for which history has only sums. */
  get isReserved(): boolean {
    return this.account !== 0 && this.parts.context.view.accounts.isReserved(this.account)
  }

  owner(): Owner {
    return { view: this.parts.context.view, address: this.address }
  }

  place(): number {
    return this.parts.context.seq()
  }

  /** Called when the address gets an account. */
  opened(account: number): void {
    this.account = account
  }

  /** Reloads everything from the state, as after a revert. */
  restart(): void {
    this.facts.restart(this.place())
    this.fresh = []
    this.account = this.find()
    this.orders = this.liveOrders()
    this.twaps = this.liveTwaps()
  }

  openOrders(): OpenOrderFact[] {
    const seq = this.place()
    return this.orders.all(this.parts.context.view).map((order) => ({
      type: 'order',
      ...this.described(order),
      lots: 0,
      fillPrice: 0,
      late: false,
      seq,
      atMs: order.updatedAt,
    }))
  }

  /** Called before the events of a command. */
  at(seq: number, atMs: number): this {
    this.seq = seq
    this.atMs = atMs
    return this
  }

  add(fact: DistributiveOmit<Fact, 'seq' | 'atMs'>, atMs = this.atMs): void {
    const placed = { ...fact, seq: this.seq, atMs } as Fact
    this.fresh.push(placed)
    this.parts.window.add(this.facts, placed)
  }

  /** Called after the events of a command. Sends its facts. */
  commandEnded(): void {
    this.orders.commandEnded(this.atMs)
    const facts = this.fresh
    if (facts.length === 0) return
    this.fresh = []
    hideUnreleased(facts)
    for (const publisher of this.publishers) publisher.happened?.(facts, this.seq)
  }

  stateChanged(): void {
    for (const publisher of this.publishers) publisher.changed?.()
  }

  canResume(from: number): boolean {
    return from >= this.completeAfter && from <= this.place()
  }

  private find(): number {
    return this.parts.context.view.accounts.idOf(this.address)
  }

  private liveOrders(): LiveOrders {
    return new LiveOrders(
      this.parts.context.view,
      this.account,
      (order, lots, fillPrice, late = false) => {
        const fact = {
          type: 'order',
          ...this.described({ ...order }),
          lots,
          fillPrice,
          late,
        } as const
        this.add(fact, late ? order.createdAt : this.atMs)
      },
    )
  }

  private liveTwaps(): LiveTwaps {
    return new LiveTwaps(this.parts.context.view, this.account, (twap, event, status) => {
      this.add({ type: 'twap', twap: { ...twap }, event, status })
    })
  }

  private described(order: LiveOrder) {
    const parentUnreleased =
      order.parent !== null && this.orders.get(order.parent)?.released === false
    return { order, value: this.parts.values.of(order.id), parentUnreleased }
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
