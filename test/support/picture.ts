// What both engines must agree on in addition to their events: one plain picture of an exchange,
// made by each engine from its own state with its own arithmetic.

import { algosOf } from '../../src/core/algos/algo-life.ts'
import { levelsOf } from '../../src/core/book/book.ts'
import type { BookSide } from '../../src/core/book/book-side.ts'
import { levelIdsOf } from '../../src/core/levels/position-levels.ts'
import {
  AccountSums,
  requirementOf,
  sumAccount,
  withdrawableOf,
} from '../../src/core/margin/margin.ts'
import { liveOrders } from '../../src/core/orders/cancel-order.ts'
import type { Market } from '../../src/core/state/market.ts'
import type { State } from '../../src/core/state/state.ts'
import { feedHealths } from '../../src/words/order-words.ts'

export type PositionView = Readonly<{
  market: number
  lots: number
  cost: number
  /** 0 on a cross position. */
  wallet: number
  /** Since the position was opened; 0 on a flat row. */
  fundingPaid: number
  feesPaid: number
  /** Steps in a row without a fill of an isolated scope, 0 on a cross position (LIQ-2). */
  unfilledSteps: number
  isolated: boolean
  leverage: number
  /** MARGIN-2, for this market. */
  requirement: number
  /** Ids of the levels, 0 for none. */
  takeProfit: readonly number[]
  stopLoss: readonly number[]
}>

export type AccountView = Readonly<{
  account: number
  balance: number
  pending: number
  /** MARGIN-3, cross. */
  equity: number
  maintenance: number
  /** Of the cross scope. */
  unfilledSteps: number
  /** MARGIN-7. */
  withdrawable: number
  /** Open and waiting orders, stops and levels: ids rising. */
  orders: readonly number[]
  /** Ids of running algos, rising. */
  algos: readonly number[]
  /** Rising by market; only where lots ≠ 0 or the requirement ≠ 0. */
  positions: readonly PositionView[]
}>

/** Price, then the orders in time order as [id, remaining]. */
export type LevelView = Readonly<{ price: number; orders: readonly (readonly [number, number])[] }>

export type MarketView = Readonly<{
  market: number
  oracle: number
  mark: number
  /** Micro-dollars of one lot at the guarded prices of a long and a short (MARGIN-3). */
  guarded: Readonly<{ long: number; short: number }>
  health: string
  catchingUp: boolean
  openInterest: number
  pool: number
  /** Samples of this hour and their sum (FUND-1). */
  samples: number
  premiums: number
  /** Best first. */
  bids: readonly LevelView[]
  asks: readonly LevelView[]
}>

export type Picture = Readonly<{
  /** Markets whose funding pool is open (FUND-4). */
  openPools: number
  accounts: readonly AccountView[]
  markets: readonly MarketView[]
}>

const sums = new AccountSums()

export function pictureOf(state: State) {
  return {
    openPools: state.openPools,
    accounts: Array.from({ length: state.accounts.count }, (_, at) => accountView(state, at + 1)),
    markets: state.markets
      .filter((market) => market !== undefined)
      .map((market) => marketView(state, market)),
  }
}

function accountView(state: State, account: number) {
  const { accounts } = state
  const withdrawable = Math.max(0, withdrawableOf(state, account))
  sumAccount(state, account, 0, sums)
  const { equity, maintenance, takerPpm } = sums
  return {
    account,
    balance: accounts.balance[account]!,
    pending: accounts.pending[account]!,
    equity,
    maintenance,
    unfilledSteps: accounts.unfilledSteps[account]!,
    withdrawable,
    orders: liveOrders(state, account, 0, 'none'),
    algos: algosOf(state, account).map(({ id }) => id),
    positions: rowsOf(state, account)
      .map((row) => positionView(state, row, takerPpm))
      .filter(({ lots, requirement }) => lots !== 0 || requirement !== 0),
  }
}

function rowsOf(state: State, account: number): number[] {
  const rows: number[] = []
  let row = state.accounts.rows[account]!
  while (row !== 0) {
    rows.push(row)
    row = state.positions.nextOfAccount[row]!
  }
  return rows
}

function positionView(state: State, row: number, takerPpm: number) {
  const { positions } = state
  const market = state.markets[positions.market[row]!]!
  const { leverageMax } = market.params
  const setting = positions.leverage[row]!
  const lots = positions.lots[row]!
  const buys = positions.buys[row]!
  const sells = positions.sells[row]!
  const losses = positions.losses[row]!
  const isolated = positions.isolated[row] === 1
  return {
    market: market.id,
    lots,
    cost: positions.cost[row]!,
    wallet: positions.wallet[row]!,
    fundingPaid: lots === 0 ? 0 : positions.fundingPaid[row]!,
    feesPaid: lots === 0 ? 0 : positions.feesPaid[row]!,
    unfilledSteps: isolated ? positions.unfilledSteps[row]! : 0,
    isolated,
    leverage: setting === 0 ? leverageMax : Math.min(setting, leverageMax),
    requirement: requirementOf(state, market, row, lots, buys, sells, losses, takerPpm),
    takeProfit: [...levelIdsOf(state, row).takeProfit],
    stopLoss: [...levelIdsOf(state, row).stopLoss],
  }
}

function marketView(state: State, market: Market) {
  return {
    market: market.id,
    oracle: market.oracle,
    mark: market.mark,
    guarded: { long: market.longValue, short: market.shortValue },
    health: feedHealths[market.health]!,
    catchingUp: market.catchingUp,
    openInterest: market.openInterest,
    pool: market.pool,
    samples: market.sampleCount,
    premiums: market.sampleSum,
    bids: sideView(state, market.bids),
    asks: sideView(state, market.asks),
  }
}

/** Levels best first; the orders of a level in time order. */
export function sideView(state: State, side: BookSide) {
  const { levels, orders } = state
  return levelsOf(state, side).map((level) => {
    const queue: [number, number][] = []
    for (let slot = levels.head[level]!; slot !== 0; slot = orders.levelNext(slot))
      queue.push([orders.id(slot), orders.remaining(slot)])
    return { price: levels.price[level]!, orders: queue }
  })
}
