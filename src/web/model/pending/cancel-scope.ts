// Cancels the orders of all markets or of one, of both sides or of one.

import { batchActionsMax } from '../../../protocol/batch-actions.ts'
import type { Trading } from '../account/trading.ts'
import type { Desk } from '../desk.ts'
import { type CancelScope, endingWork } from './cancel-plan.ts'
import { leftText } from './left-orders.ts'
import type { Work } from './work-rows.ts'

type Parts = Pick<Desk, 'account' | 'notices' | 'showTab' | 'trader'> &
  Readonly<{ trading: Trading }>

/** Where the orders are cancelled, such as `in BTC, buys only`. */
export function scopeText({ symbol, side }: CancelScope): string {
  const where = symbol === null ? 'on all markets' : `in ${symbol}`
  return side === null ? where : `${where}, ${side === 'bid' ? 'buys' : 'sells'} only`
}

/** Cancels the orders of a scope. The operations of the exchange leave TWAPs running, so they are
 *  cancelled separately. */
export async function cancelScope(desk: Parts, scope: CancelScope): Promise<void> {
  const { account, notices, trading } = desk
  const { orders, algos, twaps } = account
  const work = { orders: orders.peek(), algos: algos.peek(), twaps: twaps.peek() }
  const ending = endingWork(work, scope)
  const stopped = Promise.all(ending.twaps.map((twap) => trading.cancelTwap(twap)))
  const count = scope.side === null ? await cancelAll(desk, scope) : await cancelEach(desk, ending)
  const ended = (await stopped).filter((done) => done).length
  if (count === null) return
  const more = ending.twaps.length === 0 ? '' : `, and ${ended} of ${ending.twaps.length} TWAPs`
  notices.show({
    kind: 'plain',
    title: 'Orders cancelled',
    text: `${count} ${scopeText(scope)}${more}. ${await leftText(desk)}`,
    link: { label: 'Order history', open: () => desk.showTab('history') },
  })
}

/** Returns the number of cancelled orders; `null` after a failure. */
async function cancelAll({ trading }: Parts, { symbol, sparing }: CancelScope) {
  const wish = { exclude_reduce_only: sparing, all_symbols: symbol === null }
  const body = symbol === null ? wish : { ...wish, symbol }
  const answer = await trading.ask('Cancel all', ({ client }) => client.cancelAllOrders(body))
  return answer?.cancelled_count ?? null
}

/** Cancels one by one, because the exchange cannot cancel the orders of a side together. */
async function cancelEach({ trading }: Parts, { orders, algos }: Work) {
  const children = new Set(algos.map(({ child_order_id }) => child_order_id))
  const ids = [
    ...orders.filter(({ i }) => !children.has(i)).map(({ s, i }) => ({ symbol: s, order_id: i })),
    ...algos.map(({ symbol, order_id }) => ({ symbol, order_id })),
  ]
  let count = 0
  for (let from = 0; from < ids.length; from += batchActionsMax) {
    const actions = ids
      .slice(from, from + batchActionsMax)
      .map((data) => ({ type: 'Cancel' as const, data }))
    const answer = await trading.ask('Cancel', ({ client }) =>
      client.batchOrders({ actions, together: true }),
    )
    if (answer === null) return null
    count += answer.results.filter(({ success }) => success).length
  }
  return count
}
