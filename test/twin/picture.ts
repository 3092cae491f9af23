// The naive exchange as the picture both engines are compared by (test/support/picture.ts).

import type { Side } from '../../src/words/order-words.ts'
import type * as view from '../support/picture.ts'
import { holdingOf, isIsolated, openInterest, ordersOf } from './core/lookup.ts'
import * as margin from './margin/margin.ts'
import type { Account, Market, Naive } from './state.ts'
import { num } from './units/numbers.ts'

export function viewOfNaive(naive: Naive): view.Picture {
  return {
    openPools: naive.markets.filter(({ pool }) => pool !== null).length,
    accounts: naive.accounts.map((account) => accountView(naive, account)),
    markets: naive.markets.map((market) => marketView(naive, market)),
  }
}

function accountView(naive: Naive, account: Account): view.AccountView {
  const pending = naive.withdrawals.filter((one) => one.account === account.id)
  const own = (one: { account: number }): boolean => one.account === account.id
  const orders = [...ordersOf(naive, account, null), ...naive.stops.filter(own)]
  return {
    account: account.id,
    balance: num(account.balance),
    pending: num(pending.reduce((sum, one) => sum + one.amount, 0n)),
    equity: num(margin.equityOf(naive, account, 0)),
    maintenance: num(margin.maintenanceOfScope(naive, account, 0)),
    unfilledSteps: account.unfilled[0]?.count ?? 0,
    withdrawable: num(margin.withdrawable(naive, account)),
    orders: orders.map((one) => one.id).sort((a, b) => a - b),
    algos: naive.algos
      .filter(own)
      .map((one) => one.id)
      .sort((a, b) => a - b),
    positions: naive.markets.flatMap((market) => positionView(naive, account, market)),
  }
}

function positionView(naive: Naive, account: Account, market: Market): view.PositionView[] {
  const holding = holdingOf(account, market)
  const exposure = margin.exposureOf(naive, account, market)
  const requirement = margin.requirementOf(naive, account, { market, exposure })
  const flat = holding.lots === 0n
  const isolated = isIsolated(account, market)
  if (flat && requirement === 0n) return []
  return [
    {
      market: market.id,
      lots: num(holding.lots),
      cost: num(holding.cost),
      wallet: num(holding.wallet),
      fundingPaid: flat ? 0 : num(holding.fundingPaid),
      feesPaid: flat ? 0 : num(holding.feesPaid),
      unfilledSteps: isolated ? (account.unfilled[market.id]?.count ?? 0) : 0,
      isolated,
      leverage: num(margin.leverageOf(account, market)),
      requirement: num(requirement),
      takeProfit: [...holding.takeProfit],
      stopLoss: [...holding.stopLoss],
    },
  ]
}

function marketView(naive: Naive, market: Market): view.MarketView {
  return {
    market: market.id,
    oracle: num(market.oracle),
    mark: num(market.mark),
    guarded: {
      long: num(margin.guardedPrice(market, 1n) * market.K),
      short: num(margin.guardedPrice(market, -1n) * market.K),
    },
    health: market.health,
    catchingUp: market.catchingUp,
    openInterest: num(openInterest(naive, market)),
    pool: num(market.pool?.amount ?? 0n),
    samples: market.premiumCount,
    premiums: num(market.premiumSum),
    bids: levelViews(market, 'bid'),
    asks: levelViews(market, 'ask'),
  }
}

function levelViews(market: Market, side: Side): view.LevelView[] {
  const levels: { price: number; orders: [number, number][] }[] = []
  for (const order of market.book.filter((one) => one.side === side)) {
    const price = num(order.price)
    let level = levels.find((one) => one.price === price)
    if (!level) {
      level = { price, orders: [] }
      levels.push(level)
    }
    level.orders.push([order.id, num(order.remaining)])
  }
  return levels.sort((a, b) => (side === 'bid' ? b.price - a.price : a.price - b.price))
}
