// Several signed actions in one request: in order, not interleaved with anyone's. One bad signature
// and nothing runs; an action that a rule refuses does not stop the next.

import type { BatchAction, Event, EventOf } from '../../../core/index.ts'
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
import { type BodyCheck, signedCheckOf } from '../body-check.ts'
import { isCancelBatch } from '../cancels.ts'
import { circumstancesOf } from '../circumstances.ts'
import { type Principal, principalOf, requireOpen } from '../principal.ts'
import {
  cancelOrderOf,
  cancelStopOf,
  editOrderOf,
  type PreparedOrder,
  placeMarketOrderOf,
  placeOrderOf,
  tpslOf,
} from './order-commands.ts'
import { placedOrderIn } from './order-outcome.ts'
import { marketRejections } from './rejects.ts'

type Kind = Readonly<{
  signs: SigningType
  check: BodyCheck
  make(principal: Principal, body: never): PreparedOrder<BatchAction>
}>

const makers: Readonly<Record<BatchActionType, Kind['make']>> = {
  Create: (principal, body: CreateOrderBody) => placeOrderOf(principal, body),
  CreateMarket: (principal, body: CreateMarketOrderBody) => placeMarketOrderOf(principal, body),
  Cancel: (principal, body: OrderRefBody) => cancelOrderOf(principal, body),
  CancelStopOrder: (principal, body: OrderRefBody) => cancelStopOf(principal, body),
  Edit: (principal, body: EditOrderBody) => editOrderOf(principal, body),
  SetPositionTpsl: (principal, body: TpslBody) => tpslOf(principal, body),
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
  const askers = signed.map((each) => principalOf({ exchange, signed: each }, 'rules'))
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
function madeOr(
  kind: Kind,
  principal: Principal,
  body: unknown,
): PreparedOrder<BatchAction> | ApiError {
  try {
    return kind.make(principal, body as never)
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

function resultOf(
  principal: Principal,
  made: PreparedOrder<BatchAction>,
  events: readonly Event[],
): Result {
  const { command, market, clientOrderId } = made
  const { params } = market
  const rejected = events.find((event) => event.type === 'CommandRejected')
  const order = placedOrderIn(events)?.order ?? cancelledBy(command, events)
  const error = rejected === undefined ? null : refusalOf(principal, made, rejected).message
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
  { address, exchange }: Principal,
  { command, market, clientOrderId }: PreparedOrder<BatchAction>,
  rejected: EventOf<'CommandRejected'>,
): ApiError {
  const { rejection } = rejected
  const numbers = numbersOf(rejected)
  const stands = circumstancesOf(exchange.view, command, rejection, numbers)
  const subject = { account: address, params: market.params, clientOrderId, ...stands }
  return refusalWith(rejection, 'rules', subject, numbers)
}
