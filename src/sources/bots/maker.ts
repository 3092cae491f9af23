// Changes a maker's orders into the desired quotes with as few actions as possible. A quote is kept
// while an order is near it. Actions away from the middle are separate from actions towards it, so
// that all makers can retreat before one advances. Otherwise a price move would match their new
// quotes with each other's old ones.

import type {
  AccountId,
  BatchAction,
  Command,
  ExchangeView,
  MarketId,
  OrderId,
  Quotation,
} from '../../core/index.ts'
import { mulDivFloor } from '../../units/rounding.ts'
import type { Lots, Ticks } from '../../units/units.ts'
import type { RandomStream } from '../random.ts'
import { type Rung, rungsOf, type Stand } from './ladder.ts'

/** An order with less than this percentage of its desired size is replaced. */
const refreshPercent = 35

export type Moves = { retreats: BatchAction[]; advances: BatchAction[] }

export function makerMoves(
  view: ExchangeView,
  stand: Stand,
  account: number,
  random: RandomStream,
): Moves {
  const moves: Moves = { retreats: [], advances: [] }
  for (const side of [0, 1] as const) {
    const rungs = rungsOf(stand, side)
    const live = view.orders.quotationsOf(account, stand.market.id, side === 0 ? 'bid' : 'ask')
    const owner = { account: account as AccountId, market: stand.market.id as MarketId }
    planSide({ owner, side, rungs, live, random, moves })
  }
  return moves
}

type Side = Readonly<{
  owner: Readonly<{ account: AccountId; market: MarketId }>
  side: 0 | 1
  rungs: readonly Rung[]
  live: readonly Quotation[]
  random: RandomStream
  moves: Moves
}>

function planSide(plan: Side): void {
  const { rungs, moves } = plan
  const free = new Set(plan.live)
  const bare: Rung[] = []
  for (const rung of rungs) {
    const near = nearest(free, rung)
    if (near === undefined) {
      bare.push(rung)
      continue
    }
    free.delete(near)
    if (near.remaining * 100 < rung.lots * refreshPercent) change(plan, near, rung)
  }
  const spare = [...free]
  for (const [at, rung] of bare.entries()) {
    const order = spare[at]
    if (order !== undefined) change(plan, order, rung)
    else moves.advances.push(placing(plan, rung))
  }
  for (const { order } of spare.slice(bare.length))
    moves.retreats.push({
      type: 'CancelOrder',
      ...plan.owner,
      proof: null,
      order: order as OrderId,
      clientOrderId: null,
    })
}

function nearest(
  orders: ReadonlySet<Quotation>,
  { price, tolerance }: Rung,
): Quotation | undefined {
  let best: Quotation | undefined
  for (const order of orders) {
    const distance = Math.abs(order.price - price)
    if (distance > tolerance) continue
    if (best === undefined || distance < Math.abs(best.price - price)) best = order
  }
  return best
}

function change(plan: Side, { order, price }: Quotation, rung: Rung): void {
  const { owner, side, moves } = plan
  const edit: BatchAction = {
    type: 'EditOrder',
    ...owner,
    proof: null,
    order: order as OrderId,
    clientOrderId: null,
    price: rung.price as Ticks,
    size: variedLots(plan, rung),
  }
  const isBack = side === 0 ? rung.price < price : rung.price > price
  if (isBack) moves.retreats.push(edit)
  else moves.advances.push(edit)
}

function placing(plan: Side, rung: Rung): BatchAction {
  return {
    type: 'PlaceOrder',
    ...plan.owner,
    proof: null,
    side: plan.side === 0 ? 'bid' : 'ask',
    price: rung.price as Ticks,
    size: variedLots(plan, rung),
    tif: 'ALO',
    reduceOnly: false,
    clientOrderId: null,
    takeProfit: null,
    stopLoss: null,
  }
}

/** Random size between the quote's lots and 1.5 times that. */
function variedLots({ random }: Side, { lots }: Rung): Lots {
  return mulDivFloor(lots, 100 + random.below(51), 100) as Lots
}

/** Groups one account's actions into as few commands as possible. None of the actions waits at the
 *  speed bump. */
export function commandsOf(actions: readonly BatchAction[], most: number): Command[] {
  const [only] = actions
  if (actions.length === 1 && only!.type !== 'Quote') return [only!]
  const commands: Command[] = []
  for (let from = 0; from < actions.length; from += most) {
    const part = actions.slice(from, from + most)
    commands.push({ type: 'Batch', account: part[0]!.account, actions: part })
  }
  return commands
}
