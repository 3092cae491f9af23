// Operations on markets: list, change, halt, resume, settle.

import {
  type Event,
  limits,
  type MarketChange,
  type MarketParams,
  type MarketView,
} from '../../core/index.ts'
import { moneyText, priceText } from '../../projections/market-text.ts'
import type { MicroTicks, Ticks } from '../../units/units.ts'
import type { Mode } from '../../words/order-words.ts'
import { apiError } from '../api-error.ts'
import type { Exchange } from '../exchange.ts'
import { ownAddressIn } from '../known-address.ts'
import { changeOf, listingOf } from '../parameters/market-fields.ts'
import { requireValid } from '../parameters/params-text.ts'
import { numberIn } from '../parameters/read-number.ts'
import { refusal, unknownMarket } from '../refusal.ts'
import { refusalText } from '../refusal-text.ts'
import { settledText } from '../unsupported-text.ts'
import { type AdminAnswers, type AdminCall, noSubject, order, statusOf } from './admin-operation.ts'
import { settlementOf } from './journal/settlement.ts'
import { requireLeverage, wholeListing } from './listing.ts'

export function marketIn({ view }: Exchange, name: string): MarketView {
  const market = view.markets.named(name)
  if (market === undefined) throw unknownMarket('parameter')
  return market
}

/** Returns a market that is not settled. This is checked first, because a settled market refuses
 *  every change. */
export async function changeableIn(
  { exchange, operator }: Pick<AdminCall<unknown>, 'exchange' | 'operator'>,
  name: string,
): Promise<MarketView> {
  const market = marketIn(exchange, name)
  if (!market.settled) return market
  const text = settledText(market.params.symbol, await settlementOf(operator, market))
  throw refusal('UNSUPPORTED_OPERATION', 'rules', text)
}

const isRefusal = (event: Event) => event.type === 'CommandRejected'

/** The error for a full exchange. Markets and accounts are never removed. */
function fullFor({ view }: Exchange, most: number): Error {
  const what = view.accounts.count >= most ? 'accounts' : 'markets, settled ones among them'
  const text = `there are ${most} ${what}, and no more may be; none is ever removed`
  return refusal('LIMIT_REACHED', 'rules', text)
}

/** Throws an error that names the invalid part if the engine rejected a listing (MARKET-1). */
function requireListed(
  exchange: Exchange,
  events: readonly Event[],
  params: MarketParams,
  oracle: number,
): void {
  const rejected = events.find((event) => event.type === 'CommandRejected')
  if (rejected === undefined) return
  if (rejected.rejection === 'LIMIT_REACHED') throw fullFor(exchange, rejected.first)
  requireValid(exchange, params, oracle)
  const { symbols } = exchange.view
  const [market, subject] = [symbols.get(params.symbol), { account: '', params }]
  const status = statusOf(exchange, subject)
  const also =
    market === undefined
      ? ''
      : `; and ${refusalText('MARKET_EXISTS', { ...subject, status }, [market, 0, 0])}`
  const text = 'backstop_address is an account or a confirmed agent already, and must be new'
  throw refusal('INVALID_PARAMETER', 'rules', text + also)
}

/** Checks what `requireValid` does not: the grid must not shrink, and the maximum price must not
 *  be too high for an existing position or order. */
function requireGrid(
  { view }: Exchange,
  events: readonly Event[],
  field: string,
  market: MarketView,
): void {
  const rejected = events.find((event) => event.type === 'CommandRejected')
  if (rejected === undefined) return
  const { params, highestTick } = market
  const [low, high, most] = [params.tickMin, params.tickMax, highestTick].map((tick) =>
    priceText(params, tick),
  )
  const text =
    rejected.first === 0
      ? `a price range only grows: maximum min_tick ${low}, minimum max_tick ${high}`
      : `UNITS-4 would not hold for the account ${view.accounts.addressOf(rejected.first)}: its ` +
        `possible position is limited to ${moneyText(limits.moneyMax)} USD at the highest price; ` +
        `with current positions and orders the maximum ${field} is ${most}`
  throw refusal('INVALID_PARAMETER', 'rules', text)
}

const standingOf = (market: MarketView) => ({
  ...{ ...replyOf(market), status: market.status, mode: market.mode },
})

const replyOf = ({ params, id }: MarketView) => ({ symbol: params.symbol, market_id: id })

export function changeIn(
  exchange: Exchange,
  { params }: MarketView,
  written: Readonly<Record<string, unknown>>,
): MarketChange {
  const { tickSize, lotSize } = params
  const steps = { tickSize, lotSize, ticksMost: exchange.view.ruleLimits.tickMaxMost }
  const change = changeOf(written, steps)
  if (Object.keys(change).length === 0)
    throw apiError('MALFORMED_REQUEST', 'change names nothing that can be changed')
  return change
}

/** Throws an error that names the full list (announced changes or kept tiers) and the time at
 *  which it has room again. */
function requireRoom(events: readonly Event[], market: MarketView, immediate: boolean): void {
  const rejected = events.find((event) => event.type === 'CommandRejected')
  if (rejected?.rejection !== 'LIMIT_REACHED') return
  const { announcedChanges, keptTiers, params } = market
  const of = `of ${params.symbol}, and at most ${rejected.first} may`
  const times = immediate
    ? keptTiers.map(({ until }) => until)
    : announcedChanges.map(({ at }) => at)
  const first = new Date(Math.min(...times)).toISOString()
  const text = immediate
    ? `${times.length} tables of tiers ${of} be kept for holders: another immediate change that ` +
      `may raise maintenance is taken from ${first} on, any other now`
    : `${times.length} announced changes ${of} be pending: cancel one (POST ` +
      `/markets/cancel_change), wait until the first takes effect at ${first}, or make this one ` +
      'immediate'
  throw refusal('LIMIT_REACHED', 'rules', text)
}

function requireCancelled(events: readonly Event[], change: number, market: MarketView): void {
  const rejected = events.find((event) => event.type === 'CommandRejected')
  if (rejected === undefined) return
  const { rejection, first } = rejected
  const ids = market.announcedChanges.map(({ id }) => id)
  const pending = ids.length === 0 ? 'none is' : `these are: ${ids.join(', ')}`
  const text =
    rejection === 'CHANGE_NOT_FOUND'
      ? `no announced change ${change} of ${market.params.symbol} is pending; ${pending}`
      : `change ${change} overrides change ${first}, which was announced before it and would ` +
        `come instead, on shorter notice: cancel change ${first} first`
  throw refusal(rejection, 'rules', text)
}

const setMode = (mode: Mode) => async (call: AdminCall<Readonly<{ symbol: string }>>) => {
  const { id, params } = await changeableIn(call, call.request.symbol)
  await order(call, { type: 'SetMarketMode', market: id, mode }, { account: '', params })
  return standingOf(marketIn(call.exchange, params.symbol))
}

export const marketAnswers = {
  async list_market(call) {
    const body = await wholeListing(call)
    ownAddressIn(call.exchange, 'backstop_address', body.backstop_address)
    const { params, oracle } = listingOf(body, call.exchange.view.ruleLimits.tickMaxMost)
    await requireLeverage(call, params, null)
    const command = { type: 'ListMarket', params, oracle: oracle as MicroTicks } as const
    const subject = { account: params.backstopAddress, params }
    const events = await order(call, command, subject, ['INVALID_PARAMETER', 'LIMIT_REACHED'])
    requireListed(call.exchange, events, params, oracle)
    return replyOf(marketIn(call.exchange, params.symbol))
  },
  async change_market(call) {
    const market = await changeableIn(call, call.request.symbol)
    const { id, params } = market
    const change = changeIn(call.exchange, market, call.request.change)
    if (change.leverageMax !== undefined || change.minSources !== undefined)
      await requireLeverage(call, { ...params, ...change }, id)
    const immediate = call.request.immediate === true
    const command = { type: 'ChangeMarket', market: id, change, immediate } as const
    const expected = ['INVALID_PARAMETER', 'LIMIT_REACHED'] as const
    const events = await order(call, command, { account: '', params }, expected)
    requireRoom(events, market, immediate)
    if (events.some(isRefusal)) requireValid(call.exchange, { ...params, ...change }, null)
    requireGrid(call.exchange, events, 'max_tick', market)
    const changed = events.find((event) => event.type === 'MarketChanged')
    const { atMs } = call.exchange.view
    return {
      effective_at: changed?.effectiveAt ?? atMs,
      maintenance_at: changed?.maintenanceAt ?? atMs,
      change_id: changed?.change || null,
    }
  },
  async cancel_market_change(call) {
    const market = await changeableIn(call, call.request.symbol)
    const { id, params } = market
    const change = call.request.change_id
    const command = { type: 'CancelMarketChange', market: id, change } as const
    const expected = ['INVALID_PARAMETER', 'CHANGE_NOT_FOUND'] as const
    const events = await order(call, command, { account: '', params }, expected)
    requireCancelled(events, change, market)
    const cancelled = events.find((event) => event.type === 'MarketChangeCancelled')
    return { symbol: params.symbol, change_id: change, effective_at: cancelled!.effectiveAt }
  },
  halt_market: setMode('halted'),
  resume_market: setMode('open'),
  reduce_only_market: setMode('reduce_only'),
  post_only_market: setMode('post_only'),
  cancel_only_market: setMode('cancel_only'),
  async settle_market(call) {
    const market = await changeableIn(call, call.request.symbol)
    const { id, params } = market
    const prices = { step: params.tickSize, most: call.exchange.view.ruleLimits.tickMaxMost }
    const at = numberIn('price', call.request.price, prices) as Ticks
    const command = { type: 'SettleMarket', market: id, price: at } as const
    const events = await order(call, command, { account: '', params }, ['INVALID_PARAMETER'])
    requireGrid(call.exchange, events, 'price', market)
    return standingOf(marketIn(call.exchange, params.symbol))
  },
  async set_exchange_mode(call) {
    const { mode } = call.request
    await order(call, { type: 'SetExchangeMode', mode }, noSubject)
    return { mode }
  },
} satisfies Partial<AdminAnswers>
