// Topics of one account. What happens is told at once, one frame per command and channel; states
// are told when a batch changed them. Nothing is ever left out here: a reader that is too slow is
// the gateway's to close.

import { type Told, Topic } from '../topic.ts'
import type { Fact, OrderFact } from './facts.ts'
import type { RowOf } from './rows.ts'
import type { Telling, Watch } from './watch.ts'

type Row = Readonly<Record<string, unknown>>

export abstract class AccountTopic extends Topic implements Telling {
  readonly watch: Watch

  constructor(key: string, watch: Watch) {
    super(key)
    this.watch = watch
  }

  /** Facts after this place. */
  missedSince(seq: number): Fact[] {
    return this.watch.facts.after(seq)
  }

  happened(_facts: readonly Fact[], _li: number): void {}

  changed(): void {}

  /** What these facts are in this channel, as frames. */
  replay(_facts: readonly Fact[]): Told[] {
    return []
  }

  reverted(): void {}

  protected place(): number {
    return this.watch.place()
  }
}

/** `each`: every row is a frame of its own. */
export type EventChannel = Readonly<{ rowOf: RowOf; each?: true }>

export class EventsTopic extends AccountTopic {
  private readonly channel: EventChannel

  constructor(key: string, watch: Watch, channel: EventChannel) {
    super(key, watch)
    this.channel = channel
  }

  override happened(facts: readonly Fact[], li: number): void {
    if (!this.isRead) return
    for (const told of this.framesOf(facts, li)) this.tellNow(told)
  }

  override replay(facts: readonly Fact[]): Told[] {
    const frames: Told[] = []
    for (let from = 0; from < facts.length; ) {
      const { seq } = facts[from]!
      let to = from + 1
      while (to < facts.length && facts[to]!.seq === seq) to += 1
      frames.push(...this.framesOf(facts.slice(from, to), seq))
      from = to
    }
    return frames
  }

  first(): Told | null {
    return null
  }

  private framesOf(facts: readonly Fact[], li: number): Told[] {
    const owner = this.watch.owner()
    const rows: Row[] = []
    for (const fact of facts) {
      const row = this.channel.rowOf(owner, fact)
      if (row !== null) rows.push(row)
    }
    if (this.channel.each) return rows.map((row) => ({ data: JSON.stringify(row), li }))
    return rows.length === 0 ? [] : [{ data: JSON.stringify(rows), li }]
  }
}

/** All open orders first, then what happens to them. */
export class OrdersTopic extends EventsTopic {
  private readonly open: RowOf

  constructor(key: string, watch: Watch, channel: EventChannel) {
    super(key, watch, channel)
    this.open = channel.rowOf
  }

  override first(): Told {
    const owner = this.watch.owner()
    const rows = this.watch.openOrders().map((fact: OrderFact) => this.open(owner, fact))
    return { data: JSON.stringify(rows), li: this.place() }
  }
}

/** A list or an object without time and place, which are then added to each row. */
export type StateOf = (watch: Watch) => Row | readonly Row[]

export class StateTopic extends AccountTopic {
  private readonly of: StateOf
  private readonly stamps: boolean
  private shown = ''

  constructor(key: string, watch: Watch, of: StateOf, stamps: boolean) {
    super(key, watch)
    this.of = of
    this.stamps = stamps
  }

  override changed(): void {
    if (!this.isRead) return
    const now = this.of(this.watch)
    const text = JSON.stringify(now)
    if (text === this.shown) return
    this.shown = text
    this.tellNow(this.told(now))
  }

  first(): Told {
    const now = this.of(this.watch)
    this.shown = JSON.stringify(now)
    return this.told(now)
  }

  private told(now: Row | readonly Row[]): Told {
    const li = this.place()
    if (!this.stamps) return { data: JSON.stringify(now), li }
    const stamp = { t: this.watch.owner().state.atMs, li }
    const stamped = Array.isArray(now)
      ? now.map((row: Row) => ({ ...row, ...stamp }))
      : { ...now, ...stamp }
    return { data: JSON.stringify(stamped), li }
  }
}
