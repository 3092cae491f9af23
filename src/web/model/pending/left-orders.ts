// Describes the orders that remain after all were cancelled, as reported by the exchange.

import type { Desk } from '../desk.ts'
import type { OpenOrder, OpenTwap } from '../wire.ts'
import { countsOf, countsText } from './cancel-plan.ts'

/** Text about the remaining orders; empty if the exchange does not answer. */
export async function leftText({ trader }: Pick<Desk, 'trader'>): Promise<string> {
  const client = trader.peek()?.client
  if (client === undefined) return ''
  try {
    const [orders, algos, twaps] = await Promise.all([
      client.getOpenOrders(),
      client.getAlgoOrders(),
      client.getTwapOrders(),
    ])
    const left = countsText(
      countsOf({
        orders: orders.rows.map((row) => ({ i: row.order_id, ot: row.order_type }) as OpenOrder),
        algos,
        twaps: twaps as readonly OpenTwap[],
      }),
    )
    return left === '' ? 'Nothing is left.' : `Left: ${left}.`
  } catch {
    // The notice describes what was cancelled. The tables show what is left once the connection is
    // back.
    return ''
  }
}
