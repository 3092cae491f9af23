// What both engines must agree on in addition to their events: one plain picture of an exchange,
// made by each engine from its own state with its own arithmetic.

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
