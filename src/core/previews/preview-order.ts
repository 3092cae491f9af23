// Previews a new order without placing it, and computes the largest size of an order or an edit.
// Runs the same checks as the order's own command, on a copy of the account as that command would
// find it: with its funding settled and a row in the market.

import { divFloor } from '../../units/rounding.ts'
import type { Lots } from '../../units/units.ts'
import {
  accountRefusal,
  agentRefusal,
  marketRefusal,
  unsupportedRefusal,
} from '../admission/admit.ts'
import type { Signed } from '../admission/signed-texts.ts'
import type {
  EditOrder,
  OnMarket,
  PlaceMarketOrder,
  PlaceOrder,
  Proof,
} from '../commands/commands.ts'
import type { Rejection, RejectionName } from '../commands/rejections.ts'
import { Draft, RUNS_NOW } from '../drafts/draft.ts'
import { stpOf } from '../drafts/order-options.ts'
import { tifOf, timeInForceOf } from '../drafts/times-in-force.ts'
import { AccountCopies } from '../matching/account-copies.ts'
import { CollectedFills } from '../matching/collect-fills.ts'
import { NEW, orderRefusal } from '../orders/check-order.ts'
import { editRefusal } from '../orders/edit-order.ts'
import { findEditable } from '../orders/find-order.ts'
import { fillDraft } from '../orders/place-order.ts'
import { worstPrice } from '../prices/order-prices.ts'
import { limits } from '../rules/limits.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { type Afterwards, previewFill } from './preview-fill.ts'

export type OrderWish = PlaceOrder | PlaceMarketOrder

export type OrderPreview = Readonly<{
  refusal: Rejection | null
  /** `null` if the order is too malformed to be simulated. */
  after: Afterwards | null
  /** The largest size that would be accepted now, or 0. */
  most: number
}>

/** The caller. `agent` null: the owner. */
export type Caller = Pick<Proof, 'agent' | 'ip'>
export const owner: Caller = { agent: null, ip: null }

type RefusalOf = (wish: OrderWish, size: number) => Rejection | null

const draft = new Draft()
const edited = new Draft()
const collected = new CollectedFills()

/** `proof` is ignored, because a previewed order is not signed. `leverage`: previews the order as
 *  if the account had set this leverage first; it must be valid in the market. `by`: previews it as
 *  sent by that agent. */
export function previewOrder(
  state: State,
  order: OrderWish,
  leverage = 0,
  by: Caller = owner,
): OrderPreview {
  const wish = { ...order, proof: null }
  const tried = copyOf(state, wish, leverage, by)
  if ('refusal' in tried) return { refusal: tried.refusal, after: null, most: 0 }
  draft.row = tried.row
  const refusalOf: RefusalOf = (sought, size) => wishRefusal(tried.state, sought, size, by.agent)
  const own = refusalOf(wish, wish.size)
  const after = own === null || isPlayable(state) ? previewFill(tried.state, draft) : null
  const accepted = own === null ? wish.size : 0
  return { refusal: own, after, most: largest(tried.state, wish, accepted, refusalOf) }
}

type Tried = Readonly<{ state: State; row: number }> | Readonly<{ refusal: Rejection }>

/** Copies the account with its row in the market, or returns the reason to reject the request. */
export function copyOf(state: State, wish: Signed & OnMarket, leverage: number, by: Caller): Tried {
  const refusal =
    accountRefusal(state, wish.account) ??
    agentRefusal(state, wish.account, by, 'trade') ??
    marketRefusal(state, wish.market) ??
    unsupportedRefusal(state, wish)
  if (refusal !== null) return { refusal }
  const copies = new AccountCopies(state, state.markets[wish.market]!)
  const row = copies.rowOf(wish.account)
  if (leverage !== 0) copies.state.positions.leverage[row] = leverage
  return { state: copies.state, row }
}

/** The largest size to which this edit would be accepted now, or 0 if there is none or the order
 *  does not exist. The price must be one of the market's. */
export function largestEdit(state: State, command: EditOrder): number {
  const { account, market: id } = command
  const slot = findEditable(state, account, id, command)
  if (slot === 0) return 0
  const market = state.markets[id]!
  const copies = new AccountCopies(state, market)
  edited.row = copies.rowOf(account)
  const refusalOf = (size: number) =>
    editRefusal(copies.state, edited, market, slot, { ...command, size: size as Lots })
  return search({ low: 0, high: sizeEnd(market), refusalOf })
}

/** Whether the order meets an order of its owner before it takes anything, and yields (ORDER-15).
 *  The account and the market exist. */
export function endsAtOwn(state: State, wish: OrderWish): boolean {
  const copies = new AccountCopies(state, state.markets[wish.market]!)
  draft.row = copies.rowOf(wish.account)
  fillDraft(copies.state, draft, { ...wish, proof: null }, RUNS_NOW)
  if (!isPlayable(copies.state)) return false
  const { market, row, side, price, options } = draft
  const stp = stpOf(options)
  collected.run(copies.state, market, row, side, price, 1, state.rules.limits.ordersWalked, stp)
  return collected.lots === 0 && collected.endsAtOwn
}

/** Runs the checks of the order's own command for this size. They leave their results in the
 *  draft. */
function wishRefusal(
  state: State,
  wish: OrderWish,
  size: number,
  agent: string | null,
): Rejection | null {
  fillDraft(state, draft, wish, RUNS_NOW)
  draft.agent = agent
  draft.size = size
  return orderRefusal(state, draft, NEW)
}

/** Whether a rejected draft still has a valid side, price and size. */
function isPlayable(state: State): boolean {
  const { market, size, slippagePpm } = draft
  const { tickMin, tickMax } = market.params
  if (draft.side < 0 || draft.tif < 0 || !Number.isSafeInteger(size) || size < 1) return false
  if (!(slippagePpm >= 0 && slippagePpm <= state.rules.limits.slippagePpmMax)) return false
  if (draft.isMarket) draft.price = worstPrice(market, draft.sign, slippagePpm)
  if (!(draft.price >= tickMin && draft.price <= tickMax)) return false
  return size * tickMax * market.unitValue <= limits.moneyMax
}

/** Rejections that a smaller size can avoid. All others need a larger size, or cannot be avoided by
 *  the size. */
const tooLarge: ReadonlySet<RejectionName> = new Set<RejectionName>([
  // In a reduce-only market (CORE-7), a size up to the position is accepted.
  'TRADING_DISABLED',
  'ORDER_AMOUNT_TOO_HIGH',
  'INVALID_REDUCE_ONLY_ORDER_AMOUNT',
  'OPEN_INTEREST_LIMIT_EXCEEDED',
  'POSITION_LIMIT_EXCEEDED',
  'INSUFFICIENT_BALANCE',
  'IMMEDIATE_LIQUIDATION',
  'TOO_MANY_ORDERS_TO_CHECK',
])

/** Whether a policy rejects the value of the order or of the position, or allows only reducing
 *  (ACCT-9, rules 5 to 7). */
function isTooLargeFor({ name, numbers: [rule = 0] }: Rejection): boolean {
  return name === 'AGENT_LIMIT' && rule >= 5
}

/** `accepted`: a size known to be accepted, or 0. */
function largest(state: State, wish: OrderWish, accepted: number, refusalOf: RefusalOf): number {
  let high = sizeEnd(state.markets[wish.market]!)
  let sought = wish
  if (wish.type === 'PlaceOrder' && timeInForceOf(tifOf(wish.tif)).whole) {
    // A size larger than the book is accepted and expires immediately, which is useless, so the
    // size is limited to the crossing lots. Up to that size the order needs the same as an IOC
    // order.
    sought = { ...wish, tif: 'IOC' }
    high = Math.min(high, crossing(state, wish, high) + 1)
  }
  return search({ low: accepted, high, refusalOf: (size) => refusalOf(sought, size) })
}

/** A size above the largest that a market can accept. */
function sizeEnd({ params, unitValue }: Market): number {
  return divFloor(params.orderValueMax, params.tickMin * unitValue) + 1
}

type Search = Readonly<{
  /** A size known to be accepted, or 0. */
  low: number
  /** A size known to be too large. */
  high: number
  refusalOf(size: number): Rejection | null
}>

function search({ low: accepted, high: end, refusalOf }: Search): number {
  let low = accepted
  let high = end
  const isTooLarge = (size: number): boolean => {
    const refusal = refusalOf(size)
    return refusal !== null && (tooLarge.has(refusal.name) || isTooLargeFor(refusal))
  }
  // A check walks as much of the book as the size takes. Doubling from below keeps the sizes near
  // the result.
  for (let step = Math.max(1, low); low + step < high; step *= 2)
    if (isTooLarge(low + step)) high = low + step
    else low += step
  while (high - low > 1) {
    const middle = low + divFloor(high - low, 2)
    if (isTooLarge(middle)) high = middle
    else low = middle
  }
  if (low === accepted) return low
  return refusalOf(low) === null ? low : accepted
}

/** Lots of the other side within the order's limit, at most `size`. */
function crossing(state: State, wish: OrderWish, size: number): number {
  fillDraft(state, draft, wish, RUNS_NOW)
  if (draft.side < 0) return 0
  const most = state.rules.limits.ordersWalked
  const { market, row, side, price, options } = draft
  collected.run(state, market, row, side, price, size, most, stpOf(options))
  return collected.lots
}
