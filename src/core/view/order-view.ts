// Open orders of accounts, and previews of new ones.

import type { Lots, Ppm, Ticks } from '../../units/units.ts'
import { type Side, sides } from '../../words/order-words.ts'
import { QueuePositions, queueSteps } from '../book/queue-positions.ts'
import type { EditOrder } from '../commands/commands.ts'
import type { OrderId } from '../commands/ids.ts'
import { findRow } from '../margin/position-row.ts'
import { type OrderEntry, orderEntry } from '../previews/order-entry.ts'
import { type Caller, endsAtOwn, largestEdit, type OrderWish } from '../previews/preview-order.ts'
import type { Plan } from '../previews/preview-plan.ts'
import type { State } from '../state/state.ts'
import { type OpenAlgo, type OpenTwap, openAlgos, openTwaps } from './open-algos.ts'
import {
  type OpenOrder,
  openOrders,
  partlyFilled,
  type Trailing,
  trailingStop,
  wholeStop,
} from './open-orders.ts'
import { type OrderPreview, orderPreview, type PlanPreview, planPreview } from './order-preview.ts'
import { isUnreleasedId } from './others/without-waiting.ts'

export type Quotation = Readonly<{ order: OrderId; price: Ticks; remaining: Lots }>

export type OrdersView = Readonly<{
  /** Number of resting and waiting orders of all accounts. */
  count: number
  /** Orders, stops and levels, newest first. */
  openOf(account: number): readonly OpenOrder[]
  /** Counts places in the queues of the book, as of now. `steps`: how many orders are counted
   *  through at most. */
  queues(steps?: number): QueuePositions
  /** Running TWAPs, newest first. */
  twapsOf(account: number): readonly OpenTwap[]
  /** Running algos with resting orders. */
  algosOf(account: number): readonly OpenAlgo[]
  /** The open order of a running algo. */
  childOf(algo: number): OrderId | null
  /** An account's orders on one side of a market, best price first, then oldest. */
  quotationsOf(account: number, market: number, side: Side): readonly Quotation[]
  /** Whether the order rests or waits. False for a stop. */
  isLive(order: number): boolean
  /** Whether the order waits for its first release, or is a level of such an order. Only its owner
   *  may see it. */
  isUnreleased(order: number): boolean
  clientIdOf(order: number): string | null
  /** Lots of an open stop without a set size, or null if it is not such a stop. */
  wholeStopLots(order: number): Lots | null
  /** How an open stop follows the mark, or null if it does not. */
  trailingOf(order: number): Trailing | null
  /** Maximum distance of an open stop's market order from the mark. null: not set. */
  stopSlippageOf(order: number): Ppm | null
  /** Partially filled open orders of all accounts. */
  partlyFilled(): readonly OrderId[]
  /** `leverage`: previews the order as if the account had set this leverage first; 0: the one in
   *  force. `by`: previews it as sent by that agent. */
  preview(wish: OrderWish, leverage?: number, by?: Caller): OrderPreview
  previewPlan(plan: Plan, leverage?: number, by?: Caller): PlanPreview
  /** The largest size to which this edit would be accepted now, or 0. */
  largestEdit(command: EditOrder): Lots
  /** Whether the order would yield to an order of its owner before it took anything (ORDER-15). */
  endsAtOwn(wish: OrderWish): boolean
  /** The values of the margin check that rejects the order, or null if it does not reject it
   *  (MARGIN-4). */
  entryOf(command: OrderWish | EditOrder): OrderEntry | null
}>

export class Orders implements OrdersView {
  private readonly state: State

  constructor(state: State) {
    this.state = state
  }

  get count(): number {
    return this.state.orders.count
  }

  openOf(account: number): readonly OpenOrder[] {
    return openOrders(this.state, account)
  }

  queues(steps = queueSteps): QueuePositions {
    return new QueuePositions(this.state, steps)
  }

  algosOf(account: number): readonly OpenAlgo[] {
    return openAlgos(this.state, account)
  }

  childOf(algo: number): OrderId | null {
    return (this.state.algos.get(algo)?.orders[0] ?? null) as OrderId | null
  }

  twapsOf(account: number): readonly OpenTwap[] {
    return openTwaps(this.state, account)
  }

  quotationsOf(account: number, market: number, side: Side): readonly Quotation[] {
    const { orders, positions, markets } = this.state
    const found: Quotation[] = []
    const row = findRow(markets[market]!, account)
    const wanted = sides.indexOf(side)
    for (let slot = positions.ordersHead[row]!; slot !== 0; slot = orders.rowNext(slot))
      if (orders.side(slot) === wanted)
        found.push({
          order: orders.id(slot) as OrderId,
          price: orders.price(slot) as Ticks,
          remaining: orders.remaining(slot) as Lots,
        })
    const sign = side === 'bid' ? -1 : 1
    return found.sort((one, other) => (one.price - other.price) * sign || one.order - other.order)
  }

  isLive(order: number): boolean {
    return this.state.orders.slotOf(order) !== 0
  }

  isUnreleased(order: number): boolean {
    return isUnreleasedId(this.state, order)
  }

  clientIdOf(order: number): string | null {
    return this.state.clientIds.get(order) ?? null
  }

  wholeStopLots(order: number): Lots | null {
    return wholeStop(this.state, order) as Lots | null
  }

  trailingOf(order: number): Trailing | null {
    return trailingStop(this.state, order)
  }

  stopSlippageOf(order: number): Ppm | null {
    return (this.state.triggers.get(order)?.slippagePpm ?? null) as Ppm | null
  }

  partlyFilled(): readonly OrderId[] {
    return partlyFilled(this.state)
  }

  preview(wish: OrderWish, leverage = 0, by?: Caller): OrderPreview {
    return orderPreview(this.state, wish, leverage, by)
  }

  previewPlan(plan: Plan, leverage = 0, by?: Caller): PlanPreview {
    return planPreview(this.state, plan, leverage, by)
  }

  largestEdit(command: EditOrder): Lots {
    return largestEdit(this.state, command) as Lots
  }

  endsAtOwn(wish: OrderWish): boolean {
    return endsAtOwn(this.state, wish)
  }

  entryOf(command: OrderWish | EditOrder): OrderEntry | null {
    return orderEntry(this.state, command)
  }
}
