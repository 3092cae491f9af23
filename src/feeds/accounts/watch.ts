// One account that someone reads, or read a while ago: its orders and TWAPs followed event by
// event, its facts kept for those who come back, and the topics that tell of it.

import type { Sight } from '../sight.ts'
import { Facts, type FactWindow } from './fact-window.ts'
import type { Fact, OrderFact } from './facts.ts'
import type { FillValues } from './fill-values.ts'
import { type LiveOrder, LiveOrders } from './live-orders.ts'
import { LiveTwaps } from './live-twaps.ts'
import type { Owner } from './rows.ts'

export type WatchParts = Readonly<{ sight: Sight; window: FactWindow; values: FillValues }>

/** A topic of the account, as far as it is told what happens. */
export type Telling = Readonly<{
  /** Facts of one command, in order. */
  happened(facts: readonly Fact[], seq: number): void
  /** The state may be another one. */
  changed(): void
}>

export class Watch {
  readonly address: string
  readonly topics = new Set<Telling>()
  readonly facts: Facts
  orders: LiveOrders
  twaps: LiveTwaps
  /** 0: the address has no account yet. */
  account: number
  /** When its last reader left, by the machine's clock; 0: it has readers. */
  idleSince = 0
  private readonly parts: WatchParts
  /** Of the command that is being told. */
  private fresh: Fact[] = []
  private seq = 0
  private atMs = 0

  constructor(address: string, parts: WatchParts) {
    this.address = address
    this.parts = parts
    this.facts = new Facts(parts.sight.seq())
    this.account = this.find()
    this.orders = this.liveOrders()
    this.twaps = this.liveTwaps()
  }

  owner(): Owner {
    return { state: this.parts.sight.state, address: this.address }
  }

  place(): number {
    return this.parts.sight.seq()
  }

  /** The address has an account now; it was empty until here. */
  opened(account: number): void {
    this.account = account
  }

  /** Again from the state, as after a revert. */
  restart(): void {
    this.facts.restart(this.place())
    this.fresh = []
    this.account = this.find()
    this.orders = this.liveOrders()
    this.twaps = this.liveTwaps()
  }

  openOrders(): OrderFact[] {
    const seq = this.place()
    return this.orders.all().map((order) => ({
      type: 'order',
      ...this.described(order),
      lots: 0,
      fillPrice: 0,
      seq,
      atMs: order.updatedAt,
    }))
  }

  /** Begins the events of a command. */
  at(seq: number, atMs: number): this {
    this.seq = seq
    this.atMs = atMs
    return this
  }

  add(fact: DistributiveOmit<Fact, 'seq' | 'atMs'>): void {
    const placed = { ...fact, seq: this.seq, atMs: this.atMs } as Fact
    this.fresh.push(placed)
    this.parts.window.add(this.facts, placed)
  }

  /** The command is over: tells what it did. */
  commandEnded(): void {
    this.orders.commandEnded()
    const facts = this.fresh
    if (facts.length === 0) return
    this.fresh = []
    for (const topic of this.topics) topic.happened(facts, this.seq)
  }

  stateChanged(): void {
    for (const topic of this.topics) topic.changed()
  }

  canResume(from: number): boolean {
    return from >= this.facts.completeAfter && from <= this.place()
  }

  private find(): number {
    return this.parts.sight.state.accounts.byAddress.get(this.address) ?? 0
  }

  private liveOrders(): LiveOrders {
    return new LiveOrders(this.parts.sight.state, this.account, (order, lots, fillPrice) => {
      this.add({ type: 'order', ...this.described({ ...order }), lots, fillPrice })
    })
  }

  private liveTwaps(): LiveTwaps {
    return new LiveTwaps(this.parts.sight.state, this.account, (twap, event, status) => {
      this.add({ type: 'twap', twap: { ...twap }, event, status })
    })
  }

  private described(order: LiveOrder) {
    return { order, value: this.parts.values.of(order.id) }
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
