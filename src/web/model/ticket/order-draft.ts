// An order as it stands in the ticket, and the request it becomes. Whatever the person typed is put
// into the request as it is, so that the exchange's own answer, with its numbers, is what they see;
// only what is no number at all is refused here.

import type { SelfTradeMode, Tif } from '../../../protocol/words.ts'
import { formatGrid } from '../../../units/decimal.ts'
import { type MarketGrid, numberOnGrid, stepsOf } from '../market/market-grid.ts'
import { anyPlaces, cleaned, entryProblem, isNumber } from '../number-entry.ts'
import type { LimitBody, MarketBody, PreviewRequest, StopBody, TwapBody } from '../wire.ts'
import { type Ending, expireTimeOf, expiryProblem } from './expiry.ts'
import type { TicketField } from './refusal-field.ts'

export type OrderKind = 'limit' | 'market' | 'stop' | 'twap'
/** ALO is the ticket's box "Post only". */
export type TicketTif = Exclude<Tif, 'ALO'>

export type Draft = Readonly<{
  kind: OrderKind
  side: 'bid' | 'ask'
  price: string
  /** What fires a stop. */
  stop: string
  /** A stop makes a limit order at `price`. */
  stopLimit: boolean
  /** A stop follows the mark, so many percent behind its best, from a price on or at once. */
  trails: boolean
  trail: string
  activation: string
  size: string
  sizeUnit: 'base' | 'usd'
  tif: TicketTif
  postOnly: boolean
  reduceOnly: boolean
  withLevels: boolean
  takeProfit: string
  stopLoss: string
  slippage: string
  /** Over which a TWAP is worked off. */
  minutes: string
  ends: Ending
  endsAt: string
  /** Which gives way where it meets an order of the same owner. */
  stp: SelfTradeMode
}>

export const emptyDraft: Draft = {
  kind: 'limit',
  side: 'bid',
  price: '',
  stop: '',
  stopLimit: false,
  trails: false,
  trail: '1',
  activation: '',
  size: '',
  sizeUnit: 'base',
  tif: 'GTC',
  postOnly: false,
  reduceOnly: false,
  withLevels: false,
  takeProfit: '',
  stopLoss: '',
  slippage: '1',
  minutes: '10',
  ends: 'never',
  endsAt: '',
  stp: 'cancel_maker',
}

/** What stays in the ticket after an order was sent: how one trades, not what was traded. Who only
 *  ever posts must not take because a box was emptied behind his back. */
export function cleared(draft: Draft, sent: Draft): Draft {
  const { kind, side, sizeUnit, slippage, minutes, postOnly, tif, stp, trail } = draft
  const ends = draft.ends === 'at' ? emptyDraft.ends : draft.ends
  const how = { kind, side, sizeUnit, slippage, minutes, postOnly, tif, stp, trail, ends }
  const next = { ...emptyDraft, ...how }
  // What was changed while the order was on its way belongs to the next one.
  const changed = Object.entries(draft).filter(([name, value]) => sent[name as Name] !== value)
  return { ...next, ...Object.fromEntries(changed) }
}

type Name = keyof Draft

/** The text in which a field of the ticket is typed. */
export function textOf(draft: Draft, field: TicketField): string {
  switch (field) {
    case 'price':
      return draft.price
    case 'amount':
      return draft.size
    case 'stop':
      return draft.stop
    case 'take_profit':
      return draft.takeProfit
    case 'stop_loss':
      return draft.stopLoss
    case 'slippage':
      return draft.slippage
    case 'duration':
      return draft.minutes
    case 'expiry':
      return draft.endsAt
    case 'form':
      return ''
    default:
      field satisfies never
      return ''
  }
}

export type Request =
  | Readonly<{ kind: 'limit'; body: LimitBody }>
  | Readonly<{ kind: 'market'; body: MarketBody }>
  | Readonly<{ kind: 'stop'; body: StopBody }>
  | Readonly<{ kind: 'twap'; body: TwapBody }>

export type Problem = Readonly<{ field: TicketField; message: string }>

export type Built = Readonly<
  { request: Request; problem: null } | { request: null; problem: Problem }
>

/** Decimals of a market's prices and sizes: they say what a comma means. */
export type Places = Pick<MarketGrid, 'tickPlaces' | 'lotPlaces'>

const unknownPlaces: Places = { tickPlaces: anyPlaces, lotPlaces: anyPlaces }
const centPlaces = 2

/** The texts of a draft by the number that each of them means; what means none stays as it was
 *  typed. */
export function understood(draft: Draft, places: Places): Draft {
  const price = (text: string) => cleaned(text, places.tickPlaces)
  return {
    ...draft,
    price: price(draft.price),
    stop: price(draft.stop),
    trail: cleaned(draft.trail),
    activation: price(draft.activation),
    takeProfit: price(draft.takeProfit),
    stopLoss: price(draft.stopLoss),
    size: cleaned(draft.size, sizePlaces(draft, places)),
    slippage: cleaned(draft.slippage),
    minutes: cleaned(draft.minutes),
  }
}

function sizePlaces({ sizeUnit }: Draft, { lotPlaces }: Places): number {
  return sizeUnit === 'usd' ? centPlaces : lotPlaces
}

/** The price at which a draft's size in dollars is turned into base units. */
export function valuePrice(draft: Draft, mark: number): number {
  const { kind, price, stop, stopLimit, trails } = draft
  if (kind === 'market' || kind === 'twap') return mark
  if (kind === 'stop') return (trails ? 0 : Number(stopLimit ? price : stop)) || mark
  return Number(price) || mark
}

/** Size in base units; an off-grid one in base is left for the exchange to answer. */
export function amountOf(typed: Draft, grid: MarketGrid, mark: number): string {
  const draft = understood(typed, grid)
  const { size } = draft
  if (draft.sizeUnit === 'base' || !isNumber(size)) return size
  const price = valuePrice(draft, mark)
  return price > 0 ? numberOnGrid(Number(size) / price, grid.lot, 'down') : '0'
}

/** The size field's text for an amount of base units. */
export function sizeText(amount: string, draft: Draft, mark: number): string {
  if (draft.sizeUnit === 'base') return amount
  const dollars = Number(amount) * valuePrice(draft, mark)
  return numberOnGrid(dollars, { stepValue: 1, stepScale: 2 }, 'down')
}

/** A share of the most that is possible, on the grid. */
export function shareOf(maxAmount: string, percent: number, grid: MarketGrid): string {
  const lots = stepsOf(maxAmount, grid.lot) ?? 0
  return formatGrid(Math.floor((lots * percent) / 100), grid.lot)
}

export function build(
  draft: Draft,
  symbol: string,
  amount: string,
  places: Places = unknownPlaces,
  /** On the clock of the exchange. */
  now = 0,
): Built {
  const problem = problemOf(draft, places) ?? endProblem(draft, now)
  return problem === null
    ? { request: requestOf(understood(draft, places), symbol, amount, now), problem: null }
    : { request: null, problem }
}

function endProblem(draft: Draft, now: number): Problem | null {
  const message = expiryProblem(draft, now)
  return message === null ? null : { field: 'expiry', message }
}

function problemOf(draft: Draft, places: Places): Problem | null {
  const { kind, stopLimit, trails, withLevels, takeProfit, stopLoss } = draft
  const { tickPlaces } = places
  const wants = (field: TicketField, what: string, text: string, decimals: number = anyPlaces) => {
    const wrong = entryProblem(text, decimals)
    return wrong === null ? null : { field, message: `${what} ${wrong}` }
  }
  const price = (field: TicketField, what: string, text: string) =>
    wants(field, what, text, tickPlaces)
  const priced = kind === 'limit' || (kind === 'stop' && stopLimit && !trails)
  const leveled = withLevels && (kind === 'limit' || kind === 'market')
  return (
    (kind === 'stop' && !trails ? price('stop', 'The trigger price', draft.stop) : null) ??
    (kind === 'stop' && trails ? wants('stop', 'The distance', draft.trail) : null) ??
    (kind === 'stop' && trails && draft.activation !== ''
      ? price('stop', 'The price it starts at', draft.activation)
      : null) ??
    (priced ? price('price', 'The price', draft.price) : null) ??
    wants('amount', 'The size', draft.size, sizePlaces(draft, places)) ??
    (kind === 'market' || kind === 'twap'
      ? wants('slippage', 'The slippage', draft.slippage)
      : null) ??
    (kind === 'twap' ? wants('duration', 'The duration', draft.minutes) : null) ??
    (leveled && takeProfit !== '' ? price('take_profit', 'The take profit', takeProfit) : null) ??
    (leveled && stopLoss !== '' ? price('stop_loss', 'The stop loss', stopLoss) : null)
  )
}

function levelsOf({ withLevels, takeProfit, stopLoss }: Draft) {
  if (!withLevels) return {}
  return {
    ...(takeProfit !== '' && { take_profit: { stop_price: takeProfit } }),
    ...(stopLoss !== '' && { stop_loss: { stop_price: stopLoss } }),
  }
}

/** Only what is not as it always was: a request without it keeps its bytes. */
function optionsOf(draft: Draft, now: number) {
  const expire_time = expireTimeOf(draft, now)
  return {
    timing: expire_time === null ? {} : { expire_time },
    giving: draft.stp === emptyDraft.stp ? {} : { stp: draft.stp },
  }
}

/** What fires a stop, and the limit of what it makes; one that trails makes a market order. */
function watchOf({ trails, trail, activation, stop, stopLimit, price }: Draft) {
  if (trails)
    return {
      trailing_percent: trail,
      ...(activation !== '' && { activation_price: activation }),
    }
  return { stop_price: stop, ...(stopLimit && { limit_price: price }) }
}

function requestOf(draft: Draft, symbol: string, amount: string, now: number): Request {
  const { kind, side, reduceOnly: reduce_only } = draft
  const common = { symbol, side, reduce_only }
  const { timing, giving } = optionsOf(draft, now)
  if (kind === 'stop') {
    return { kind, body: { ...common, stop_order: { ...watchOf(draft), amount }, ...timing } }
  }
  if (kind === 'twap') {
    const duration_in_seconds = Math.round(Number(draft.minutes) * 60)
    const slippage_percent = draft.slippage
    return { kind, body: { ...common, amount, slippage_percent, duration_in_seconds } }
  }
  const levels = levelsOf(draft)
  if (kind === 'market')
    return {
      kind,
      body: { ...common, amount, slippage_percent: draft.slippage, ...levels, ...giving },
    }
  const tif = draft.postOnly ? ('ALO' as const) : draft.tif
  const options = { ...timing, ...giving }
  return { kind, body: { ...common, amount, price: draft.price, tif, ...levels, ...options } }
}

/** What to ask the preview. A stop is shown as the order it would make, a TWAP as if all of it were
 *  traded at the mark: no book has to be deep enough for it at once. */
export function previewOf(request: Request, account: string, mark: string): PreviewRequest {
  if (request.kind === 'twap') {
    const { symbol, side, amount, reduce_only } = request.body
    return { account, symbol, side, amount, reduce_only, price: mark, tif: 'GTC' }
  }
  if (request.kind !== 'stop') return { account, ...request.body }
  const { symbol, side, reduce_only, stop_order } = request.body
  const amount = stop_order.amount ?? '0'
  const common = { account, symbol, side, reduce_only, amount }
  if (stop_order.limit_price == null) return { ...common, slippage_percent: '10' }
  return { ...common, price: stop_order.limit_price, tif: 'GTC' }
}
