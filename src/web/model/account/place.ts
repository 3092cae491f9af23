// Sends what the ticket asks for, each kind by its own request.

import type { Client } from '../../../client/client.ts'
import { ApiRefusal } from '../../../client/errors.ts'
import type { Request, ScaleBody } from '../ticket/order-request.ts'
import { sentence } from '../words/sentence.ts'
import type { Trader } from './trader.ts'

export type Placed = Readonly<{
  /** Of several the first. */
  orderId: number
  /** Why some of several orders were not accepted; null: all were. */
  refused: string | null
}>

export async function place({ client }: Trader, { kind, body }: Request): Promise<Placed> {
  switch (kind) {
    case 'limit':
      return idOf(await client.createOrder(body))
    case 'market':
      return idOf(await client.createMarketOrder(body))
    case 'twap':
      return idOf(await client.createTwapOrder(body))
    case 'iceberg':
      return idOf(await client.createIcebergOrder(body))
    case 'chase':
      return idOf(await client.createChaseOrder(body))
    case 'oco': {
      const { order_ids } = await client.createOcoOrder(body)
      return idOf({ order_id: order_ids[0]! })
    }
    case 'scale':
      return placeScale(client, body)
    default:
      return idOf(await client.createStopOrder(body))
  }
}

const idOf = ({ order_id }: { order_id: number }): Placed => ({ orderId: order_id, refused: null })

/** An order that may only rest has no other reason. */
const wouldTake = 'the price of a post-only order would have taken at once'

/** One signature for all of them. Each is judged by itself: where none was accepted the first
 *  refusal is that of the whole. */
async function placeScale(client: Client, { orders }: ScaleBody): Promise<Placed> {
  const actions = orders.map((data) => ({ type: 'Create' as const, data }))
  const { results } = await client.batchOrders({ actions, together: true })
  const isPlaced = ({ success, order_status }: (typeof results)[number]) =>
    success && order_status !== 'rejected'
  const accepted = results.filter(isPlaced)
  const missed = results.find((result) => !isPlaced(result))
  const error = missed === undefined ? null : (missed.error ?? wouldTake)
  const orderId = accepted[0]?.order_id ?? null
  if (orderId === null)
    throw new ApiRefusal(error ?? 'no order was accepted', {
      status: 422,
      code: 0,
      retryAfter: null,
      details: { results },
    })
  const refused =
    error === null ? null : `${accepted.length} of ${orders.length}: ${sentence(error)}`
  return { orderId, refused }
}
