// Sends the order of the ticket; each kind has its own request.

import { ApiRefusal } from '../../../client/errors.ts'
import { type Objection, previewOrder } from '../ticket/order-preview.ts'
import type { Request, ScaleBody } from '../ticket/order-request.ts'
import type { PreviewRequest } from '../wire.ts'
import { sentence } from '../words/sentence.ts'
import type { Trader } from './trader.ts'

export type Placed = Readonly<{
  /** Id of the order, or of the first of several orders. */
  orderId: number
  /** Number of accepted orders. */
  count: number
  /** Why some of several orders were refused; `null` if all were accepted. */
  refused: string | null
}>

export async function place(trader: Trader, { kind, body }: Request): Promise<Placed> {
  const { client } = trader
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
      return placeScale(trader, body)
    default:
      return idOf(await client.createStopOrder(body))
  }
}

const idOf = ({ order_id }: { order_id: number }): Placed => ({
  orderId: order_id,
  count: 1,
  refused: null,
})

/** Message of a post-only order that was cancelled, for which there is only one reason. */
const wouldTake = 'the post-only order would have traded immediately'

/** Previews a scale. If one of its orders would be refused, none is sent. */
async function askFirst({ client, address, agent }: Trader, body: ScaleBody): Promise<void> {
  const signed = agent === null ? {} : { agent_wallet: agent }
  const ask = (wish: PreviewRequest) => client.previewOrder({ ...wish, ...signed })
  const context = { account: address, mark: body.average, ask }
  const { objection } = await previewOrder({ kind: 'scale', body }, context)
  if (objection === null) return
  const { code, message, rung } = objection
  throw new ApiRefusal(message, { status: 422, code, retryAfter: null, details: { rung } })
}

/** Converts a refusal to an objection. For a scale, `rung` is the order that was refused. */
export function objectionIn({ code, message, details }: ApiRefusal): Objection {
  const { rung } = (details ?? {}) as Pick<Objection, 'rung'>
  return rung === undefined ? { code, message } : { code, message, rung }
}

/** Places a scale with one signature. Each order is checked separately; if none was accepted, the
 *  first refusal is thrown. */
async function placeScale(trader: Trader, body: ScaleBody): Promise<Placed> {
  await askFirst(trader, body)
  const { client } = trader
  const { orders } = body
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
  return { orderId, count: accepted.length, refused }
}
