// Several signed actions in one request: in order, not interleaved with anyone's. One bad signature
// and nothing runs; an action that a rule refuses does not stop the next.

import type { BatchAction } from '../../../core/commands.ts'
import type { Event, EventOf } from '../../../core/events/event-fields.ts'
import {
  type BatchActionType,
  batchActions,
  batchActionTypes,
} from '../../../protocol/batch-actions.ts'
import type {
  CreateMarketOrderBody,
  CreateOrderBody,
  EditOrderBody,
  OrderRefBody,
  TpslBody,
} from '../../../protocol/schemas/order-requests.ts'
import type { SigningType } from '../../../protocol/signing-types.ts'
import { ownEventsOf } from '../../../sequencer/outcome.ts'
import { ApiError, apiError } from '../../api-error.ts'
import { type Call, type Signed, unsigned } from '../../operation.ts'
import { refusalWith } from '../../refusal.ts'
import { numbersOf } from '../../refusal-text.ts'
import { acceptableOf } from '../acceptable.ts'
import { type Asker, askerOf, requireOpen } from '../asker.ts'
import { type BodyCheck, signedCheckOf } from '../body-check.ts'
import { isCancelBatch } from '../cancels.ts'
import {
  cancelOrderOf,
  cancelStopOf,
  editOrderOf,
  type Made,
  placeMarketOrderOf,
  placeOrderOf,
  tpslOf,
} from './order-commands.ts'
import { placedOrderIn } from './order-outcome.ts'
import { marketRejections } from './rejects.ts'

type Kind = Readonly<{
  signs: SigningType
  check: BodyCheck
  make(asker: Asker, body: never): Made<BatchAction>
}>

const makers: Readonly<Record<BatchActionType, Kind['make']>> = {
  Create: (asker, body: CreateOrderBody) => placeOrderOf(asker, body),
  CreateMarket: (asker, body: CreateMarketOrderBody) => placeMarketOrderOf(asker, body),
  Cancel: (asker, body: OrderRefBody) => cancelOrderOf(asker, body),
  CancelStopOrder: (asker, body: OrderRefBody) => cancelStopOf(asker, body),
  Edit: (asker, body: EditOrderBody) => editOrderOf(asker, body),
  SetPositionTpsl: (asker, body: TpslBody) => tpslOf(asker, body),
}

const kinds = new Map<string, Kind>(
  batchActionTypes.map((type) => {
    const signs = batchActions[type]
    return [type, { signs, check: signedCheckOf(signs), make: makers[type] }]
  }),
)

type Action = Readonly<{ type: string; data: Readonly<Record<string, unknown>> }>
type Result = Readonly<{
  success: boolean
  order_id: number | null
  client_order_id: string | null
  symbol: string
  error: string | null
}>

export const batchOrders = unsigned({
  name: 'batch_orders',
  group: 'Orders',
  summary: 'Run up to ten signed order actions in one go',
  cost: 'plain',
  refusals: 'rules',
  rejects: marketRejections,
  async handle(call) {
    const actions = call.request.actions as readonly Action[]
    if (!isCancelBatch(call.request)) requireOpen(call.exchange)
    actions.forEach(({ type, data }, index) => {
      kinds.get(type)!.check(data, `actions[${index}].data`)
    })
    const signed = await Promise.all(
      actions.map(({ type, data }) => call.verify(kinds.get(type)!.signs, data)),
    )
    return { results: await runBatch(call, actions, signed) }
  },
})

async function runBatch(
  call: Call<unknown>,
  actions: readonly Action[],
  signed: readonly Signed[],
): Promise<Result[]> {
  const { account: address } = signed[0]!
  if (signed.some(({ account }) => account !== address))
    throw apiError('MALFORMED_REQUEST', 'all actions of a batch must be of one account')
  const { exchange } = call
  call.settle(signed[0]!)
  const askers = signed.map((each) => askerOf({ exchange, signed: each }, 'rules'))
  const made = actions.map(({ type, data }, index) =>
    madeOr(kinds.get(type)!, askers[index]!, data),
  )
  const ready = made.filter((each) => 'command' in each)
  if (ready.length === 0) return actions.map((action, at) => failed(action, made[at] as ApiError))
  const { account } = askers[0]!
  const batch = { type: 'Batch', account, actions: ready.map(({ command }) => command) } as const
  const stretches = stretchesOf(ownEventsOf(await exchange.submit(batch)), address)
  let next = 0
  return actions.map((action, at) => {
    const each = made[at]!
    if (each instanceof ApiError) return failed(action, each)
    return resultOf(askers[at]!, each, stretches[next++] ?? [])
  })
}

/** An action that is off the grid or names no market is refused alone. */
function madeOr(kind: Kind, asker: Asker, body: unknown): Made<BatchAction> | ApiError {
  try {
    return kind.make(asker, body as never)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

function failed({ data }: Action, { message }: ApiError): Result {
  const clientOrderId = typeof data.client_order_id === 'string' ? data.client_order_id : null
  return {
    success: false,
    order_id: null,
    client_order_id: clientOrderId,
    symbol: String(data.symbol),
    error: message,
  }
}

/** The events of each action; throws when the batch as a whole was refused. */
function stretchesOf(events: readonly Event[], account: string): Event[][] {
  const stretches: Event[][] = []
  for (const event of events) {
    if (event.type === 'BatchActionStarted') stretches.push([])
    else if (stretches.length > 0) stretches[stretches.length - 1]!.push(event)
    else if (event.type === 'CommandRejected')
      throw refusalWith(event.rejection, 'rules', { account, params: null }, numbersOf(event))
  }
  return stretches
}

function resultOf(asker: Asker, made: Made<BatchAction>, events: readonly Event[]): Result {
  const { command, market, clientOrderId } = made
  const { params } = market
  const rejected = events.find((event) => event.type === 'CommandRejected')
  const order = placedOrderIn(events)?.order ?? cancelledBy(command, events)
  const error = rejected === undefined ? null : refusalOf(asker, made, rejected).message
  return {
    success: error === null,
    order_id: order,
    client_order_id: clientOrderId,
    symbol: params.symbol,
    error,
  }
}

/** The order that a cancel ended; null: it ended none, or is no cancel. */
function cancelledBy({ type }: BatchAction, events: readonly Event[]): number | null {
  if (type !== 'CancelOrder' && type !== 'CancelStop') return null
  return events.find((event) => event.type === 'OrderCancelled')?.order ?? null
}

function refusalOf(
  { address, exchange }: Asker,
  { command, market, clientOrderId }: Made<BatchAction>,
  rejected: EventOf<'CommandRejected'>,
): ApiError {
  const { rejection } = rejected
  const numbers = numbersOf(rejected)
  const acceptable = acceptableOf(exchange.state, command, rejection, numbers)
  const subject = { account: address, params: market.params, clientOrderId, acceptable }
  return refusalWith(rejection, 'rules', subject, numbers)
}
