import type {
  AccountId,
  ExchangeView,
  MarketId,
  MarketParams,
  MarketView,
  OrderWish,
  Plan,
  PlanPreview,
} from '../../../core/index.ts'
import { moneyText, priceText, sizeText } from '../../../projections/market-text.ts'
import type { previewReply, previewRequest } from '../../../protocol/schemas/order-rows.ts'
import type { Static } from '../../../protocol/schemas/typebox.ts'
import { optionNames, orderOptions } from '../../../protocol/words.ts'
import { ApiError, apiError } from '../../api-error.ts'
import { type Call, type Refusals, unsigned } from '../../operation.ts'
import { refusalWith } from '../../refusal.ts'
import { circumstancesOf } from '../circumstances.ts'
import { tierWire } from '../markets/risk-tier.ts'
import {
  expiryOf,
  type Grid,
  levelsOf,
  lotsOf,
  optionsOf,
  percentOf,
  ticksOf,
} from '../order-fields.ts'
import { type MarketRef, type Principal, unboundAgent } from '../principal.ts'
import { readableAddress, sightOf } from '../reading.ts'
import { planBody, planKindOf } from './plan-kinds.ts'

const refusals: Refusals = 'rules'

type Request = Static<typeof previewRequest>
type Reply = Static<typeof previewReply>

/** Runs the checks of an order's command, unsigned and without effect. */
export const previewOrder = unsigned({
  name: 'preview_order',
  group: 'orders',
  handle(call) {
    const { request, exchange } = call
    const address = readableAddress(call, request.account)
    const { accounts } = exchange.view
    const account = accounts.idOf(address)
    const isOwners = account === 0 || sightOf(call, address) === 'all'
    const preview = () => previewed(call, address)
    return isOwners ? preview() : accounts.withoutWaiting(account, preview)
  },
})

function previewed(call: Call<Request>, address: string): Reply {
  const { request, exchange } = call
  const kind = planKindOf(request)
  if (kind === null) requireOneKind(request)
  const body = kind === null ? null : planBody(kind, request)
  const market = exchange.view.symbols.get(request.symbol)
  const params =
    market === undefined
      ? ({ symbol: request.symbol } as MarketParams)
      : exchange.view.markets.paramsOf(market)
  const subject = { account: address, params, clientOrderId: request.client_order_id ?? null }
  const account = exchange.view.accounts.idOf(address)
  if (account === 0) return refused(refusalWith('ACCOUNT_NOT_FOUND', 'rules', subject))
  if (market === undefined) return refused(refusalWith('BOOK_NOT_FOUND', 'rules', subject))
  const principal = { exchange, refusals, address, account: account as AccountId, proof: null }
  const prepared = unlessRefused(() =>
    kind === null
      ? { command: wishOf(principal, { id: market as MarketId, params }, request) }
      : kind.prepare(principal, body!),
  )
  if (prepared instanceof ApiError) return refused(prepared)
  const { command } = prepared
  const agent = request.agent_wallet ?? null
  if (agent !== null && !exchange.view.accounts.isAgentOf(account, agent))
    return refused(unboundAgent(agent, address))
  const leverage = request.leverage ?? 0
  if (leverage > params.leverageMax) {
    const numbers = [leverage, 1, params.leverageMax] as const
    return refused(refusalWith('INVALID_LEVERAGE', 'rules', subject, numbers))
  }
  const by = { agent, ip: call.caller.ip }
  const { refusal, numbers: after, most } = previewOf(exchange.view, command, leverage, by)
  const wire = numbersWire(exchange.view.markets.get(market)!, after, most)
  if (refusal === null) return { accepted: true, ...rejectedOf(params, command, after), ...wire }
  const [first = 0, second = 0, third = 0] = refusal.numbers
  const numbers = [first, second, third] as const
  const stands = circumstancesOf(exchange.view, command, refusal.name, numbers, leverage)
  const error = refusalWith(refusal.name, 'rules', { ...subject, ...stands }, numbers)
  return { ...refused(error), ...wire }
}

function requireOneKind({ price, tif, slippage_percent, ...options }: Request): void {
  for (const field of ['amount', 'side'] as const)
    if (options[field] == null) throw apiError('MALFORMED_REQUEST', `body lacks ${field}`)
  const isMarket = slippage_percent != null
  if (isMarket && (options.expire_time != null || options.mmp != null))
    throw apiError('MALFORMED_REQUEST', 'expire_time and mmp are of limit orders')
  if (isMarket ? price == null && tif == null : price != null && tif != null) return
  throw apiError(
    'MALFORMED_REQUEST',
    'give price and tif for a limit order, or slippage_percent for a market order; chase, ' +
      'display_amount, stop_order or legs for other kinds',
  )
}

type PreviewNumbers = PlanPreview & Readonly<{ most: number | null }>

/** Kinds that do not place an order yet have no maximum size, because margin is checked when their
 *  orders are placed. */
function previewOf(
  { orders }: ExchangeView,
  command: OrderWish | Plan,
  leverage: number,
  by: { agent: string | null; ip: string | null },
): PreviewNumbers {
  const isOrder = command.type === 'PlaceOrder' || command.type === 'PlaceMarketOrder'
  if (isOrder) return orders.preview(command, leverage, by)
  return { ...orders.previewPlan(command, leverage, by), most: null }
}

/** Rejects fields that an order that never rests cannot have. */
function checkTaker(request: Request): void {
  const fields = [...optionNames.filter((name) => !orderOptions[name].ofTakers), 'expire_time']
  const unexpected = fields.find((name) => request[name as keyof Request] != null)
  if (unexpected !== undefined)
    throw apiError('MALFORMED_REQUEST', `a market order has no ${unexpected}: give price and tif`)
}

/** Converts the request to ticks and lots. */
function wishOf({ account }: Principal, market: MarketRef, request: Request): OrderWish {
  const grid: Grid = { params: market.params, refusals }
  const fields = {
    account,
    market: market.id,
    proof: null,
    side: request.side!,
    size: lotsOf(grid, 'amount', request.amount!),
    reduceOnly: request.reduce_only ?? false,
    clientOrderId: request.client_order_id ?? null,
    takeProfit: levelsOf(grid, 'take_profit', request.take_profit),
    stopLoss: levelsOf(grid, 'stop_loss', request.stop_loss),
  }
  if (request.slippage_percent != null) {
    checkTaker(request)
    const slippagePpm = percentOf(refusals, 'slippage_percent', request.slippage_percent)
    return { type: 'PlaceMarketOrder', ...fields, ...optionsOf(request), slippagePpm }
  }
  const price = ticksOf(grid, 'price', request.price!)
  const options = { ...expiryOf(request), ...optionsOf(request) }
  return { type: 'PlaceOrder', ...fields, price, tif: request.tif!, ...options }
}

/** Returns an error for values off the grid as the result of the preview, with the same message as
 *  for an order. */
function unlessRefused<T>(prepare: () => T): T | ApiError {
  try {
    return prepare()
  } catch (error) {
    if (error instanceof ApiError && error.engineCode !== 0) return error
    throw error
  }
}

const unknown = {
  notional: null,
  fee: null,
  margin: null,
  position_after: null,
  liquidation_price: null,
  guarded_price: null,
  risk_tier: null,
  max_amount: '0',
}

/** The code is the same as in the reply to placing the order. */
function refused(error: ApiError): Reply {
  return { accepted: false, error: error.message, code: error.code, ...unknown }
}

/** The result for a post-only order that would take: it is accepted and ends without a fill
 *  (ORDER-4). */
function rejectedOf(
  params: MarketParams,
  wish: OrderWish | Plan,
  numbers: PreviewNumbers['numbers'],
) {
  const meets = numbers?.meets ?? null
  if (meets === null || !('price' in wish)) return {}
  const [other, sign] = wish.side === 'bid' ? ['ask', 1] : ['bid', -1]
  const [own, best] = [priceText(params, wish.price), priceText(params, meets)]
  const rests = priceText(params, meets - Number(sign))
  const rejected =
    `post_only_rejected: it is post-only and at ${own} would trade immediately with the best ` +
    `${other}, ${best}; the nearest price that rests is ${rests}`
  return { rejected }
}

function numbersWire(market: MarketView, numbers: PreviewNumbers['numbers'], most: number | null) {
  const { params } = market
  const max_amount = most === null ? null : sizeText(params, most)
  if (numbers === null) return { ...unknown, max_amount }
  const { liquidationPrice } = numbers
  return {
    notional: moneyText(numbers.value),
    fee: moneyText(numbers.fee),
    margin: moneyText(numbers.margin),
    position_after: sizeText(params, numbers.lotsAfter),
    liquidation_price: liquidationPrice === null ? null : priceText(params, liquidationPrice),
    guarded_price: priceText(params, market.guardedPrice(numbers.lotsAfter)),
    risk_tier: tierWire(numbers.tier),
    max_amount,
  }
}
