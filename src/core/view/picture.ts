// A plain copy of the exchange for readers and comparisons: everything an account owns, and every
// book. Created from the state with the functions that the engine itself uses.

import { feedHealths } from '../../words/order-words.ts'
import { algosOf } from '../algos/algo-life.ts'
import { levelsOf } from '../book/book.ts'
import type { BookSide } from '../book/book-side.ts'
import { levelIdsOf } from '../levels/position-levels.ts'
import { AccountSums, requirementOf, sumAccount, withdrawableOf } from '../margin/margin.ts'
import { liveOrders } from '../orders/cancel-order.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'

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
