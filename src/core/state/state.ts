// Everything the exchange remembers. One object, changed in place by the engine alone; no clock, no
// randomness, no float in it. `createState` is the only way to an empty one.

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
  /** How many approvals it needs in all, and who gave one, in that order (ACCT-8). */
  needed: number
  /** By the brake, when it was requested (ACCT-11). */
  held: boolean
  approvers: readonly string[]
}>
/** A delayed batch that keeps actions: when its speed bump is over, its orders that wait, and the
 *  actions, ended ones too. */
export type KeptBatch = Readonly<{ bumpEnd: number; orders: Set<number>; actions: number[] }>
/** An action of a delayed batch that is not an order (ORDER-10). `dueAt` null: an order of its
 *  batch waits. */
export type Deferred = Readonly<{ action: KeptAction; batch: KeptBatch }> & { dueAt: number | null }
/** A credit by hand that waits for a second operator (ACCT-10). */
export type WaitingCredit = Readonly<{
  /** The reserve that gives it; 0: none does. */
  source: number
  /** The payable withdrawal that it returns; 0: none. */
  withdrawal: number
  address: string
  amount: Quote
  /** Empty unless it is a deposit. */
  reference: string
  /** The operator who requested it. */
  by: string
  at: number
}>
/** A deposit that was made (ACCT-1). */
export type Credited = Readonly<{ account: number; amount: number }>

declare const closed: unique symbol

/** The state as others hold it (closed-state.ts). */
export type ClosedState = Readonly<{ [closed]: 'state' }>

export class State implements ClosedState {
  declare readonly [closed]: 'state'
  seq = 0
  atMs = 0
  /** Arrival time of the current command. Its events have this time, those of due work too, during
   *  which `atMs` is the time at which it was due. Set by each command, and so not kept. */
  commandAtMs = 0
  day = 0
  rulesVersion = firstVersion
  mode = OPEN
  clockFrozen = false
  feeTiers: readonly FeeTier[]
  /** PRICE-1. */
  pricesMayStand = true
  nextOrderId = 1
  nextHistoryId = 1
  nextWithdrawalId = 1
  /** The part of the fees that goes to the insurance fund, the fee account at the last computation,
   *  and the full hour of that (FEE-4). */
  insuranceSharePpm: number
  feesShared = 0
  feesHour = 0
  /** The part of itself that the insurance fund pays on a UTC day at most, the day of its last
   *  payment, what it had before the first one of that day, and what it has paid on it (LIQ-5). */
  fundDailyMax: number
  fundDay = -1
  fundDayStart = 0
  fundDayPaid = 0
  /** Above it a withdrawal needs two approvals; what may become payable on a UTC day; the day on
   *  which something last did, and how much on that day (ACCT-8). Null: no such limit. */
  approvalAbove: number | null = null
  payableDailyMax: number | null = null
  payableDay = -1
  payableToday = 0
  /** Above it a credit by hand needs a second operator; null: none does. Credits that wait for one,
   *  and what operators did alone today (ACCT-10). */
  creditApprovalAbove: number | null = null
  nextCreditId = 1
  readonly credits = new Map<number, WaitingCredit>()
  readonly aloneToday = new AloneToday()
  /** ACCT-11. */
  readonly brake = new Brake()
  deposits = 0
  withdrawn = 0
  /** Of the sandbox's sources, by name. */
  readonly notes = new Map<string, string>()
  /** What was credited under each reference. */
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
  /** By order that waits: its batch, if that keeps actions. */
  readonly keptBatches = new Map<number, KeptBatch>()
  /** Orders of fired stops that go on (TRIG-3). */
  readonly goingOn = new GoingOn()
  /** Orders that a tick has released and that found no room, each with the time of the tick. */
  readonly leftReleases = new Map<number, number>()
  /** By order: the levels it brought, armed or not. */
  readonly attached = new Map<number, LevelIds>()
  /** By leg: the other one (TRIG-14). */
  readonly oco = new Map<number, number>()
  /** By position row, of those that have any. */
  readonly tpsl = new Map<number, LevelIds>()
  /** By position row (ORDER-18): what protects its quotes, and the orders that are protected. */
  readonly protections = new Map<number, Protection>()
  readonly protectedOrders = new Map<number, Set<number>>()
  /** Client id of each live order that has one. */
  readonly clientIds = new Map<number, string>()
  /** The largest stamp of a command so far, and timed texts of all accounts (CORE-6). */
  stampMs = 0
  readonly texts = new TextTable()
  /** Untimed texts by position row, each with its signer (CORE-6). */
  readonly untimedTexts = new Map<number, Map<string, string>>()
  readonly due = new DueQueue()
  /** Releases from the speed bump, apart: a command runs only a part of them. */
  readonly releases = new DueQueue()
  /** Steps of algos, apart for the same reason. */
  readonly steps = new DueQueue()
  /** Orders and stops that end at a time of their own, apart for the same reason. */
  readonly expiries = new ExpiryQueue()
  /** Nothing is due before this; may be too early, never too late. */
  nextDueAt = Number.POSITIVE_INFINITY
  /** In the six queues below. */
  readonly waiting = new Waiting()
  readonly triggerQueue = new TriggerQueue(this.waiting)
  /** Scopes, as `scopeOf` writes them. */
  readonly liquidationQueue = new WorkQueue(this.waiting)
  readonly takeoverQueue = new WorkQueue(this.waiting)
  readonly deleverageQueue = new WorkQueue(this.waiting)
  /** Accounts whose orders are more than they can carry (LIQ-8). */
  readonly sweepQueue = new WorkQueue(this.waiting)
  /** Rows whose protected orders are to go (ORDER-18). */
  readonly mmpQueue = new WorkQueue(this.waiting)
  openPools = 0
  /** The market of the tick whose reactions are to run; null: none. Set by each command. */
  ticked: Market | null = null
  /** What the command under way has used of its units, and how many releases it may still run
   *  (CORE-3, CORE-5). Set by each command, and so not kept. */
  unitsUsed = 0
  releaseRoom = 0
  /** Units left to the current run of risk, and to the liquidation turns that run before a command
   *  of their account (CORE-2, step 3). */
  riskUnitsLeft = 0
  ownRiskUnitsLeft = 0
  /** Accounts whose liquidation triggers are out of date. */
  dirty = new Int32Array(8)
  dirtyCount = 0
  /** Those of the version. They stand here for the reason that a market's stand last. */
  rules: RuleBook = rulesOf(firstVersion)
  readonly counters = { marginChecks: 0, indexUpdates: 0, events: 0 }

  /** This state itself; for copied accounts the state they were copied from, whose books and
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

export function marketOf(state: State, market: number): Market {
  return state.markets[market]!
}
