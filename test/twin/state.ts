// Everything the naive exchange knows: plain objects and arrays, quantities as BigInt, ids and
// times as numbers. Nothing is kept that could be worked out from orders and positions.

import type { KeptAction } from '../../src/core/commands/commands.ts'
import type { MarketChange, MarketParams } from '../../src/core/commands/market-params.ts'
import type { Event, EventOf } from '../../src/core/events/event-fields.ts'
import type { Genesis } from '../../src/core/state/genesis.ts'
import type { Mode, Side, Tif } from '../../src/words/order-words.ts'
import {
  type Brake,
  brakeOfVenue,
  type Credit,
  type Withdrawal,
} from './accounts/approval-state.ts'
import type { Agent, ApiKey, Armed, Text } from './accounts/keys.ts'
import type { AlgoOf } from './algos/algo.ts'
import type { Rules } from './markets/quantities.ts'
import type { Options } from './orders/options.ts'
import type { Protection } from './orders/protected.ts'
import type { Stop } from './triggers/stop.ts'

export type { Agent, ApiKey, Armed, Rules, Stop, Text, Withdrawal }
export type Algo = AlgoOf<Order>

/** What an account has and has set in one market. */
export type Holding = {
  lots: bigint
  cost: bigint
  wallet: bigint
  /** Since the position was opened. */
  fundingPaid: bigint
  feesPaid: bigint
  /** Ids of its levels. */
  takeProfit: number[]
  stopLoss: number[]
  untimed: Text[]
  leverage: bigint | null
  isolated: boolean | null
}

export type Account = {
  id: number
  address: string
  main: number
  reserved: boolean
  balance: bigint
  /** All that ever came in less what went out, by its owner's or an operator's doing (ACCT-9). */
  broughtIn: bigint
  frozen: boolean
  holdings: Record<number, Holding>
  texts: Text[]
  /** Texts that expire by then may be forgotten (CORE-6). */
  mark: number
  agents: Agent[]
  apiKeys: ApiKey[]
  schedule: { time: number; keepProtective: boolean } | null
  armed: Armed[]
  /** Of a main account: value matched by its accounts, by UTC day. */
  volumes: Record<number, bigint>
  requested: { day: number; amount: bigint }
  /** By scope: liquidation steps in a row without a fill. */
  unfilled: Record<number, { count: number; at: number }>
  /** Of a backstop: its equity when first looked at on that day (LIQ-4). */
  dayEquity: { day: number; equity: bigint } | null
}

export type GoesOn = Pick<Stop, 'agent' | 'lastSlip'>

export type Order = {
  id: number
  account: number
  market: number
  side: Side
  price: bigint
  size: bigint
  remaining: bigint
  filled: bigint
  tif: Tif
  reduceOnly: boolean
  origin: EventOf<'OrderPlaced'>['origin']
  parent: number
  client: string | null
  /** A market order: not banded, valued at mark. */
  isMarket: boolean
  /** ORDER-3: when it arrived, when its speed bump is over, whether it is and the order goes on
   *  waiting, when that ends at the latest, and since when a tick without room releases it. */
  arrivedAt: number
  releaseAt: number
  awaitsTick: boolean
  waitEndsAt: number | null
  tickDueAt: number | null
  /** CORE-5: it stopped, or came when the units were used; the next command releases it first. */
  runsNext: boolean
  /** ORDER-10: the first id of its delayed batch. */
  batch: number | null
  /** ORDER-1: of a market order, how far from the fair price it goes. */
  slippage: bigint
  /** TRIG-3: of a reduce-only market stop that fired, as far as the key that set it may. */
  goesOn: GoesOn | null
  expireTime: number | null
  /** PRICE-8: since when it has had its place in the book. */
  standsSince: number
  /** MARGIN-2: fixed when it was counted. */
  lossPerLot: bigint
  ended: boolean
  /** Only of a liquidation order: what the liquidated side pays (LIQ-3). */
  liquidationPpm: bigint
} & Options

/** `releaseAt`: when the speed bump of its batch is over, or later its last order left waiting. */
export type Deferred = {
  id: number
  account: number
  batch: number
  releaseAt: number
  action: KeptAction
}
export type Scope = { account: number; scope: number }
/** An open funding pool and the unsettled accounts, with their lots at its opening. */
export type Pool = {
  epoch: number
  rate: bigint
  oracle: bigint
  amount: bigint
  owing: { account: number; lots: bigint }[]
}

/** MARGIN-3: how much worse than the mark an impact price was, and when that was last so. */
export type Gap = Readonly<{ width: bigint; price: bigint; period: number }>

export type Market = {
  id: number
  /** That of the exchange. */
  rulesVersion: number
  params: MarketParams
  rules: Rules
  K: bigint
  backstop: number
  mode: Mode
  settled: boolean
  /** Resting orders of both sides in order of time. */
  book: Order[]
  oracle: bigint
  mark: bigint
  catchingUp: boolean
  /** ORDER-13: by owner. */
  ownerLimits: Record<number, bigint>
  /** The newest price as it came. */
  raw: bigint
  /** FUND-1, as the last tick found them; 0: none. */
  impactBid: bigint
  impactAsk: bigint
  /** MARGIN-3: all gaps that count, of longs and of shorts. */
  gaps: Readonly<Record<'long' | 'short', readonly Gap[]>>
  lastTickAt: number
  /** PRICE-1: of the last tick; null: its price stands. */
  observedAt: number | null
  lastLiveTickAt: number
  livelySince: number
  health: EventOf<'FeedHealthChanged'>['health']
  /** 0: may become stale, 1: may become cancel-only, 2: nothing due before the next tick. */
  healthStage: number
  goodTicks: number
  /** PRICE-5: a start came, and not five good ticks since. */
  afterStart: boolean
  /** Open interest as money at the last tick (MARGIN-1). */
  openInterestMoney: bigint
  lastTrade: bigint | null
  nextEpochAt: number
  lastSampleAt: number
  premiumSum: bigint
  premiumCount: number
  pool: Pool | null
  /** `id` 0: kept tiers. */
  changes: { id: number; at: number; change: MarketChange; keeps: Rules | null }[]
  changesAnnounced: number
  /** Prices of the previous tick that had one (TRIG-3); the mid as the sum of the impact prices. */
  oldLast: bigint
  oldMid: bigint
}

export type Naive = {
  seq: number
  lastAtMs: number
  /** When the command under way came, also while its due work runs. */
  commandAt: number
  /** Engine time: the command's, or the due time of the due work that runs. */
  now: number
  /** The newest stamp (CORE-6). */
  stamp: number
  mode: Mode
  clockFrozen: boolean
  notes: Map<string, string>
  rulesVersion: number
  pricesMayStand: boolean
  /** CORE-3, CORE-5: what the command under way has used. */
  released: number
  units: number
  /** CORE-5: what the matches of this run of risk have used. */
  riskUnits: number
  /** Of what commands of their own accounts bring about (CORE-2, step 3). */
  ownRiskUnits: number
  feeTiers: { volumeDollars: bigint; maker: bigint; taker: bigint }[]
  accounts: Account[]
  markets: Market[]
  waiting: Order[]
  stops: Stop[]
  /** Pairs of which one happens (TRIG-14). */
  legs: (readonly [number, number])[]
  algos: Algo[]
  deferred: Deferred[]
  withdrawals: Withdrawal[]
  /** Deposits made: no other may use their reference. */
  references: { reference: string; account: number; amount: number }[]
  /** FEE-4: the fund's part in ppm, what the fee account had at the last full hour, and the next
   *  one. */
  insuranceShare: bigint
  feesCounted: bigint
  nextShareAt: number | null
  /** LIQ-5: what part of itself the fund pays on a day, in ppm; and each payment of the last day
   *  with one, with what the fund had before it. */
  fundDailyMax: bigint
  fundPayments: { day: number; had: bigint; amount: bigint }[]
  /** ACCT-8: the two limits, and every withdrawal that became payable, with its day. */
  approvalAbove: bigint | null
  payableMax: bigint | null
  payable: { day: number; amount: bigint }[]
  /** Withdrawals that became payable by one operator alone, with its day. */
  approvedAlone: { day: number; approver: string; amount: bigint }[]
  /** ACCT-10: the limit, credits that wait, and those that one operator made alone. */
  creditApprovalAbove: bigint | null
  credits: Credit[]
  nextCredit: number
  creditedAlone: { day: number; by: string; owner: number; amount: bigint }[]
  /** ACCT-11; null: off. */
  brake: Brake | null
  deposits: bigint
  withdrawn: bigint
  nextOrder: number
  nextHistory: number
  nextWithdrawal: number
  nextBinding: number
  triggerQueue: { stop: number; account: number }[]
  liquidationQueue: Scope[]
  takeoverQueue: Scope[]
  deleverageQueue: Scope[]
  /** Accounts (LIQ-8). */
  sweepQueue: number[]
  /** ORDER-18: marked by the order that runs, and those whose quotes are to go. */
  protections: Protection[]
  marked: { account: number; market: number }[]
  tripQueue: { account: number; market: number }[]
  events: Event[]
}

export const FEES = 1
export const INSURANCE = 2
export const DEFICIT = 3

export function newAccount(id: number, address: string, main: number): Account {
  return {
    id,
    address,
    main,
    reserved: false,
    balance: 0n,
    broughtIn: 0n,
    frozen: false,
    holdings: {},
    texts: [],
    mark: 0,
    agents: [],
    apiKeys: [],
    schedule: null,
    armed: [],
    volumes: {},
    requested: { day: 0, amount: 0n },
    unfilled: {},
    dayEquity: null,
  }
}

export function newNaive(genesis: Genesis): Naive {
  const addresses = [genesis.feesAddress, genesis.insuranceAddress, genesis.deficitAddress]
  return {
    seq: 0,
    lastAtMs: 0,
    stamp: 0,
    commandAt: 0,
    now: 0,
    mode: 'open',
    clockFrozen: false,
    notes: new Map(),
    rulesVersion: 1,
    pricesMayStand: genesis.pricesMayStand === true,
    released: 0,
    units: 0,
    riskUnits: 0,
    ownRiskUnits: 0,
    feeTiers: genesis.feeTiers.map((tier) => ({
      volumeDollars: BigInt(tier.volumeDollars),
      maker: BigInt(tier.makerPpm),
      taker: BigInt(tier.takerPpm),
    })),
    accounts: addresses.map((address, at) => ({
      ...newAccount(at + 1, address, at + 1),
      reserved: true,
    })),
    markets: [],
    waiting: [],
    stops: [],
    legs: [],
    algos: [],
    deferred: [],
    withdrawals: [],
    references: [],
    insuranceShare: 100_000n,
    feesCounted: 0n,
    nextShareAt: null,
    fundDailyMax: 500_000n,
    fundPayments: [],
    approvalAbove: null,
    payableMax: null,
    payable: [],
    approvedAlone: [],
    creditApprovalAbove: null,
    credits: [],
    nextCredit: 1,
    creditedAlone: [],
    brake: genesis.withdrawalBrake === true ? brakeOfVenue() : null,
    deposits: 0n,
    withdrawn: 0n,
    nextOrder: 1,
    nextHistory: 1,
    nextWithdrawal: 1,
    nextBinding: 1,
    triggerQueue: [],
    liquidationQueue: [],
    takeoverQueue: [],
    deleverageQueue: [],
    sweepQueue: [],
    protections: [],
    marked: [],
    tripQueue: [],
    events: [],
  }
}
