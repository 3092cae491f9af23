// The values of the margin check of an order (MARGIN-4), to explain a rejection: those of the
// order, the account as the check found it, and the results.

import type { Lots, Ppm, Quote } from '../../units/units.ts'
import type { EditOrder } from '../commands/commands.ts'
import type { Rejection } from '../commands/rejections.ts'
import { Draft, RUNS_NOW } from '../drafts/draft.ts'
import { takerPpmOf } from '../margin/fee-tier.ts'
import {
  AccountSums,
  initialFraction,
  initialMargin,
  requirementOf,
  sumAccount,
  worstLots,
} from '../margin/margin.ts'
import type { Change } from '../margin/margin-checks.ts'
import { AccountCopies } from '../matching/account-copies.ts'
import { NEW, orderRefusal } from '../orders/check-order.ts'
import { editRefusal } from '../orders/edit-order.ts'
import { findEditable } from '../orders/find-order.ts'
import { fillDraft } from '../orders/place-order.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import type { OrderWish } from './preview-order.ts'

export type OrderEntry = Readonly<{
  /** +1 buys, −1 sells. */
  sign: number
  /** Lots and value that the order would take, and the part that opens. The closing part comes
   *  first. */
  taken: Lots
  takenValue: Quote
  opened: Lots
  openedValue: Quote
  /** Lots that then remain open, and their entry loss. */
  rest: Lots
  restLoss: Quote
  /** The same for the order that an edit replaces. */
  freed: Lots
  freedLoss: Quote
  takerPpm: Ppm
  /** The account in the market, without this order. */
  isolated: boolean
  lots: Lots
  cost: Quote
  wallet: Quote
  buys: Lots
  sells: Lots
  losses: Quote
  /** Initial fractions of the market's tiers, at the account's leverage. */
  tiers: readonly Readonly<{ fromValue: Quote; maxLeverage: number; fractionPpm: Ppm }>[]
  balance: Quote
  /** Sums over all other markets. */
  elsewhere: Readonly<{
    /** Guarded equity, including the balance. */
    equity: Quote
    requirements: Quote
    maintenance: Quote
    /** Losses that reduce the withdrawable balance, in addition to requirements (MARGIN-7). */
    losses: Quote
    notional: Quote
    withheld: Quote
  }>
  /** For the market including the order: initial margin of the worst case, and the requirement. */
  worstMargin: Quote
  requirement: Quote
}>

const placed = new Draft()
const edited = new Draft()
const sums = new AccountSums()

/** Returns `null` if the margin check does not reject this order now. */
export function orderEntry(state: State, command: OrderWish | EditOrder): OrderEntry | null {
  const market = state.markets[command.market]
  if (market === undefined) return null
  const copies = new AccountCopies(state, market)
  const row = copies.rowOf(command.account)
  const refusal = refusalOf(state, copies.state, row, command)
  if (refusal === null || refusal.of === 'close') return null
  if (refusal.name !== 'INSUFFICIENT_BALANCE' && refusal.name !== 'IMMEDIATE_LIQUIDATION')
    return null
  const { change } = command.type === 'EditOrder' ? edited : placed
  return { ...orderPart(change, market.unitValue), ...accountPart(copies.state, row, change) }
}

function refusalOf(
  state: State,
  tried: State,
  row: number,
  command: OrderWish | EditOrder,
): Rejection | null {
  const market = state.markets[command.market]!
  if (command.type === 'EditOrder') {
    edited.row = row
    const slot = findEditable(state, command.account, command.market, command)
    return slot === 0 ? null : editRefusal(tried, edited, market, slot, command)
  }
  placed.row = row
  fillDraft(tried, placed, command, RUNS_NOW)
  return orderRefusal(tried, placed, NEW)
}

function orderPart(change: Change, unitValue: number) {
  return {
    sign: change.sign,
    taken: change.lots as Lots,
    takenValue: change.value as Quote,
    opened: change.openLots as Lots,
    openedValue: change.openValue as Quote,
    rest: change.rest as Lots,
    restLoss: (change.restLosses * unitValue) as Quote,
    freed: change.freed as Lots,
    freedLoss: (change.freedLosses * unitValue) as Quote,
    takerPpm: change.feePpm as Ppm,
  }
}

function accountPart(state: State, row: number, change: Change) {
  const { positions, markets } = state
  const market = markets[positions.market[row]!]!
  const account = positions.account[row]!
  const leverage = positions.leverage[row]!
  return {
    isolated: positions.isolated[row] === 1,
    lots: positions.lots[row]! as Lots,
    cost: positions.cost[row]! as Quote,
    wallet: positions.wallet[row]! as Quote,
    buys: positions.buys[row]! as Lots,
    sells: positions.sells[row]! as Lots,
    losses: (positions.losses[row]! * market.unitValue) as Quote,
    tiers: market.tiers.map(({ fromValue, maxLeverage }) => {
      const least = leverage === 0 ? maxLeverage : Math.min(leverage, maxLeverage)
      return {
        fromValue: fromValue as Quote,
        maxLeverage,
        fractionPpm: initialFraction(market, least) as Ppm,
      }
    }),
    balance: state.accounts.balance[account]! as Quote,
    elsewhere: elsewhere(state, account, row),
    ...withOrder(state, market, row, change),
  }
}

function elsewhere(state: State, account: number, row: number): OrderEntry['elsewhere'] {
  sumAccount(state, account, row, sums)
  return {
    equity: sums.guarded as Quote,
    requirements: sums.requirement as Quote,
    maintenance: sums.maintenance as Quote,
    losses: sums.losses as Quote,
    notional: sums.notional as Quote,
    withheld: sums.withheld as Quote,
  }
}

function withOrder(state: State, market: Market, row: number, change: Change) {
  const { positions } = state
  const { sign } = change
  const open = change.rest - change.freed
  const lots = positions.lots[row]! + sign * change.lots
  const buys = positions.buys[row]! + (sign > 0 ? open : 0)
  const sells = positions.sells[row]! + (sign < 0 ? open : 0)
  const losses = positions.losses[row]! + change.restLosses - change.freedLosses
  const worst = worstLots(lots, buys, sells) * market.lotValue
  const taker = takerPpmOf(state, positions.account[row]!)
  return {
    worstMargin: initialMargin(market, positions.leverage[row]!, worst) as Quote,
    requirement: requirementOf(state, market, row, lots, buys, sells, losses, taker) as Quote,
  }
}
