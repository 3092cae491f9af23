// What would become of a new order, without placing it, and how large an order may be or be made by
// an edit. It runs the very checks of the order's own command, on the state as that command would
// find it: with the account's funding settled and a row in the market. Whatever that writes is put
// back; nobody can tell that it was asked.

import { divFloor } from '../../units/rounding.ts'
import type { Lots } from '../../units/units.ts'
import { dropNewestRow, findRow, rowOf } from '../accounts/position-row.ts'
import { accountRefusal, marketRefusal, unsupportedRefusal } from '../admit.ts'
import type { EditOrder, PlaceMarketOrder, PlaceOrder } from '../commands/commands.ts'
import type { Rejection, RejectionName } from '../commands/rejections.ts'
import { owedFunding } from '../funding/settle-funding.ts'
import type { Market } from '../markets/market.ts'
import { NEW, orderRefusal, worstPrice } from '../orders/check-order.ts'
import { Draft, FOK } from '../orders/draft.ts'
import { editRefusal } from '../orders/edit-order.ts'
import { findSlot } from '../orders/find-order.ts'
import { fillDraft } from '../orders/place-order.ts'
import { limits } from '../rules/limits.ts'
import type { State } from '../state/state.ts'
import { dryRun, Taking } from './dry-run.ts'
import { type Afterwards, expectedOutcome } from './expected-outcome.ts'

export type OrderWish = PlaceOrder | PlaceMarketOrder

export type OrderPreview = Readonly<{
  refusal: Rejection | null
  /** Null when the order is too misshapen to be played through. */
  after: Afterwards | null
  /** The largest size of such an order that would be accepted now; 0 when none would be. */
  most: number
}>

const draft = new Draft()
const taking = new Taking()

/** `proof` plays no part: an order that is only imagined is nobody's signed text. With `leverage`,
 *  as if the account had set that first; it is one that the market has. */
export function previewOrder(state: State, asked: OrderWish, leverage = 0): OrderPreview {
  const wish = { ...asked, proof: null }
  const refusal =
    accountRefusal(state, wish.account) ??
    marketRefusal(state, wish.market) ??
    unsupportedRefusal(state, wish)
  if (refusal !== null) return { refusal, after: null, most: 0 }
  return asIfPlaced(state, { ...wish, leverage }, () => {
    const own = wishRefusal(state, wish, wish.size)
    const after = own === null || isPlayable() ? expectedOutcome(state, draft) : null
    return { refusal: own, after, most: largest(state, wish, own === null ? wish.size : 0) }
  })
}

/** The largest size to which this edit would be accepted now; 0 when there is none, or no such
 *  order. Its price is one of the market's. */
export function largestEdit(state: State, command: EditOrder): number {
  const { account, market: id } = command
  const slot = findSlot(state, account, id, command)
  if (slot === 0) return 0
  const market = state.markets[id]!
  const refusalOf = (size: number) =>
    editRefusal(state, market, slot, { ...command, size: size as Lots })
  return asIfPlaced(state, command, () => search({ low: 0, high: sizeEnd(market), refusalOf }))
}

type OrderPlace = Pick<OrderWish, 'account' | 'market'> & Readonly<{ leverage?: number }>

/** Runs `ask` with the account's funding settled and a row in the market; puts all back. */
function asIfPlaced<T>(
  state: State,
  { account, market: id, leverage = 0 }: OrderPlace,
  ask: () => T,
): T {
  const { accounts, positions, counters } = state
  const market = state.markets[id]!
  const { marginChecks } = counters
  const balance = accounts.balance[account]!
  const queued = state.dirtyCount
  const found = findRow(market, account)
  const own = rowOf(state, market, account)
  draft.row = own
  const setting = positions.leverage[own]!
  if (leverage !== 0) positions.leverage[own] = leverage
  const wallets: [row: number, wallet: number][] = []
  for (let row = accounts.rows[account]!; row !== 0; row = positions.nextOfAccount[row]!) {
    const payment = owedFunding(state, state.markets[positions.market[row]!]!, row)
    wallets.push([row, positions.wallet[row]!])
    if (positions.isolated[row] === 1) positions.wallet[row] = positions.wallet[row]! + payment
    else accounts.balance[account] = accounts.balance[account]! + payment
  }
  try {
    return ask()
  } finally {
    positions.leverage[own] = setting
    for (const [row, wallet] of wallets) positions.wallet[row] = wallet
    accounts.balance[account] = balance
    counters.marginChecks = marginChecks
    // A FOK order is tried out and marks whom it met for a new liquidation trigger.
    while (state.dirtyCount > queued) {
      state.dirtyCount -= 1
      accounts.dirty[state.dirty[state.dirtyCount]!] = 0
    }
    if (found === 0) dropNewestRow(state, market, own)
  }
}

/** The checks of the order's own command, for this size; the draft is then what they made of it. */
function wishRefusal(state: State, wish: OrderWish, size: number): Rejection | null {
  fillDraft(state, draft, wish, 0)
  draft.size = size
  return orderRefusal(state, draft, NEW)
}

/** Whether a refused draft still has a side, a price and a size that can be reckoned with. */
function isPlayable(): boolean {
  const { market, size, slippagePpm } = draft
  const { tickMin, tickMax } = market.params
  if (draft.side < 0 || draft.tif < 0 || !Number.isSafeInteger(size) || size < 1) return false
  if (!(slippagePpm >= 0 && slippagePpm <= limits.slippagePpmMax)) return false
  if (draft.isMarket) draft.price = worstPrice(market, draft.sign, slippagePpm)
  if (!(draft.price >= tickMin && draft.price <= tickMax)) return false
  return size * tickMax * market.unitValue <= limits.moneyMax
}

/** Refusals that a smaller size can cure. Every other one is cured by a larger size, or by none. */
const tooLarge: ReadonlySet<RejectionName> = new Set<RejectionName>([
  'ORDER_AMOUNT_TOO_HIGH',
  'INVALID_REDUCE_ONLY_ORDER_AMOUNT',
  'OPEN_INTEREST_LIMIT_EXCEEDED',
  'INSUFFICIENT_BALANCE',
  'IMMEDIATE_LIQUIDATION',
])

/** `accepted`: a size known to be accepted, or 0. */
function largest(state: State, wish: OrderWish, accepted: number): number {
  let high = sizeEnd(state.markets[wish.market]!)
  let sought = wish
  if (wish.type === 'PlaceOrder' && wish.tif === 'FOK') {
    // A FOK order larger than the book is accepted and expires at once, which is no use to anyone:
    // what counts is what fills. Up to there it needs what an IOC order needs.
    sought = { ...wish, tif: 'IOC' }
    high = Math.min(high, crossing(state, wish, high) + 1)
  }
  const refusalOf = (size: number) => wishRefusal(state, sought, size)
  return search({ low: accepted, high, refusalOf })
}

/** Beyond the largest size that a market can take. */
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
    return refusal !== null && tooLarge.has(refusal.name)
  }
  // A check walks as much of the book as the size takes: doubling from below stays near the answer.
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
  fillDraft(state, draft, wish, 0)
  if (draft.side < 0 || draft.tif !== FOK) return 0
  dryRun(state, draft.market, draft.row, draft.side, draft.price, size, taking)
  return taking.lots
}
