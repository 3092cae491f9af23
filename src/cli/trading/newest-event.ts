// What an order has become.

import type { Client } from '../../client/client.ts'
import { asked } from '../connection.ts'

export async function newestOf(call: Parameters<typeof asked>[0], client: Client, orderId: number) {
  const events = await asked(call, client.getOrderEvents({ order_id: orderId }))
  return events.reduce((one, other) => (other.history_id > one.history_id ? other : one))
}
