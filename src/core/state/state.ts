// The whole state of the exchange: one object, changed in place by the engine alone, without clock,
// randomness or floats. Only `createState` creates one.

import type { Quote } from '../../units/units.ts'
import { LevelPool } from '../book/level-pool.ts'
import type { FeeTier, KeptAction } from '../commands/commands.ts'
import type { LevelIds } from '../commands/level-ids.ts'
import { AccountPool } from '../pools/account-pool.ts'
import { OrderPool } from '../pools/order-pool.ts'
import { PositionPool } from '../pools/position-pool.ts'
import { DueQueue } from '../queues/due-queue.ts'
import { ExpiryQueue } from '../queues/expiry-queue.ts'
import { Waiting, WorkQueue } from '../queues/work-queue.ts'
import type { RuleBook } from '../rules/rule-book.ts'
import { firstVersion, rulesOf } from '../rules/versions.ts'
import { TextTable } from '../texts/text-table.ts'
import type { Algo } from './algo.ts'
import { AloneToday } from './alone-today.ts'
import { Brake, brakeOfVenue } from './brake-memory.ts'
import type { Genesis } from './genesis.ts'
import { GoingOn } from './going-on.ts'
import { type Market, OPEN } from './market.ts'
import type { Protection } from './protection.ts'
import type { Trigger } from './trigger.ts'
import { TriggerQueue } from './trigger-queue.ts'

export const dayMs = 86_400_000

export type Withdrawal = Readonly<{
  account: number
  amount: number
  at: number
  /** Total approvals required, and the operators who approved, in that order (ACCT-8). */
  needed: number
  /** Whether the brake held it when it was requested (ACCT-11). */
  held: boolean
  approvers: readonly string[]
}>
/** A delayed batch with deferred actions: when its speed bump ends, its waiting orders, and its
 *  actions, including ended ones. */
export type KeptBatch = Readonly<{ bumpEnd: number; orders: Set<number>; actions: number[] }>
/** An action of a delayed batch that is not an order (ORDER-10). `dueAt` is null while an order of
 *  its batch waits. */
export type Deferred = Readonly<{ action: KeptAction; batch: KeptBatch }> & { dueAt: number | null }
/** A credit by hand that is held for a second operator (ACCT-10). */
export type WaitingCredit = Readonly<{
  /** The reserve account that pays it, or 0. */
  source: number
  /** The payable withdrawal that it returns, or 0. */
  withdrawal: number
  address: string
  amount: Quote
  /** Set only for a deposit. */
  reference: string
  /** The operator who requested it. */
  by: string
  at: number
}>
/** A credited deposit (ACCT-1). */
export type Credited = Readonly<{ account: number; amount: number }>

declare const closed: unique symbol

/** The opaque type of the state for other modules (closed-state.ts). */
export type ClosedState = Readonly<{ [closed]: 'state' }>

export class State implements ClosedState {
  declare readonly [closed]: 'state'
  seq = 0
  atMs = 0
  /** Arrival time of the current command, which its events carry. Events of due work carry it too,
   *  while `atMs` is the time at which the work was due. Set by each command, and therefore not
   *  stored. */
  commandAtMs = 0
  day = 0
  rulesVersion = firstVersion
  mode = OPEN
  clockFrozen = false
  feeTiers: readonly FeeTier[]
  /** Whether prices without an observation time are accepted (PRICE-1). */
  pricesMayStand = true
  nextOrderId = 1
  nextHistoryId = 1
  nextWithdrawalId = 1
  /** The share of fees that goes to the insurance fund, the balance of the fee account at the last
   *  computation, and the full hour of that computation (FEE-4). */
  insuranceSharePpm: number
  feesShared = 0
  feesHour = 0
  /** The maximum share of the insurance fund that may be paid per UTC day, the day of its last
   *  payment, its balance before the first payment of that day, and the amount paid on it
   *  (LIQ-5). */
  fundDailyMax: number
  fundDay = -1
  fundDayStart = 0
  fundDayPaid = 0
  /** The amount above which a withdrawal needs two approvals; the maximum that may become payable
   *  per UTC day; the day on which an amount last did, and the total of that day (ACCT-8). null: no
   *  limit. */
  approvalAbove: number | null = null
  payableDailyMax: number | null = null
  payableDay = -1
  payableToday = 0
  /** The amount above which a credit by hand needs a second operator, or null for none. Held
   *  credits, and what operators did alone today (ACCT-10). */
  creditApprovalAbove: number | null = null
  nextCreditId = 1
  readonly credits = new Map<number, WaitingCredit>()
  readonly aloneToday = new AloneToday()
  /** The withdrawal brake (ACCT-11). */
  readonly brake = new Brake()
  deposits = 0
  withdrawn = 0
  /** Notes of the sandbox's price sources, by name. */
  readonly notes = new Map<string, string>()
  /** Deposits by reference. */
  readonly references = new Map<string, Credited>()
  readonly withdrawals = new Map<number, Withdrawal>()
  readonly accounts = new AccountPool()
  readonly positions = new PositionPool()
  orders = new OrderPool()
  levels = new LevelPool()
  /** By id; index 0 is empty. */
  markets: (Market | undefined)[] = [undefined]
  readonly symbols = new Map<string, number>()
  readonly triggers = new Map<number, Trigger>()
  readonly algos = new Map<number, Algo>()
  readonly deferred = new Map<number, Deferred>()
  /** Batches with deferred actions, by waiting order. */
  readonly keptBatches = new Map<number, KeptBatch>()
  /** Orders of fired stops that are still executing (TRIG-3). */
  readonly goingOn = new GoingOn()
  /** Orders that a tick released but a command limit left over, each with the time of the tick. */
  readonly leftReleases = new Map<number, number>()
  /** Levels attached to an order, armed or not, by order. */
  readonly attached = new Map<number, LevelIds>()
  /** The other leg of an OCO, by leg (TRIG-14). */
  readonly oco = new Map<number, number>()
  /** Levels by position row, for rows that have any. */
  readonly tpsl = new Map<number, LevelIds>()
  /** By position row: the protection of its quotes, and its protected orders (ORDER-18). */
  readonly protections = new Map<number, Protection>()
  readonly protectedOrders = new Map<number, Set<number>>()
  /** Client ids of open orders. */
  readonly clientIds = new Map<number, string>()
  /** The largest stamp of a command so far, and signed requests with a timestamp of all accounts
   *  (CORE-6). */
  stampMs = 0
  texts = new TextTable()
  /** Signed requests without a timestamp by position row, each with its signer (CORE-6). */
  readonly untimedTexts = new Map<number, Map<string, string>>()
  readonly due = new DueQueue()
  /** Releases from the speed bump. A separate queue, because a command runs only some of them. */
  readonly releases = new DueQueue()
  /** Steps of algos, separate for the same reason. */
  readonly steps = new DueQueue()
  /** Expiries of orders and stops, separate for the same reason. */
  readonly expiries = new ExpiryQueue()
  /** No work is due before this time. It may be too early, never too late. */
  nextDueAt = Number.POSITIVE_INFINITY
  /** Number of items in the six queues below. */
  readonly waiting = new Waiting()
  readonly triggerQueue = new TriggerQueue(this.waiting)
  /** Scopes, encoded as `scopeOf` decodes them. */
  readonly liquidationQueue = new WorkQueue(this.waiting)
  readonly takeoverQueue = new WorkQueue(this.waiting)
  readonly deleverageQueue = new WorkQueue(this.waiting)
  /** Accounts that cannot carry all their orders (LIQ-8). */
  readonly sweepQueue = new WorkQueue(this.waiting)
  /** Rows whose protected orders are to be cancelled (ORDER-18). */
  readonly mmpQueue = new WorkQueue(this.waiting)
  openPools = 0
  /** The market of the tick whose reactions are still to run, or null. Set by each command. */
  ticked: Market | null = null
  /** Units that the current command has used, and releases that it may still run (CORE-3, CORE-5).
   *  Set by each command, and therefore not stored. */
  unitsUsed = 0
  releaseRoom = 0
  /** Units left for the current run of risk reactions, and for liquidation turns before a command
   *  of their account (CORE-2, step 3). */
  riskUnitsLeft = 0
  ownRiskUnitsLeft = 0
  /** Accounts whose liquidation triggers are out of date. */
  dirty = new Int32Array(8)
  dirtyCount = 0
  /** The rules of the version in force. Declared here for the reason given in market.ts. */
  rules: RuleBook = rulesOf(firstVersion)
  readonly counters = { marginChecks: 0, indexUpdates: 0, events: 0 }

  /** This state itself. For copied accounts: the state they were copied from, whose books and
   *  markets they read. */
  exchange: State = this

  constructor(feeTiers: readonly FeeTier[]) {
    this.feeTiers = feeTiers
    this.insuranceSharePpm = this.rules.fees.insuranceSharePpm
    this.fundDailyMax = this.rules.liquidation.fundDailyMax
  }
}

export function createState(genesis: Genesis): State {
  const state = new State(genesis.feeTiers)
  state.pricesMayStand = genesis.pricesMayStand
  if (genesis.withdrawalBrake === true) state.brake.setting = brakeOfVenue
  for (const address of [genesis.feesAddress, genesis.insuranceAddress, genesis.deficitAddress]) {
    const account = state.accounts.open(address, 0, 0)
    state.accounts.reserved[account] = 1
  }
  return state
}
