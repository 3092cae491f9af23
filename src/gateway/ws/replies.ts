// What the websocket says that is not of a channel: acknowledgements, errors, and the replies to
// trading requests in the short words of this transport.

import type { ApiError } from '../api-error.ts'
import type { CreditsLeft } from '../door.ts'
import type { Exchange } from '../exchange.ts'
import type { Params } from './wanted.ts'

export type RequestId = string | number

const withId = (id: RequestId | null) => (id === null ? {} : { id })

/** Its code stands inside, so that no client takes it for the reply to a request. */
export function errorFrame(error: ApiError, params: unknown, id: RequestId | null) {
  const { message, code } = error
  return { channel: 'error', ...withId(id), data: { error: message, code, params } }
}

export type Acknowledged = 'subscribe' | 'unsubscribe'

/** `resumed` null: it was not asked for. */
type Place = Readonly<{ li: number; resumed: boolean | null; id: RequestId | null }>

/** The params stand twice: existing clients look for them in `data.data`. Everything after `li` is
 *  told from now on. */
export function acknowledgement(channel: Acknowledged, params: Params, { li, resumed, id }: Place) {
  const more = resumed === null ? {} : { resumed }
  return { channel, ...withId(id), data: { ...params, ...more, data: params }, li }
}

type Replied = Readonly<{ id: RequestId; type: string; t: number; rl: CreditsLeft | null }>

export function reply({ id, type, t, rl }: Replied, data: unknown) {
  return { id, type, code: 200, data, t, rl }
}

/** The engine's own code where a rule refused, whatever HTTP would have answered. Existing clients
 *  show `data` and nothing else of a refusal. */
export function refusal({ id, type, t, rl }: Replied, error: ApiError) {
  const { message, engineCode, status } = error
  const code = engineCode === 0 ? status : engineCode
  return { id, type, code, err: message, error: message, data: { error: message }, t, rl }
}

type Row = Readonly<Record<string, unknown>>
type Asked = Readonly<{ exchange: Exchange; body: Row; answer: Row | null }>

const orderData = (i: unknown, I: unknown, { body }: Asked) => ({
  i: i ?? null,
  I: I ?? null,
  s: body.symbol,
})

const byRef = (asked: Asked) => orderData(asked.body.order_id, asked.body.client_order_id, asked)

/** The `data` of each operation's reply, from what REST would answer. */
export const dataOf: Readonly<Record<string, (asked: Asked) => unknown>> = {
  create_order: (asked) => orderData(asked.answer!.order_id, asked.answer!.client_order_id, asked),
  create_market_order: (asked) =>
    orderData(asked.answer!.order_id, asked.answer!.client_order_id, asked),
  edit_order: (asked) => {
    const order = asked.answer!.order_id as number
    const clientOrderId = asked.body.client_order_id ?? asked.exchange.state.clientIds.get(order)
    return orderData(order, clientOrderId, asked)
  },
  create_stop_order: (asked) => {
    const { client_order_id } = asked.body.stop_order as Row
    return orderData(asked.answer!.order_id, client_order_id, asked)
  },
  cancel_order: byRef,
  cancel_stop_order: byRef,
  cancel_all_orders: ({ answer }) => answer,
  schedule_cancel: ({ answer }) => answer,
  set_position_tpsl: () => ({}),
  batch_orders: ({ answer }) => ({
    results: (answer!.results as readonly Row[]).map((result) => ({
      ...result,
      i: result.order_id,
      I: result.client_order_id,
    })),
  }),
}
