import type { ExchangeView } from '../../../core/index.ts'
import type { AlgoRow, OrderEventRow } from '../../../projections/history/history.ts'
import { priceText } from '../../../projections/market-text.ts'
import { isSeen, type Sight, seenEvent, withSeenLinks } from '../../../projections/sight.ts'
import type { RequestOf } from '../../../protocol/route-schemas.ts'
import { ApiError, apiError } from '../../api-error.ts'
import type { Exchange } from '../../exchange.ts'
import { type Call, unsigned } from '../../operation.ts'
import { amountsWire, averageText, stopWire } from '../order-text.ts'
import { isAnonymous, isOwner, readableAddress, requireReader, sightOf } from '../reading.ts'
import { hasEndedSince } from './orders-seen.ts'

export const getOrderEvents = unsigned({
  name: 'get_order_events',
  group: 'orders',
  notFound: true,
  async handle(call) {
    const { request, exchange, caller } = call
    const { order_id: order = null, client_order_id: clientOrderId = null } = request
    if (order === null && (clientOrderId === null || request.account == null))
      throw apiError('MALFORMED_REQUEST', 'order_id, or account and client_order_id, is required')
    // If only owners may read, an order that is named by id alone must belong to the caller's
    // account.
    if (request.account != null) readableAddress(call, request.account)
    else if (isAnonymous(caller)) requireReader(call, null)
    for (let before: number | null = null; ; ) {
      const id: number | null = order ?? (await idOf(exchange, request, before))
      if (id === null) throw noOrder()
      const life = await lifeOf(exchange, id)
      const sight = life === null ? null : sightOfLife(call, life)
      if (life !== null && sight !== null && (await isLifeSeen(exchange, life, sight))) {
        if (life.isTwap) throw noOrder(twapsAre)
        return life.rows.map((row) => eventWire(exchange.view, row, sight))
      }
      // If several orders have the client id, the caller may be allowed to see an older one.
      if (order !== null) throw noOrder()
      before = id
    }
  },
})

type Life = Readonly<{
  account: string
  /** Events of the order, newest first. */
  rows: readonly OrderEventRow[]
  isAlgo: boolean
  isTwap: boolean
}>

/** `null` if the order never existed. */
async function lifeOf(exchange: Exchange, order: number): Promise<Life | null> {
  const rows = await eventsOf(exchange, order)
  if (rows[0] !== undefined) return { account: rows[0].account, rows, isAlgo: false, isTwap: false }
  const steps = await exchange.history.algoSteps(exchange.seq(), order)
  const [newest] = steps
  if (newest === undefined) return null
  const events = steps.map(eventOfAlgo).filter((event) => event !== null)
  const isTwap = newest.kind === 'twap'
  return { account: newest.account, rows: events, isAlgo: true, isTwap }
}

/** Reads the events again if the order ended meanwhile, because the last event shows whether the
 *  order was released. */
async function eventsOf(exchange: Exchange, order: number): Promise<readonly OrderEventRow[]> {
  const rows = await exchange.history.orderEvents(exchange.seq(), order)
  if (rows[0] === undefined || !hasEndedSince(exchange.view, rows[0])) return rows
  return exchange.history.orderEvents(exchange.seq(), order)
}

type EventsCall = Call<RequestOf<'get_order_events'>>

/** `null` if the caller may not read the account, or named another account. */
function sightOfLife(call: EventsCall, { account }: Life): Sight | null {
  const { request, exchange, caller } = call
  if (request.account != null && request.account !== account) return null
  if (exchange.settings.reads === 'owner' && !isOwner(caller, account)) return null
  return sightOf(call, account)
}

async function isLifeSeen(exchange: Exchange, life: Life, sight: Sight): Promise<boolean> {
  if (sight === 'all') return true
  if (life.isAlgo) return sight === 'released'
  const [newest] = life.rows
  const { order, parent } = newest!
  const waits = exchange.view.orders.isUnreleased(order)
  if (!isSeen(sight, { ...newest!, unreleased: newest!.unreleased || waits })) return false
  if (newest!.stopPrice === null || parent === null || parent > order) return true
  // A level is visible if the order it came with is.
  const [came] = await eventsOf(exchange, parent)
  return came?.unreleased !== true
}

const twapsAre = 'it is a TWAP; its history is at /orders/twap/history_by_id'

/** Event names. History has the steps of all algos under the names of TWAPs, which are replaced by
 *  those of orders. */
const eventsOfAlgos: Readonly<Record<AlgoRow['event'], OrderEventRow['event'] | null>> = {
  twap_created: 'make',
  twap_triggered: null,
  fulfill_market: 'fulfill_limit',
  cancel: 'cancel',
  force_cancel: 'force_cancel',
  expired: 'expired',
}

function eventOfAlgo(row: AlgoRow): OrderEventRow | null {
  const event = eventsOfAlgos[row.event]
  if (event === null) return null
  const cancelledLots = row.status === 'cancelled' ? row.initialLots - row.filledLots : 0
  const none = { stopPrice: null, parent: null, oco: null, unreleased: false, turned: false }
  return { ...row, ...none, event, cancelledLots, orderType: 'limit' }
}

function idOf(
  exchange: Exchange,
  { account, client_order_id }: EventsCall['request'],
  before: number | null,
): Promise<number | null> {
  return exchange.history.orderOfClientId(exchange.seq(), account!, client_order_id!, before)
}

/** 404 instead of a rejection, because the request is a read of history. */
function noOrder(why = 'no such order in the history'): ApiError {
  const explanation = `${why} (order not found)`
  return new ApiError('ORDER_NOT_FOUND', explanation, { status: 404, code: 404 })
}

function eventWire({ markets, orders }: ExchangeView, given: OrderEventRow, sight: Sight) {
  const row = withSeenLinks(sight, given, (id) => orders.isUnreleased(id))
  const params = markets.paramsOf(row.market)
  return {
    history_id: row.id,
    order_id: row.order,
    client_order_id: row.clientOrderId,
    symbol: params.symbol,
    side: row.side,
    price: priceText(params, row.price),
    ...amountsWire(params, row),
    average_filled_price: averageText(params, row),
    event_type: seenEvent(sight, row.event),
    order_status: row.status,
    ...stopWire(params, row),
    created_at: row.atMs,
  }
}
