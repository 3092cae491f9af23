// All projections, in the order in which they read an event: accounts come before projections that
// refer to them.

import { Payments } from './payments/payments.ts'
import type { Database, Projection, Retention } from './projection.ts'
import { selectWire } from './rows/wire-row.ts'
import { completeAfterRow, stepsCompleteAfterRow } from './schema/store-table.ts'
import { StatementRows } from './statements/statement-rows.ts'
import { Accounts } from './tables/accounts.ts'
import { Algos } from './tables/algos.ts'
import { Balances, type Opening } from './tables/balances.ts'
import { Bars } from './tables/bars/bars.ts'
import { Candles } from './tables/bars/candles.ts'
import { MarketStates } from './tables/bars/market-states.ts'
import { FillLists } from './tables/fill-lists.ts'
import { Fills } from './tables/fills.ts'
import { Funding } from './tables/funding.ts'
import { Liquidations } from './tables/liquidations.ts'
import { OperatorActions } from './tables/operator-actions.ts'
import { OrderReads } from './tables/orders/order-reads.ts'
import { Orders } from './tables/orders/orders.ts'
import { Portfolio } from './tables/portfolio.ts'
import { Trades } from './tables/trades.ts'

export type Tables = ReturnType<typeof tablesOf>

/** `reserved`: addresses of the initial accounts of an exchange, by id from 1. */
export function tablesOf(
  database: Database,
  {
    reserved,
    retention,
    stretch,
    opening,
    fromSeq = 0,
  }: Readonly<{
    reserved: readonly string[]
    retention: Retention
    stretch?: number
    opening?: Opening
    /** Seq after which history begins. */
    fromSeq?: number
  }>,
) {
  const accounts = new Accounts(database, reserved)
  const bars = new Bars(database, opening)
  const trades = new Trades(database, retention, opening?.markets.length)
  const ledger = { accounts, retention, fromSeq, ...(opening === undefined ? {} : { opening }) }
  const balances = new Balances(database, ledger)
  const lotsOf = (account: number, market: number) => balances.lotsOf(account, market)
  const marketIds = () => trades.marketIds()
  const portfolio = new Portfolio(database, { accounts, balances, marketIds })
  return {
    accounts,
    fills: new Fills(database, { accounts, retention, lists: new FillLists(database, stretch) }),
    orders: new Orders(database, { accounts, retention, lotsOf }),
    trades,
    bars,
    candles: new Candles(database),
    marketStates: new MarketStates(database),
    liquidations: new Liquidations(database, accounts),
    funding: new Funding(database, accounts),
    algos: new Algos(database, accounts),
    balances,
    portfolio,
    statements: new StatementRows(database, { accounts, balances, portfolio, marketIds }),
    payments: new Payments(database),
    operatorActions: new OperatorActions(database),
    completeAfter: selectWire(database, completeAfterRow, 'FROM progress'),
    stepsCompleteAfter: selectWire(database, stepsCompleteAfterRow, 'FROM progress'),
    orderReads: new OrderReads(database, accounts),
  }
}

export const projectionNames = [
  'accounts',
  'fills',
  'orders',
  'trades',
  'bars',
  'funding',
  'balances',
  'algos',
  'payments',
  'liquidations',
] as const
export type ProjectionName = (typeof projectionNames)[number]
export type Projections = readonly (readonly [ProjectionName, Projection])[]

/** The marks of all projections. */
export type Marks = Readonly<Record<ProjectionName, unknown>>
/** The marks of a store that is being created. */
export const noMarks = '{}'

export function projectionsOf(tables: Tables): Projections {
  return projectionNames.map((name) => [name, tables[name]])
}

export function resumeAll(projections: Projections, marks: Marks): void {
  for (const [name, projection] of projections) projection.resume(marks[name])
}
