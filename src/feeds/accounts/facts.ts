// Events of an account, kept for a while for readers that reconnect. Facts are self-contained,
// because their subject may have ended since.

import type { FillRow } from '../../projections/history/history.ts'
import type { ChannelName } from '../../protocol/streams/channels.ts'
import { isEnded, type LiveOrder } from './live-order.ts'
import type { LiveTwap } from './live-twaps.ts'

export type Place = Readonly<{ seq: number; atMs: number }>

/** What its steps do not report. */
type Unreported = 'released' | 'isWhole' | 'armed' | 'slippagePpm' | 'placedAs' | 'updatedAt'

/** A step in the life of an order, with the order as it was after it. */
export type OrderFact = Place &
  Readonly<{
    type: 'order'
    order: Readonly<Omit<LiveOrder, Unreported>> & { released: boolean }
    /** Micro-dollars of its fills. */
    value: number
    /** Lots placed, filled or cancelled by this step; 0 for the later steps of a stop. */
    lots: number
    /** Price of the fill in ticks; 0 if this step is not a fill. */
    fillPrice: number
    /** The order that it came with or from is not released. */
    parentUnreleased: boolean
    /** The placing of an order, published to others at its release; its owner got it earlier. */
    late: boolean
  }>

/** An open order, as a list of them has it. */
export type OpenOrderFact = OrderFact & Readonly<{ order: Readonly<LiveOrder> }>

/** As in history, but the counterparty is an account id, and the owner the account. */
export type FillFact = Readonly<{ type: 'fill'; counterparty: number }> &
  Omit<FillRow, 'account' | 'counterparty'>

export type TwapFact = Place &
  Readonly<{ type: 'twap'; twap: Readonly<LiveTwap>; event: string; status: string }>

/** A fact of one channel, which made it from an event and knows its content. */
export type ChannelFact = Place &
  Readonly<{ type: 'channel'; channel: ChannelName; content: unknown }>

export type Fact = OrderFact | FillFact | TwapFact | ChannelFact

/** The facts of each command, in order. */
export function* commandsOf<F extends Fact>(facts: readonly F[]): Iterable<readonly F[]> {
  for (let from = 0; from < facts.length; ) {
    const { seq } = facts[from]!
    let to = from + 1
    while (to < facts.length && facts[to]!.seq === seq) to += 1
    yield facts.slice(from, to)
    from = to
  }
}

/** An order that was placed and ended by one command, and was never released, is the owner's: its
 *  placing was added before that was known. */
export function hideUnreleased(facts: readonly Fact[]): void {
  const ended = new Set<number>()
  for (const fact of facts)
    if (fact.type === 'order' && isEnded(fact.order) && !fact.order.released)
      ended.add(fact.order.id)
  if (ended.size === 0) return
  for (const fact of facts)
    if (fact.type === 'order' && ended.has(fact.order.id)) fact.order.released = false
}
