import { forgetClientId, rememberClientId } from '../../../src/core/drafts/client-ids.ts'
import { Draft } from '../../../src/core/drafts/draft.ts'
import { endOrder, reduceOrder, restOrder, waitFor } from '../../../src/core/orders/order-life.ts'
import { enterOrder } from '../../../src/core/orders/run-order.ts'
import { ARRIVING, NO_END } from '../../../src/core/pools/order-pool.ts'
import { SOL } from '../scene.ts'
import type { Rows, World } from './world.ts'

/** The order that waits for the end of its speed bump. */
function waiting({ state }: World): number {
  return state.orders.slotOf(state.markets[SOL]!.waiting.all()[0]!)
}

/** The lists of orders of rows, and the slots. */
const poolRows: Rows = {
  'a free slot has an order': ({ state: { orders } }) => {
    orders.free = 1
    orders.take(1_000)
  },
  'a slot is freed twice': (w) => {
    const slot = w.slot(59_800)
    w.cancel('C', slot)
    w.state.orders.release(slot)
  },
  'a row without orders loses one, row': (w) => {
    w.state.positions.orderCount[w.row('C')] = 0
    w.cancel('C', w.slot(59_800))
  },
  'a row without reduce-only orders loses one, row': (w) => {
    w.state.positions.reduceOnlyCount[w.row('A')] = 0
    w.cancel('A', w.slot(60_300))
  },
  'an account without orders loses one, account': (w) => {
    w.state.accounts.openCount[w.ids.C!] = 0
    w.cancel('C', w.slot(59_800))
  },
  'less than no lots are open on a side of a row': (w) => {
    w.state.positions.buys[w.row('C')] = 1
    w.cancel('C', w.slot(59_800))
  },
  'open orders have an entry loss below zero': (w) => {
    w.state.orders.setLossTicks(w.slot(59_800), 5)
    w.cancel('C', w.slot(59_800))
  },
}

/** An order of D as the engine enters it. */
function enter({ state, log, btc, ids }: World, change: Partial<Draft>): void {
  const draft = new Draft()
  const whose = { market: btc, account: ids.D!, row: btc.rowOf[ids.D!]! }
  enterOrder(state, log, Object.assign(draft, whose, { size: 1, price: 1 }, change))
}

/** As an edit that keeps the place of an order. */
function takePlace({ state, log, btc }: World, slot: number, level: number, before: number): void {
  state.orders.setStage(slot, ARRIVING)
  restOrder(state, log, btc, slot, level, before)
}

/** How an order goes from one stage to the next, and how it ends. */
const lifeRows: Rows = {
  'an order of no lots is entered, lots': (w) => enter(w, { size: 0 }),
  'an order at no price is entered, ticks': (w) => enter(w, { price: 0 }),
  'an order is entered in the row of another account': (w) => enter(w, { row: w.row('C') }),
  'an order rests that was not arriving, stage': (w) =>
    restOrder(w.state, w.log, w.btc, w.slot(59_800)),
  'an order rests across the book at': (w) => {
    const { asks } = w.btc
    const best = asks.bestPrice
    asks.bestPrice = 0
    w.state.orders.setStage(w.slot(59_800), ARRIVING)
    w.state.orders.setPrice(w.slot(59_800), best)
    asks.bestPrice = best
    restOrder(w.state, w.log, w.btc, w.slot(59_800))
  },
  'an order rests at the price of another level, its price is': (w) =>
    takePlace(w, w.slot(59_800), w.level(59_900), 0),
  'an order rests behind one of another level': (w) =>
    takePlace(w, w.slot(59_900), w.level(59_900), w.slot(59_800)),
  'an order waits that rests': (w) => waitFor(w.state, w.btc, w.slot(59_800), 1, NO_END),
  'an order waits for nothing': (w) => {
    const slot = waiting(w)
    w.state.markets[SOL]!.waiting.delete(w.state.orders.id(slot))
    w.cancel('A', slot, SOL)
  },
  'an order ends as filled with lots left': (w) => endOrder(w.state, w.log, w.slot(59_800)),
  'an order without lots is cancelled, it has': (w) => {
    w.state.orders.setRemaining(w.slot(59_800), 0)
    w.cancel('C', w.slot(59_800))
  },
  'an order is cut by less than a lot': (w) =>
    reduceOrder(w.state, w.log, w.slot(60_300), w.state.orders.remaining(w.slot(60_300))),
  'an order is cut to less than a lot': (w) => reduceOrder(w.state, w.log, w.slot(60_300), 0),
  'an order has more lots than its size': (w) => {
    w.state.orders.setSize(w.slot(60_300), 200)
    reduceOrder(w.state, w.log, w.slot(60_300), 100)
  },
  'a row has no protected orders, row': (w) => {
    w.state.protectedOrders.clear()
    w.cancel('C', w.slot(59_700))
  },
  'an order is not among the protected ones of its row': (w) => {
    w.state.protectedOrders.get(w.row('C'))!.clear()
    w.cancel('C', w.slot(59_700))
  },
}

const clientIdRows: Rows = {
  'a client id names another order already': (w) => {
    const order = w.state.orders.id(w.slot(59_900))
    rememberClientId(w.state, w.ids.A!, order, 'MINE')
  },
  'an order has no client id': (w) => forgetClientId(w.state, w.ids.A!, 1_000_000),
  'a client id does not name its order': (w) => {
    const slot = w.state.orders.levelNext(w.slot(59_900))
    w.state.accounts.records[w.ids.A!]!.clientIds!.set('mine', 1)
    w.cancel('A', slot)
  },
}

/** src/core/orders/ */
export const orderRows: Rows = { ...poolRows, ...lifeRows, ...clientIdRows }
