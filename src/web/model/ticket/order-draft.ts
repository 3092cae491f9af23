// An order as it stands in the ticket, and the request it becomes. Whatever the person typed is put
// into the request as it is, so that the exchange's own answer, with its numbers, is what they see;
// only what is no number at all is refused here.

import { formatGrid } from '../../../units/decimal.ts'
import { type MarketGrid, numberOnGrid, stepsOf } from '../market/market-grid.ts'
import type { LimitBody, MarketBody, PreviewRequest, StopBody, TwapBody } from '../wire.ts'
import type { TicketField } from './refusal-field.ts'

export type OrderKind = 'limit' | 'market' | 'stop' | 'twap'
export type Tif = 'GTC' | 'IOC' | 'FOK' | 'TOB'

export type Draft = Readonly<{
  kind: OrderKind
  side: 'bid' | 'ask'
  price: string
  /** What fires a stop. */
  stop: string
  /** A stop makes a limit order at `price`. */
  stopLimit: boolean
  size: string
  sizeUnit: 'base' | 'usd'
  tif: Tif
  postOnly: boolean
  reduceOnly: boolean
  withLevels: boolean
  takeProfit: string
  stopLoss: string
  slippage: string
  /** Over which a TWAP is worked off. */
  minutes: string
}>

export const emptyDraft: Draft = {
  kind: 'limit',
  side: 'bid',
  price: '',
  stop: '',
  stopLimit: false,
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

const decimal = /^(0|[1-9][0-9]*)(\.[0-9]+)?$/

/** '1,000.50' and '.5' are numbers too, when a person types them. */
export function cleaned(text: string): string {
  const bare = text.trim().replaceAll(',', '')
  const whole = bare.startsWith('.') ? `0${bare}` : bare
  return whole.endsWith('.') ? whole.slice(0, -1) : whole
}

export function isNumber(text: string): boolean {
  return decimal.test(cleaned(text))
}

/** The price at which a draft's size in dollars is turned into base units. */
export function valuePrice({ kind, price, stop, stopLimit }: Draft, mark: number): number {
  if (kind === 'market' || kind === 'twap') return mark
  if (kind === 'stop') return Number(cleaned(stopLimit ? price : stop)) || mark
  return Number(cleaned(price)) || mark
}

/** Size in base units; an off-grid one in base is left for the exchange to answer. */
export function amountOf(draft: Draft, grid: MarketGrid, mark: number): string {
  const size = cleaned(draft.size)
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

export function build(draft: Draft, symbol: string, amount: string): Built {
  const problem = problemOf(draft, amount)
  return problem === null
    ? { request: requestOf(draft, symbol, amount), problem: null }
    : { request: null, problem }
}

function problemOf(draft: Draft, amount: string): Problem | null {
  const { kind, stopLimit, withLevels, takeProfit, stopLoss } = draft
  const wants = (field: TicketField, text: string, what: string): Problem | null =>
    isNumber(text)
      ? null
      : { field, message: text.trim() === '' ? `${what} is missing` : `${what} is not a number` }
  const priced = kind === 'limit' || (kind === 'stop' && stopLimit)
  const leveled = withLevels && (kind === 'limit' || kind === 'market')
  return (
    (kind === 'stop' ? wants('stop', draft.stop, 'The trigger price') : null) ??
    (priced ? wants('price', draft.price, 'The price') : null) ??
    wants('amount', amount, 'The size') ??
    (kind === 'market' || kind === 'twap'
      ? wants('slippage', draft.slippage, 'The slippage')
      : null) ??
    (kind === 'twap' ? wants('duration', draft.minutes, 'The duration') : null) ??
    (leveled && takeProfit !== '' ? wants('take_profit', takeProfit, 'The take profit') : null) ??
    (leveled && stopLoss !== '' ? wants('stop_loss', stopLoss, 'The stop loss') : null)
  )
}

function levelsOf({ withLevels, takeProfit, stopLoss }: Draft) {
  if (!withLevels) return {}
  return {
    ...(takeProfit !== '' && { take_profit: { stop_price: cleaned(takeProfit) } }),
    ...(stopLoss !== '' && { stop_loss: { stop_price: cleaned(stopLoss) } }),
  }
}

function requestOf(draft: Draft, symbol: string, amount: string): Request {
  const { kind, side, reduceOnly: reduce_only } = draft
  const common = { symbol, side, reduce_only }
  if (kind === 'stop') {
    const limit = draft.stopLimit ? { limit_price: cleaned(draft.price) } : {}
    const stop_order = { stop_price: cleaned(draft.stop), amount, ...limit }
    return { kind, body: { ...common, stop_order } }
  }
  if (kind === 'twap') {
    const duration_in_seconds = Math.round(Number(cleaned(draft.minutes)) * 60)
    const slippage_percent = cleaned(draft.slippage)
    return { kind, body: { ...common, amount, slippage_percent, duration_in_seconds } }
  }
  const levels = levelsOf(draft)
  if (kind === 'market')
    return {
      kind,
      body: { ...common, amount, slippage_percent: cleaned(draft.slippage), ...levels },
    }
  const tif = draft.postOnly ? ('ALO' as const) : draft.tif
  return { kind, body: { ...common, amount, price: cleaned(draft.price), tif, ...levels } }
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
