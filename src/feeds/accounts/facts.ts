// Events of an account, kept for a while for readers that reconnect. Facts are self-contained,
// because the order that they concern may no longer exist.

import type { FillRow } from '../../projections/history/history.ts'
import type { ChannelName } from '../../protocol/streams/channels.ts'
import { isEnded, type LiveOrder } from './live-order.ts'
import type { LiveTwap } from './live-twaps.ts'

export type Place = Readonly<{ seq: number; atMs: number }>

/** Fields of an open order that its steps do not report. */
type Unreported = 'released' | 'isWhole' | 'armed' | 'slippagePpm' | 'placedAs' | 'updatedAt'

/** A step of an order, with the order as of that step. */
export type OrderFact = Place &
  Readonly<{
    type: 'order'
    order: Readonly<Omit<LiveOrder, Unreported>> & { released: boolean }
    /** Value of its fills, in micro-dollars. */
    value: number
    /** Lots placed, filled or cancelled by this step; 0 for the later steps of a stop. */
    lots: number
    /** Price of the fill in ticks; 0 if this step is not a fill. */
    fillPrice: number
    /** Whether the order that this one is linked to has not been released. */
    parentUnreleased: boolean
    /** A delayed placement, published to other readers at the order's release. The owner received
     *  it earlier. */
    late: boolean
  }>

/** An open order, as a row of a list. */
export type OpenOrderFact = OrderFact & Readonly<{ order: Readonly<LiveOrder> }>

/** A fill as in history, but with the id of the counterparty's account and without the owner. */
export type FillFact = Readonly<{ type: 'fill'; counterparty: number }> &
  Omit<FillRow, 'account' | 'counterparty'>

export type TwapFact = Place &
  Readonly<{ type: 'twap'; twap: Readonly<LiveTwap>; event: string; status: string }>

/** A fact of a single channel, which defines its content. */
export type ChannelFact = Place &
  Readonly<{ type: 'channel'; channel: ChannelName; content: unknown }>

export type Fact = OrderFact | FillFact | TwapFact | ChannelFact

/** Groups facts by command, in order. */
export function* commandsOf<F extends Fact>(facts: readonly F[]): Iterable<readonly F[]> {
  for (let from = 0; from < facts.length; ) {
    const { seq } = facts[from]!
    let to = from + 1
    while (to < facts.length && facts[to]!.seq === seq) to += 1
    yield facts.slice(from, to)
    from = to
  }
}

/** Marks orders that one command placed and ended without releasing them as visible to their owner
 *  only. When their placement was recorded, this was not known yet. */
export function hideUnreleased(facts: readonly Fact[]): void {
  const ended = new Set<number>()
  for (const fact of facts)
    if (fact.type === 'order' && isEnded(fact.order) && !fact.order.released)
      ended.add(fact.order.id)
  if (ended.size === 0) return
  for (const fact of facts)
    if (fact.type === 'order' && ended.has(fact.order.id)) fact.order.released = false
}
