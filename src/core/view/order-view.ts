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
  type StopRun,
  stopRun,
  type Trailing,
  trailingStop,
  wholeStop,
} from './open-orders.ts'
import { type OrderPreview, orderPreview, type PlanPreview, planPreview } from './order-preview.ts'
import { isUnreleasedId } from './others/without-waiting.ts'

export type Quotation = Readonly<{ order: OrderId; price: Ticks; remaining: Lots }>

export class Orders {
  private readonly state: State

  constructor(state: State) {
    this.state = state
  }

  /** Number of resting and waiting orders of all accounts. */
  get count(): number {
    return this.state.orders.count
  }

  /** Orders, stops and levels, newest first. */
  openOf(account: number): readonly OpenOrder[] {
    return openOrders(this.state, account)
  }

  /** Counts places in the queues of the book, as of now. `steps`: how many orders are counted
   *  through at most. */
  queues(steps = queueSteps): Readonly<QueuePositions> {
    return new QueuePositions(this.state, steps)
  }

  /** Running algos with resting orders. */
  algosOf(account: number): readonly OpenAlgo[] {
    return openAlgos(this.state, account)
  }

  /** The open order of a running algo. */
  childOf(algo: number): OrderId | null {
    return (this.state.algos.get(algo)?.orders[0] ?? null) as OrderId | null
  }

  /** Running TWAPs, newest first. */
  twapsOf(account: number): readonly OpenTwap[] {
    return openTwaps(this.state, account)
  }

  /** An account's orders on one side of a market, best price first, then oldest. */
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

  /** Whether the order rests or waits. False for a stop. */
  isLive(order: number): boolean {
    return this.state.orders.slotOf(order) !== 0
  }

  /** Whether the order waits for its first release, or is a level of such an order. Only its owner
   *  may see it. */
  isUnreleased(order: number): boolean {
    return isUnreleasedId(this.state, order)
  }

  clientIdOf(order: number): string | null {
    return this.state.clientIds.get(order) ?? null
  }

  /** Lots of an open stop without a set size, or null if it is not such a stop. */
  wholeStopLots(order: number): Lots | null {
    return wholeStop(this.state, order) as Lots | null
  }

  /** How an open stop follows the mark, or null if it does not. */
  trailingOf(order: number): Trailing | null {
    return trailingStop(this.state, order)
  }

  /** The order of a fired stop that executes until its position is closed; null for another. */
  stopRunOf(order: number): StopRun | null {
    return stopRun(this.state, order)
  }

  /** Maximum distance of an open stop's market order from the mark. null: not set. */
  stopSlippageOf(order: number): Ppm | null {
    return (this.state.triggers.get(order)?.slippagePpm ?? null) as Ppm | null
  }

  /** Partially filled open orders of all accounts. */
  partlyFilled(): readonly OrderId[] {
    return partlyFilled(this.state)
  }

  /** `leverage`: previews the order as if the account had set this leverage first; 0: the one in
   *  force. `by`: previews it as sent by that agent. */
  preview(wish: OrderWish, leverage = 0, by?: Caller): OrderPreview {
    return orderPreview(this.state, wish, leverage, by)
  }

  previewPlan(plan: Plan, leverage = 0, by?: Caller): PlanPreview {
    return planPreview(this.state, plan, leverage, by)
  }

  /** The largest size to which this edit would be accepted now, or 0. */
  largestEdit(command: EditOrder): Lots {
    return largestEdit(this.state, command) as Lots
  }

  /** Whether the order would yield to an order of its owner before it took anything (ORDER-15). */
  endsAtOwn(wish: OrderWish): boolean {
    return endsAtOwn(this.state, wish)
  }

  /** The values of the margin check that rejects the order, or null if it does not reject it
   *  (MARGIN-4). */
  entryOf(command: OrderWish | EditOrder): OrderEntry | null {
    return orderEntry(this.state, command)
  }
}

export type OrdersView = Readonly<Orders>
