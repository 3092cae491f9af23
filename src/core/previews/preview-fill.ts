// A drafted order filled in full. Lots that cross now fill at the prices of the book with the
// taker's fee; lots that would rest fill at the order's price with the maker's fee; lots behind the
// last visited order (ORDER-2) fill at the order's price with the taker's fee. The fills are
// settled on a copy of the account.

import type { Draft } from '../drafts/draft.ts'
import { stpOf } from '../drafts/order-options.ts'
import { timeInForceOf } from '../drafts/times-in-force.ts'
import { EventLog } from '../events/event-log.ts'
import { makerPpmOf, takerPpmOf } from '../margin/fee-tier.ts'
import { Fill } from '../margin/fill.ts'
import { requirementOf, worstLots } from '../margin/margin.ts'
import { addedMargin, openingLoss } from '../margin/margin-checks.ts'
import { AccountCopies } from '../matching/account-copies.ts'
import { CollectedFills } from '../matching/collect-fills.ts'
import { settleSide } from '../matching/settle-fill.ts'
import { crosses, entryLoss } from '../orders/order-life.ts'
import { FEES } from '../pools/account-pool.ts'
import { limits } from '../rules/limits.ts'
import type { State } from '../state/state.ts'

/** The account in the order's market afterwards. */
export type Afterwards = Readonly<{
  /** Value of the order: at its limit, or at mark for a market order. */
  value: number
  fee: number
  /** Additional margin required after the order has arrived; 0 for a reduce-only order. */
  margin: number
  lots: number
  cost: number
  /** The price that a post-only order would take first, so that it ends without a fill (ORDER-4);
   *  0: none. */
  meets: number
  isolated: boolean
  balance: number
  /** Wallet of an isolated position. */
  wallet: number
  /** Worst-case value of position and open orders at mark, which decides the tier. */
  reach: number
}>

const collected = new CollectedFills()
const fill = new Fill()
/** Discards the events of the copies. */
const unread = new EventLog()

export function previewFill(state: State, draft: Draft): Afterwards {
  const { market, account, row, side, price, size } = draft
  const { takes, rests, whole } = timeInForceOf(draft.tif)
  const most = state.rules.limits.ordersWalked
  if (takes) collected.run(state, market, row, side, price, size, most, stpOf(draft.options))
  else collected.clear()
  const meets = takes ? 0 : metBy(draft)
  const ends = whole || collected.endsAtOwn || !(rests || collected.cut) || meets !== 0
  const rest = ends ? 0 : size - collected.lots
  const isolated = state.positions.isolated[row] === 1
  const copies = new AccountCopies(state, market)
  const own = copies.bring(account, state, row)
  const { accounts, positions } = copies.state
  const number = positions.account[own]!
  const takerPpm = takerPpmOf(copies.state, number)
  // The rebate of the resting lots is unknown before they fill, so all of it is counted.
  accounts.balance[FEES] = limits.moneyMax
  for (let at = 0; at < collected.count; at++)
    settle(
      copies.state,
      draft,
      own,
      collected.given[at]!,
      state.orders.price(collected.slots[at]!),
      takerPpm,
    )
  const moved = isolated ? movedMargin(state, draft) : 0
  const bound = boundBy(state, draft, collected.lots, rest)
  const restPpm = collected.cut ? takerPpm : makerPpmOf(copies.state, number)
  if (rest > 0) settle(copies.state, draft, own, rest, price, restPpm)
  unread.clear()
  return {
    value: size * (draft.isMarket ? market.mark : price) * market.unitValue,
    fee: accounts.balance[FEES]! - limits.moneyMax,
    margin: Math.max(0, moved + bound.more),
    lots: positions.lots[own]!,
    cost: positions.cost[own]!,
    meets,
    isolated,
    balance: accounts.balance[number]!,
    wallet: positions.wallet[own]!,
    reach: bound.reach,
  }
}

/** The best price of the other side if the order crosses it, otherwise 0. */
function metBy({ market, side, price }: Draft): number {
  return crosses(market, side, price) ? (side === 0 ? market.asks : market.bids).bestPrice : 0
}

function settle(
  state: State,
  { market, sign }: Draft,
  row: number,
  lots: number,
  price: number,
  feePpm: number,
): void {
  fill.lots = lots
  fill.price = price
  fill.value = lots * price * market.unitValue
  fill.feePpm = feePpm
  settleSide(state, unread, market, row, sign, fill)
}

/** The margin moved into the wallet for lots that are taken and that open (MARGIN-6). */
function movedMargin({ positions }: State, { market, row, sign }: Draft): number {
  const { lots, openLots, openValue } = collected
  const kept = (Math.abs(positions.lots[row]!) - (lots - openLots)) * market.lotValue
  const margin = addedMargin(market, positions.leverage[row]!, kept, openValue)
  return margin + openingLoss(market, sign, openLots, openValue)
}

/** The increase of the market's requirement when `taken` lots have filled and `rest` are open, and
 *  the value of the worst case then. */
function boundBy(state: State, draft: Draft, taken: number, rest: number) {
  const { positions } = state
  const { market, row, side, sign } = draft
  const takerPpm = takerPpmOf(state, positions.account[row]!)
  const lots = positions.lots[row]!
  const buys = positions.buys[row]!
  const sells = positions.sells[row]!
  const losses = positions.losses[row]!
  // A reduce-only order reserves no margin (MARGIN-2).
  const open = draft.reduceOnly ? 0 : rest
  const before = requirementOf(state, market, row, lots, buys, sells, losses, takerPpm)
  const held = lots + sign * taken
  const bids = buys + (side === 0 ? open : 0)
  const asks = sells + (side === 0 ? 0 : open)
  const after = requirementOf(
    state,
    market,
    row,
    held,
    bids,
    asks,
    losses + open * entryLoss(market, side, draft.price),
    takerPpm,
  )
  return { more: after - before, reach: worstLots(held, bids, asks) * market.lotValue }
}
