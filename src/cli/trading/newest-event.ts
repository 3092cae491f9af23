// The newest state of an order.

import type { Client } from '../../client/client.ts'
import { replyTo } from '../connection.ts'

/** Taking orders wait at the speed bump; time for which the outcome is awaited. */
const lookMs = 100
const looksMax = 15

export async function newestOf(
  call: Parameters<typeof replyTo>[0],
  client: Client,
  orderId: number,
) {
  const events = await replyTo(call, client.getOrderEvents({ order_id: orderId }))
  return events.reduce((one, other) => (other.history_id > one.history_id ? other : one))
}

/** How an order that does not rest ended, if it ends in time. */
export async function endedOf(
  call: Parameters<typeof replyTo>[0],
  client: Client,
  orderId: number,
) {
  for (let look = 0; look < looksMax; look++) {
    const newest = await newestOf(call, client, orderId)
    if (newest.order_status !== 'open') return newest
    await new Promise((done) => setTimeout(done, lookMs))
  }
  return null
}
