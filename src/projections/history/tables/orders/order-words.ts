// Converts facts of the core about orders to words of the API. Rows store indexes into these lists.

import { type EventOf, rejections } from '../../../../core/index.ts'
import { type OrderEventName, type OrderStatus, orderTypes } from '../../../../protocol/words.ts'
import {
  cancelReasons,
  orderTypeNames,
  type origins,
  orderTypes as types,
} from '../../../../words/order-words.ts'

export const MARKET = orderTypes.indexOf('market')

/** Whether the order type is a stop. The core's list of types equals the API's, so that indexes
 *  are the same. */
export function isStop(type: number): boolean {
  return types[orderTypeNames[type]!].trigger !== null
}

type Directed = Pick<EventOf<'StopPlaced'>, 'orderType' | 'side' | 'up'>

/** Whether a stop triggers in the other direction than its side implies (TRIG-10). */
export function isTurned({ orderType, side, up }: Directed): boolean {
  return types[orderType].trigger === 'stop' && up !== (side === 'bid')
}

const firstEvents = {
  user: 'make',
  trigger: 'stop_upgrade',
  algo: 'twap_triggered',
  liquidation: 'make',
  backstop: 'make',
} as const satisfies Readonly<Record<(typeof origins)[number], OrderEventName>>

type Origin = keyof typeof firstEvents

/** Event name of an order's first step. Orders of resting algos have the same names as orders of
 *  traders. */
export function firstEventOf(origin: Origin, isMarket: boolean): OrderEventName {
  return origin === 'algo' && !isMarket ? 'make' : firstEvents[origin]
}

export function isEnded(status: OrderStatus): boolean {
  return status !== 'open' && status !== 'partially_filled'
}

type CancelReason = (typeof cancelReasons)[number]

/** Event names of an order's last step. Scheduled cancels, edits and armed connections count as
 *  cancels by the owner. */
const endings: Readonly<Record<CancelReason, OrderEventName>> = {
  owner: 'cancel',
  replaced: 'cancel',
  scheduled: 'cancel',
  disconnected: 'cancel',
  oco: 'cancel',
  expired: 'expired',
  post_only_rejected: 'post_only_rejected',
  self_trade_prevented: 'self_trade_prevented',
  margin: 'force_cancel',
  mmp: 'force_cancel',
  reduce_only: 'force_cancel',
  open_interest: 'force_cancel',
  liquidation: 'force_cancel',
  market_closed: 'force_cancel',
  parent_ended: 'force_cancel',
  refused: 'force_cancel',
}

export function endingOf(reason: number): OrderEventName {
  return endings[cancelReasons[reason]!]
}

export function endStatusOf(reason: number): OrderStatus {
  return cancelReasons[reason] === 'post_only_rejected' ? 'rejected' : 'cancelled'
}

/** Reasons for which an order ends while it runs against the book. */
const ranInto: ReadonlySet<CancelReason> = new Set<CancelReason>([
  'expired',
  'post_only_rejected',
  'self_trade_prevented',
  'margin',
  'open_interest',
])

type Ending = Readonly<{
  /** Index into cancelReasons. */
  reason: number
  /** −1 if the order did not rest. */
  levelLots: number
  filled: number
  expireTime: number | null
  atMs: number
}>

/** Whether an order ended before it traded, rested or ran against the book: it was cancelled while
 *  it waited, or rejected at its release. Only its owner ever sees it. */
export function endedUnreleased(ending: Ending): boolean {
  const { reason, levelLots, filled, expireTime, atMs } = ending
  if (filled > 0 || levelLots !== -1) return false
  const word = cancelReasons[reason]!
  const outOfTime = word === 'expired' && expireTime !== null && atMs >= expireTime
  return outOfTime || !ranInto.has(word)
}

const REFUSED = cancelReasons.indexOf('refused')
const refusals = 100
const nameOfCode = new Map<number, string>(
  Object.entries(rejections).map(([name, { code }]) => [code, name]),
)

/** Encodes why an order ended: 0 if it has not, then the reasons, then rejection codes. */
export function reasonNumber(reason: number, code: number): number {
  return reason === REFUSED ? refusals + code : 1 + reason
}

export function reasonText(number: number): string | null {
  if (number === 0) return null
  if (number < refusals) return cancelReasons[number - 1]!
  return nameOfCode.get(number - refusals) ?? 'refused'
}
