// The enums of the API, each defined once. Schemas validate against them, and history stores
// indexes into them. New words are appended, so that stored indexes stay valid.

import type { Mode } from '../words/order-words.ts'

export {
  algoEnds,
  algoKinds,
  allowances,
  modes as modeWords,
  type OptionName,
  type OptionWords,
  type OrderTypeName as OrderType,
  optionNames,
  orderOptions,
  orderTypeNames as orderTypes,
  type SelfTradeMode,
  selfTradeModes,
  type TakerOptionName,
  type Tif,
  takerOptionNames,
  tifs,
  timesInForce,
} from '../words/order-words.ts'

export const orderStatuses = [
  'open',
  'partially_filled',
  'filled',
  'cancelled',
  'rejected',
] as const
export type OrderStatus = (typeof orderStatuses)[number]

export const orderEventNames = [
  'make',
  'stop_created',
  'fulfill_market',
  'fulfill_limit',
  'adjust',
  'stop_parent_order_filled',
  'stop_triggered',
  'stop_upgrade',
  'twap_triggered',
  'cancel',
  'force_cancel',
  'expired',
  'post_only_rejected',
  'self_trade_prevented',
] as const
export type OrderEventName = (typeof orderEventNames)[number]

export const twapEventNames = [
  'twap_created',
  'twap_triggered',
  'fulfill_market',
  'cancel',
  'force_cancel',
  'expired',
] as const
export type TwapEventName = (typeof twapEventNames)[number]

/** Causes of a change of an account's money. */
export const balanceEvents = [
  'deposit',
  'withdraw',
  'withdraw_completed',
  'withdraw_failed',
  'subaccount_transfer',
  'trade',
  'funding',
  'isolated_margin',
  'market_liquidation',
  'backstop_liquidation',
  'adl_liquidation',
  'debt_covered',
  'settlement',
  'reserve_transfer',
  'opening',
] as const
export type BalanceEvent = (typeof balanceEvents)[number]

/** Price scenarios of a sandbox. */
export const scenarioNames = ['crash', 'pump', 'wick', 'squeeze', 'freeze'] as const
export type ScenarioName = (typeof scenarioNames)[number]

/** Allowed aggregation levels of a book, in ticks. */
export const gathers = [1, 2, 5, 10, 100, 1_000, 10_000] as const
export type Gather = (typeof gathers)[number]

/** The text of a market's status, and which actions are still allowed. */
type StatusText = Readonly<{
  label: string
  /** Continues a sentence such as "BTC is stale: ". */
  means: string
  can: string
}>

const resting = 'You can still cancel, edit, set stops, and place orders that rest'

export const marketStatuses = {
  live: { label: 'live', means: 'the price is fresh', can: 'You can trade' },
  catching_up: {
    label: 'catching up',
    means: 'the price moved fast, and the mark price is still catching up',
    can:
      'You can trade; until the mark is there, what you may open, close or withdraw is computed ' +
      'at the newest price where that is worse for you',
  },
  reduce_only: {
    label: 'reduce-only',
    means: 'orders that take must only reduce a position',
    can: 'You can still close, cancel, set stops, and place orders that rest',
  },
  stale: { label: 'stale', means: 'no orders match until the next price arrives', can: resting },
  post_only: { label: 'post-only', means: 'no orders match', can: resting },
  cancel_only: {
    label: 'cancel-only',
    means: 'no orders are accepted',
    can: 'You can still cancel',
  },
  halted: { label: 'halted', means: 'no orders are accepted', can: 'You can still cancel' },
  settled: {
    label: 'settled',
    means: 'trading has ended',
    can: 'Positions were closed at the settlement price',
  },
} as const satisfies Readonly<Record<string, StatusText>>

export type StatusWord = keyof typeof marketStatuses
export const statusWords = Object.keys(marketStatuses) as readonly StatusWord[]

export const priceStateWords = ['live', 'catching_up', 'stale', 'cancel_only'] as const

/** The disagreement between a market's price sources: the lowest and highest counted prices, and
 *  their difference relative to the lowest. */
export type SourcesApart = Readonly<{
  lowest: string
  highest: string
  percent: string
  /** Whether a combined price exists nonetheless, which needs three or more sources. */
  has_price: boolean
}>

/** For example: `the sources disagree: 60000 and 62400, 4 % apart`. */
export function apartText({ lowest, highest, percent }: SourcesApart): string {
  return `the sources disagree: ${lowest} and ${highest}, ${percent} % apart`
}

/** The fields of a market's row in `GET /info/risk` that concern its status. */
export type Standing = Readonly<{
  status: StatusWord
  mode: Mode
  price_state: (typeof priceStateWords)[number]
  price_age_ms: number
  stale_after_ms: number
  sources_apart?: SourcesApart | null
}>

/** Returns the cause of a market's status if known: an operator, or the age of its price. */
export function causeOf(standing: Standing): string | null {
  const { status, mode, price_age_ms: age, stale_after_ms: oldest } = standing
  const { sources_apart: apart = null } = standing
  const dispute = apart === null || apart.has_price ? '' : `, because ${apartText(apart)}`
  const none = `no price for ${secondsText(age)}${dispute}`
  if (status === 'stale')
    return age > oldest
      ? `${none}; orders match on one of ${secondsText(oldest)} at most`
      : `after a start, five good prices have to come first${dispute.replace(', because', ', and')}`
  if (status === 'cancel_only' && mode !== 'cancel_only')
    return age > oldest
      ? `${none}; after a silence that long five good ones have to come`
      : 'after a long silence, five good prices have to come first'
  return status === mode ? 'set by the operator' : null
}

/** For example: `4.5 s`, `3 min`. */
export function secondsText(ms: number): string {
  const seconds = ms / 1_000
  if (seconds >= 120) return `${Math.floor(seconds / 60)} min`
  return seconds < 10 ? `${Math.floor(seconds * 10) / 10} s` : `${Math.floor(seconds)} s`
}
