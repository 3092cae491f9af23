// Executes several actions in one request, in order and not interleaved with other commands. Each
// action is signed separately, or one signature covers all. If a signature is invalid, nothing is
// executed. If a rule rejects an action, the next one is still executed.

import type { BatchAction, Command, Event, EventOf, Proof } from '../../../core/index.ts'
import {
  type BatchActionType,
  batchActions,
  batchActionsEachMax,
  requestActionTypes,
} from '../../../protocol/batch-actions.ts'
import {
  type CancelAllBody,
  type CreateMarketOrderBody,
  type CreateOrderBody,
  type CreateStopBody,
  type EditOrderBody,
  type OrderRefBody,
  type QuoteBody,
  quoteBody,
  type TpslBody,
} from '../../../protocol/schemas/order-requests.ts'
import type { SigningType } from '../../../protocol/signing-types.ts'
import { type Outcome, ownEventsOf } from '../../../sequencer/outcome.ts'
import { ApiError, apiError } from '../../api-error.ts'
import { causeOf } from '../../causes/refusal-cause.ts'
import { type Call, unsigned } from '../../operation.ts'
import { refusalAt, refusalWith } from '../../refusal.ts'
import { numbersOf } from '../../refusal-text.ts'
import { type BodyCheck, closedCheck, signedCheckOf, unsignedCheckOf } from '../body-check.ts'
import { isCancelBatch } from '../cancels.ts'
import { circumstancesOf } from '../circumstances.ts'
import { type Principal, principalOf, requireOpen } from '../principal.ts'
import { placeProfitStopOf } from '../profit-stop.ts'
import {
  cancelAllOf,
  cancelOrderOf,
  cancelStopOf,
  editOrderOf,
  type Prepared,
  placeMarketOrderOf,
  placeOrderOf,
  placeStopOf,
  quoteOf,
  tpslOf,
} from './order-commands.ts'
import { type PlacedOrder, placedOrderIn } from './order-outcome.ts'
import { marketRejections } from './rejects.ts'

type Kind = Readonly<{
  signs: SigningType
  check: BodyCheck
  checkUnsigned: BodyCheck
  make(principal: Principal, body: never): Prepared<BatchAction>
}>

const makers: Readonly<Record<BatchActionType, Kind['make']>> = {
  Create: (principal, body: CreateOrderBody) => placeOrderOf(principal, body),
  CreateMarket: (principal, body: CreateMarketOrderBody) => placeMarketOrderOf(principal, body),
  Cancel: (principal, body: OrderRefBody) => cancelOrderOf(principal, body),
  CancelStopOrder: (principal, body: OrderRefBody) => cancelStopOf(principal, body),
  Edit: (principal, body: EditOrderBody) => editOrderOf(principal, body),
  SetPositionTpsl: (principal, body: TpslBody) => tpslOf(principal, body),
  CreateStop: (principal, body: CreateStopBody) => placeStopOf(principal, body),
  CancelAll: (principal, body: CancelAllBody) => cancelAllOf(principal, body),
  Quote: (principal, body: QuoteBody) => quoteOf(principal, body),
}

const kinds = new Map<string, Kind>(
  requestActionTypes.map((type) => {
    const signs = batchActions[type]
    const checks = { check: signedCheckOf(signs), checkUnsigned: unsignedCheckOf(signs) }
    return [type, { signs, ...checks, make: makers[type] }]
  }),
)
/** Rejects a quote with its own signature, because it is not a separate request. */
const quoted: BodyCheck = (_, where) => {
  throw apiError('MALFORMED_REQUEST', `${where}: a Quote needs a batch that is signed as a whole`)
}
kinds.set('Quote', {
  signs: 'batch_orders',
  check: quoted,
  checkUnsigned: closedCheck(quoteBody),
  make: makers.Quote,
})

type Action = Readonly<{ type: string; data: Readonly<Record<string, unknown>> }>
type Result = Readonly<{
  success: boolean
  order_id: number | null
  client_order_id: string | null
  symbol: string | null
  error: string | null
  order_status?: PlacedOrder['status']
  waits?: true
  cancelled_count?: number
}>

const operation = (prepareStop: typeof placeStopOf) =>
  unsigned({
    name: 'batch_orders',
    group: 'Orders',
    rejects: marketRejections,
    async handle(call) {
      const request = call.request as Batched
      const cancels = isCancelBatch(request)
      if (!cancels) requireOpen(call.exchange)
      const together = request.signature != null || request.account != null
      const batch = together
        ? await signedOnce(call, request, cancels)
        : await signedEach(call, request)
      return { results: await runBatch(call, request.actions, batch, prepareStop) }
    },
  })

export const batchOrders = operation(placeStopOf)
/** A variant for existing clients. */
export const batchProfitOrders = operation(placeProfitStopOf)

type Batched = Readonly<{
  actions: readonly Action[]
  signature?: unknown
  account?: unknown
  venue?: unknown
}>

/** The caller of each action. `proof` is absent if each action has its own. */
type Signed = Readonly<{ callers: readonly Principal[]; proof?: Proof | null }>

async function signedOnce(
  call: Call<unknown>,
  request: Batched,
  cancels: boolean,
): Promise<Signed> {
  const { exchange } = call
  request.actions.forEach(({ type, data }, index) => {
    kinds.get(type)!.checkUnsigned(data, `actions[${index}].data`)
  })
  const signed = await call.verify('batch_orders', request, cancels)
  call.settle(signed)
  const principal = { ...principalOf({ exchange, signed }, 'rules'), proof: null }
  return { callers: request.actions.map(() => principal), proof: signed.proof }
}

async function signedEach(call: Call<unknown>, { actions, venue }: Batched): Promise<Signed> {
  const { exchange } = call
  // No signature covers the field here, so that it would not protect anything.
  if (venue != null)
    throw apiError(
      'MALFORMED_REQUEST',
      'venue goes into the data of every action when the actions are signed one by one',
    )
  if (actions.length > batchActionsEachMax) throw tooMany(actions.length)
  actions.forEach(({ type, data }, index) => {
    kinds.get(type)!.check(data, `actions[${index}].data`)
  })
  const signed = await Promise.all(
    actions.map(({ type, data }) => call.verify(kinds.get(type)!.signs, data)),
  )
  const { account: address } = signed[0]!
  if (signed.some(({ account }) => account !== address))
    throw apiError('MALFORMED_REQUEST', 'all actions of a batch must be of one account')
  call.settle(signed[0]!)
  return { callers: signed.map((each) => principalOf({ exchange, signed: each }, 'rules')) }
}

function tooMany(count: number): ApiError {
  const most = `actions must not have more than ${batchActionsEachMax} items`
  return apiError('MALFORMED_REQUEST', `${most}, there are ${count}; sign the batch to have more`)
}

async function runBatch(
  { exchange, caller }: Call<unknown>,
  actions: readonly Action[],
  { callers, ...signature }: Signed,
  prepareStop: typeof placeStopOf,
): Promise<Result[]> {
  const makeOf = (type: string) => (type === 'CreateStop' ? prepareStop : kinds.get(type)!.make)
  const made = actions.map(({ type, data }, index) => madeOr(makeOf(type), callers[index]!, data))
  const ready = made.filter((each) => 'command' in each)
  if (ready.length === 0) return actions.map((action, at) => failed(action, made[at] as ApiError))
  const { account, address } = callers[0]!
  const commands = ready.map(({ command }) => command)
  const batch = { type: 'Batch', account, actions: commands, ...signature } as const
  const outcome = await exchange.submit(batch)
  caller.readAt = outcome.seq
  const stretches = stretchesOf(outcome, address)
  let next = 0
  return actions.map((action, at) => {
    const each = made[at]!
    if (each instanceof ApiError) return failed(action, each)
    const events = stretches[next++] ?? []
    const result = resultOf(callers[at]!, each, events)
    return signature.proof === undefined ? result : { ...result, ...statusOf(each, events) }
  })
}

/** Prepares an action. An action that is off the grid, or names an unknown market, is rejected on
 *  its own. */
function madeOr(
  make: Kind['make'],
  principal: Principal,
  body: unknown,
): Prepared<BatchAction> | ApiError {
  try {
    return make(principal, body as never)
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
    symbol: data.symbol == null ? null : String(data.symbol),
    error: message,
  }
}

/** Splits the events by action. Throws if the batch as a whole was rejected. */
function stretchesOf(outcome: Outcome, account: string): Event[][] {
  const stretches: Event[][] = []
  for (const event of ownEventsOf(outcome)) {
    if (event.type === 'BatchActionStarted') stretches.push([])
    else if (stretches.length > 0) stretches[stretches.length - 1]!.push(event)
    else if (event.type === 'CommandRejected') {
      const subject = { account, params: null }
      const error = refusalWith(event.rejection, 'rules', subject, numbersOf(event))
      throw refusalAt(outcome.seq, error)
    }
  }
  return stretches
}

function resultOf(
  principal: Principal,
  made: Prepared<BatchAction>,
  events: readonly Event[],
): Result {
  const { command, market, clientOrderId } = made
  const rejected = events.find((event) => event.type === 'CommandRejected')
  const order = placedBy(command, events) ?? cancelledBy(command, events)
  const error = rejected === undefined ? null : refusalOf(principal, made, rejected).message
  const all = events.find((event) => event.type === 'AllOrdersCancelled')
  return {
    success: error === null,
    order_id: order,
    client_order_id: clientOrderId,
    symbol: market?.params.symbol ?? null,
    error,
    ...(all === undefined ? {} : { cancelled_count: all.count }),
  }
}

/** The result of an action. A batch with separately signed actions has the original format of
 *  replies. */
function statusOf({ command }: Prepared<BatchAction>, events: readonly Event[]) {
  const placed = placedOrderIn(events)
  if (placed !== undefined) return { order_status: placed.status }
  if (cancelledBy(command, events) !== null) return { order_status: 'cancelled' } as const
  if (events.some(({ type }) => type === 'ActionDeferred')) return { waits: true } as const
  return placedBy(command, events) === null ? {} : ({ order_status: 'open' } as const)
}

function placedBy({ type }: BatchAction, events: readonly Event[]): number | null {
  if (type !== 'PlaceStop') return placedOrderIn(events)?.order ?? null
  return events.find((event) => event.type === 'StopPlaced')?.order ?? null
}

/** The order that a cancel, or a quote of size 0, ended; `null` if none. For an algo its resting
 *  order ends first. */
function cancelledBy(command: BatchAction, events: readonly Event[]): number | null {
  const { type } = command
  if (type !== 'CancelOrder' && type !== 'CancelStop' && type !== 'Quote') return null
  const algo = events.find((event) => event.type === 'AlgoEnded')?.algo
  if (type === 'CancelOrder' && algo !== undefined && (command.order ?? algo) === algo) return algo
  return events.find((event) => event.type === 'OrderCancelled')?.order ?? null
}

/** Converts an action to a command. A quote without an order counts as a new post-only order. */
function asCommand(action: BatchAction): Command {
  if (action.type !== 'Quote') return action
  const plain = { tif: 'ALO', reduceOnly: false, takeProfit: null, stopLoss: null } as const
  return { ...action, ...plain, type: 'PlaceOrder' }
}

function refusalOf(
  { address, exchange }: Principal,
  { command, market, clientOrderId }: Prepared<BatchAction>,
  rejected: EventOf<'CommandRejected'>,
): ApiError {
  const { rejection } = rejected
  const numbers = numbersOf(rejected)
  const { view } = exchange
  const stands = circumstancesOf(view, asCommand(command), rejection, numbers)
  const cause = causeOf(view, command, rejection, numbers)
  const isStop = command.type === 'PlaceStop'
  const params = market?.params ?? null
  const subject = { account: address, params, clientOrderId, isStop, ...stands, cause }
  return refusalWith(rejection, 'rules', subject, numbers)
}
