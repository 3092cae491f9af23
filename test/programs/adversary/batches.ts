// Several actions of a ring's member in one command: no other command comes between them.

import {
  type OrderPlan,
  orderCommand,
  type Plain,
  takingCommand,
} from '../../support/venue/commands.ts'
import type { Venue } from '../../support/venue/venue.ts'
import type { Act } from './script.ts'

export function batchOf(venue: Venue, act: Act, account: number, aim: OrderPlan): Plain {
  return { type: 'Batch', account, actions: actionsOf(venue, act, account, aim).slice(0, 10) }
}

function actionsOf(venue: Venue, act: Act, account: number, aim: OrderPlan): readonly Plain[] {
  const { market, lots, price } = aim
  const own = { account, proof: null, market }
  const resting = (['bid', 'ask'] as const).flatMap((side) =>
    venue.view.orders.quotationsOf(account, market, side),
  )
  const cancels = resting
    .slice(0, 4)
    .map(({ order }) => ({ type: 'CancelOrder' as const, ...own, order, clientOrderId: null }))
  const bid = { ...aim, price: price - 1 }
  const ask = { ...aim, price: price + 1, lots: -lots }
  switch (act) {
    case 'batch-quote':
      return [...cancels, orderCommand(account, bid), orderCommand(account, ask)]
    case 'batch-turn':
      return [
        orderCommand(account, { ...aim, tif: 'IOC' }),
        { type: 'SetPositionTpsl', ...own, side: 'bid', stopLoss: levelAt(price - 1) },
        takingCommand(account, { market, lots: -Math.ceil(lots / 2), reduceOnly: true }),
        ...cancels,
      ]
    default: {
      const edits = resting.slice(0, 2).map(({ order }) => {
        const to = { order, clientOrderId: null, price, size: lots }
        return { type: 'EditOrder' as const, ...own, ...to }
      })
      return [orderCommand(account, bid), ...edits, orderCommand(account, { ...ask, tif: 'IOC' })]
    }
  }
}

function levelAt(stopPrice: number) {
  return { stopPrice, limitPrice: null, size: null, triggerBy: 'mark', clientOrderId: null }
}
