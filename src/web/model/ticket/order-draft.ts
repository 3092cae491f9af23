// An order as shown in the ticket. User input is kept unchanged, and parsed when it is read.

import type { SelfTradeMode, Tif } from '../../../protocol/words.ts'
import { formatGrid } from '../../../units/decimal.ts'
import { type Entered, emptyRow, type LevelKind, type LevelRow } from '../levels/level-rows.ts'
import { type MarketGrid, numberOnGrid, stepsOf } from '../market/market-grid.ts'
import { cleaned, isNumber } from '../number-entry.ts'
import type { Ending } from './expiry.ts'
import { type OrderKind, orderKinds, type Pair } from './order-kinds.ts'
import type { TicketField } from './refusal-field.ts'

/** Time in force. ALO is not an option, because the ticket has the checkbox "Post only". */
export type TicketTif = Exclude<Tif, 'ALO'>

/** Prices that can trigger a stop, by their names in requests. */
export const triggerPrices = {
  mark: 'mark_price',
  last: 'last_trade_price',
  mid: 'mid_price',
} as const
export type TriggerBy = keyof typeof triggerPrices

export type Draft = Readonly<{
  kind: OrderKind
  side: 'bid' | 'ask'
  price: string
  /** Trigger price of a stop. */
  stop: string
  /** Price that triggers a stop. A trailing one follows the mark. */
  triggerBy: TriggerBy
  /** Direction in which the price reaches the trigger; `null` for the default, from below for a
   *  buy. */
  way: 'gte' | 'lte' | null
  /** Whether a stop places a limit order at `price`. */
  stopLimit: boolean
  /** Whether a stop trails the best mark at a distance in percent, immediately or from a price
   *  on. */
  trails: boolean
  trail: string
  activation: string
  size: string
  sizeUnit: 'base' | 'usd'
  tif: TicketTif
  postOnly: boolean
  reduceOnly: boolean
  withLevels: boolean
  takeProfits: readonly LevelRow[]
  stopLosses: readonly LevelRow[]
  /** Maximum slippage of a market order, and of a slice of a TWAP. */
  slippage: string
  twapSlippage: string
  /** Maximum slippage of a stop market order; empty for the default of the market. */
  stopSlippage: string
  /** Duration of a TWAP in minutes. */
  minutes: string
  ends: Ending
  endsAt: string
  /** Self-trade prevention. */
  stp: SelfTradeMode
  /** Visible size of an iceberg. */
  display: string
  /** Combination of an OCO's legs, and the lower price of two stops. */
  pair: Pair
  below: string
  /** Last price of a scale, the number of its orders, and whether their sizes grow. */
  to: string
  count: string
  rising: boolean
}>

export const emptyDraft: Draft = {
  kind: 'limit',
  side: 'bid',
  price: '',
  stop: '',
  triggerBy: 'mark',
  way: null,
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
  takeProfits: [emptyRow],
  stopLosses: [emptyRow],
  slippage: '1',
  twapSlippage: '1',
  stopSlippage: '',
  minutes: '10',
  ends: 'never',
  endsAt: '',
  stp: 'cancel_maker',
  display: '',
  pair: 'rests',
  below: '',
  to: '',
  count: '5',
  rising: false,
}

const waits: ReadonlySet<OrderKind> = new Set<OrderKind>(['stop', 'oco'])

/** Changes the draft. A stop does not keep the expiry of an order, because protection must not
 *  expire unnoticed. */
export function changed(before: Draft, part: Partial<Draft>): Draft {
  const after = { ...before, ...part }
  if (after.kind === before.kind || !waits.has(after.kind)) return after
  const { ends, endsAt } = { ...emptyDraft, ...part }
  return { ...after, ends, endsAt }
}

/** Clears price and size after an order was sent, and keeps the options: a trader who only posts
 *  must not take because an option was reset unnoticed. */
export function cleared(draft: Draft, sent: Draft): Draft {
  const { kind, side, sizeUnit, minutes, postOnly, tif, stp, trail } = draft
  const { slippage, twapSlippage, pair, count, rising, triggerBy } = draft
  const how = { kind, side, sizeUnit, minutes, postOnly, tif, stp, trail, triggerBy }
  const next = { ...emptyDraft, ...how, slippage, twapSlippage, pair, count, rising }
  // Changes made while the order was being sent belong to the next order.
  const changed = Object.entries(draft).filter(([name, value]) => sent[name as Name] !== value)
  return { ...next, ...Object.fromEntries(changed) }
}

type Name = keyof Draft

/** Name of the slippage field of this kind. */
export function slippageName({ kind }: Pick<Draft, 'kind'>) {
  if (kind === 'stop') return 'stopSlippage'
  return kind === 'twap' ? 'twapSlippage' : 'slippage'
}

/** Input text of a field. */
export function textOf(draft: Draft, field: TicketField): string {
  switch (field) {
    case 'price':
      return draft.price
    case 'amount':
      return draft.size
    case 'stop':
      return draft.stop
    case 'trail':
      return draft.trail
    case 'activation':
      return draft.activation
    case 'take_profit':
    case 'stop_loss':
      // An empty row is not a level, so it has no problem.
      return field
    case 'slippage':
      return draft[slippageName(draft)]
    case 'duration':
      return draft.minutes
    case 'expiry':
      return draft.endsAt
    case 'display':
      return draft.display
    case 'below':
      return draft.below
    case 'to':
      return draft.to
    case 'count':
      return draft.count
    case 'form':
      return ''
    default:
      field satisfies never
      return ''
  }
}

/** Decimals of a market's prices and sizes, which determine the meaning of a comma. */
export type Places = Pick<MarketGrid, 'tickPlaces' | 'lotPlaces'>

const centPlaces = 2

/** Replaces the inputs of the draft by their numbers. Invalid inputs stay unchanged. */
export function understood(draft: Draft, places: Places): Draft {
  const price = (text: string) => cleaned(text, places.tickPlaces)
  return {
    ...draft,
    price: price(draft.price),
    stop: price(draft.stop),
    trail: cleaned(draft.trail),
    activation: price(draft.activation),
    size: cleaned(draft.size, sizePlaces(draft, places)),
    slippage: cleaned(draft.slippage),
    twapSlippage: cleaned(draft.twapSlippage),
    stopSlippage: cleaned(draft.stopSlippage),
    minutes: cleaned(draft.minutes),
    display: cleaned(draft.display, places.lotPlaces),
    below: price(draft.below),
    to: price(draft.to),
    count: cleaned(draft.count),
  }
}

export function sizePlaces({ sizeUnit }: Draft, { lotPlaces }: Places): number {
  return sizeUnit === 'usd' ? centPlaces : lotPlaces
}

/** Whether the draft is a stop that places a limit order. */
export const hasLimit = ({ kind, stopLimit, trails }: Draft) =>
  kind === 'stop' && stopLimit && !trails

/** Slippage of a stop; `null` if it has none, or uses the default of the market. */
export const ownSlippage = (draft: Draft) =>
  draft.kind === 'stop' && !hasLimit(draft) && draft.stopSlippage !== '' ? draft.stopSlippage : null

/** Whether the draft has no side, because it buys above or sells below. */
export const isBothWays = ({ kind, pair }: Draft) => kind === 'oco' && pair === 'breakout'

/** Whether the draft has a price at which it would rest. */
export const isPriced = (draft: Draft) =>
  draft.kind === 'limit' ||
  draft.kind === 'iceberg' ||
  draft.kind === 'chase' ||
  draft.kind === 'scale' ||
  (draft.kind === 'oco' && draft.pair === 'rests') ||
  hasLimit(draft)

/** Whether the draft waits for the mark to reverse by some percent. */
export const isTrailing = ({ kind, trails, pair }: Draft) =>
  trails && (kind === 'stop' || (kind === 'oco' && pair === 'rests'))

/** Whether the draft waits for the mark to reach a price. */
export const isTriggered = (draft: Draft) =>
  (draft.kind === 'stop' || draft.kind === 'oco') && !isTrailing(draft)

/** Direction in which the mark has to reach the price of a stop. */
export const wayOf = ({ way, side }: Pick<Draft, 'way' | 'side'>) =>
  way ?? (side === 'bid' ? 'gte' : 'lte')

/** Price at which a draft's size in dollars is converted to base units. */
export function valuePrice(draft: Draft, mark: number): number {
  const { kind, price, stop, to } = draft
  if (kind === 'scale') return (Number(price) + (Number(to) || Number(price))) / 2 || mark
  if (isPriced(draft)) return Number(price) || mark
  return (isTriggered(draft) ? Number(stop) : 0) || mark
}

/** Rows of a level kind, if the order may have levels. */
export function rowsIn(draft: Draft, kind: LevelKind): readonly LevelRow[] {
  if (!draft.withLevels || !orderKinds[draft.kind].levels) return []
  return kind === 'take_profit' ? draft.takeProfits : draft.stopLosses
}

/** Side of the position that the draft would open. */
export function enteredBy(draft: Draft, amount: string, mark: number): Entered {
  return { side: draft.side, entry: valuePrice(draft, mark), mark, amount }
}

/** Size in base units. The exchange refuses off-grid input. */
export function amountOf(typed: Draft, grid: MarketGrid, mark: number): string {
  const draft = understood(typed, grid)
  const { size } = draft
  if (draft.sizeUnit === 'base' || !isNumber(size)) return size
  const price = valuePrice(draft, mark)
  return price > 0 ? numberOnGrid(Number(size) / price, grid.lot, 'down') : '0'
}

/** Input text of the size field for an amount of base units. */
export function sizeText(amount: string, draft: Draft, mark: number): string {
  if (draft.sizeUnit === 'base') return amount
  const dollars = Number(amount) * valuePrice(draft, mark)
  return numberOnGrid(dollars, { stepValue: 1, stepScale: 2 }, 'down')
}

/** A share of the maximum, on the grid. */
export function shareOf(maxAmount: string, percent: number, grid: MarketGrid): string {
  const lots = stepsOf(maxAmount, grid.lot) ?? 0
  return formatGrid(Math.floor((lots * percent) / 100), grid.lot)
}
