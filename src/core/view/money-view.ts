// The money of the exchange as a whole: its own accounts, what came and went, what fees are.

import type { Ppm, Quote, TimeMs } from '../../units/units.ts'
import { payableToday } from '../approvals/approve-withdrawal.ts'
import type { FeeTier } from '../commands/commands.ts'
import type { AccountId, MarketId, WithdrawalId } from '../commands/ids.ts'
import { owedFunding } from '../funding/settle-funding.ts'
import { DEFICIT, FEES, INSURANCE } from '../pools/account-pool.ts'
import { fundTodayOf } from '../solvency/insurance.ts'
import type { State } from '../state/state.ts'

export type Reserve = Readonly<{ account: AccountId; address: string; balance: Quote }>

export type PendingWithdrawal = Readonly<{
  withdrawal: WithdrawalId
  account: AccountId
  amount: Quote
  requestedAt: TimeMs
  /** It may be paid with `needed` of them (ACCT-8). */
  approvers: readonly string[]
  needed: number
  /** By the brake, when it was requested (ACCT-11). */
  held: boolean
}>

/** ACCT-10. */
export type HeldCredit = Readonly<{
  credit: number
  /** The reserve that gives it; null: none does. */
  source: AccountId | null
  /** The payable withdrawal that it returns; null: none. */
  withdrawal: WithdrawalId | null
  address: string
  amount: Quote
  reference: string
  by: string
  requestedAt: TimeMs
}>

/** ACCT-11. Null: it is off. */
export type BrakeView = Readonly<{
  fundPpm: Ppm
  profitAbove: Quote
  holdMs: number
  /** Null: no withdrawal is held now. */
  pulled: Readonly<{
    since: TimeMs
    /** When it was pulled last. */
    last: TimeMs
    until: TimeMs
    markets: readonly MarketId[]
    /** `until`: of this owner; `won`: profit that had counted when that was decided. */
    owners: readonly Readonly<{ account: AccountId; until: TimeMs; won: Quote }>[]
  }> | null
}>

/** ACCT-8; null: no such limit. */
export type WithdrawalLimits = Readonly<{
  approvalAbove: Quote | null
  dailyMax: Quote | null
  payableToday: Quote
  /** ACCT-10. */
  creditApprovalAbove: Quote | null
}>

/** A deposit that was made (ACCT-1). */
export type CreditedDeposit = Readonly<{ account: AccountId; amount: Quote }>

export type MoneyView = Readonly<{
  fees: Reserve
  insurance: Reserve
  deficit: Reserve
  backstopOf(market: number): Reserve
  /** Ever. */
  deposits: Quote
  withdrawn: Quote
  /** Paid in by some and not yet out to others, less what is owed of it: what rounding will leave.
   *  Looks at every position. */
  fundingLeft(): Quote
  /** Pending withdrawals, oldest first. */
  withdrawals(): readonly PendingWithdrawal[]
  withdrawalLimits: WithdrawalLimits
  /** That wait for a second operator, oldest first. */
  heldCredits(): readonly HeldCredit[]
  /** As of a time of the engine. */
  brakeAt(atMs: number): BrakeView | null
  /** What was credited under a reference; null: nothing yet. */
  depositUnder(reference: string): CreditedDeposit | null
  feeTiers: readonly FeeTier[]
  /** What part of the fees goes to the insurance fund each full hour. */
  insuranceSharePpm: Ppm
  /** What part of itself the insurance fund pays on a UTC day at most. */
  fundDailyMax: Ppm
  /** That in money today, and what was paid of it. */
  fundToday: Readonly<{ max: Quote; paid: Quote }>
}>

export class Money implements MoneyView {
  private readonly state: State

  constructor(state: State) {
    this.state = state
  }

  get fees(): Reserve {
    return this.reserve(FEES)
  }

  get insurance(): Reserve {
    return this.reserve(INSURANCE)
  }

  get deficit(): Reserve {
    return this.reserve(DEFICIT)
  }

  get deposits(): Quote {
    return this.state.deposits as Quote
  }

  get withdrawn(): Quote {
    return this.state.withdrawn as Quote
  }

  get feeTiers(): readonly FeeTier[] {
    return this.state.feeTiers
  }

  get insuranceSharePpm(): Ppm {
    return this.state.insuranceSharePpm as Ppm
  }

  get fundDailyMax(): Ppm {
    return this.state.fundDailyMax as Ppm
  }

  get fundToday(): MoneyView['fundToday'] {
    return fundTodayOf(this.state) as MoneyView['fundToday']
  }

  get withdrawalLimits(): WithdrawalLimits {
    const { approvalAbove, payableDailyMax } = this.state
    return {
      approvalAbove: approvalAbove as Quote | null,
      dailyMax: payableDailyMax as Quote | null,
      payableToday: payableToday(this.state) as Quote,
      creditApprovalAbove: this.state.creditApprovalAbove as Quote | null,
    }
  }

  heldCredits(): readonly HeldCredit[] {
    return [...this.state.credits].map(([credit, { source, withdrawal, at, ...rest }]) => ({
      ...rest,
      credit,
      source: source === 0 ? null : (source as AccountId),
      withdrawal: withdrawal === 0 ? null : (withdrawal as WithdrawalId),
      requestedAt: at as TimeMs,
    }))
  }

  brakeAt(atMs: number): BrakeView | null {
    const { setting, since, pulledAt: last, until, watched, held } = this.state.brake
    if (setting === null) return null
    const owners = [...held]
      .filter(([, hold]) => atMs < hold.until)
      .map(([account, hold]) => ({ account, ...hold }))
    const pulled = { since, last, until, markets: [...watched.keys()], owners }
    return { ...setting, pulled: atMs < until ? pulled : null } as BrakeView
  }

  backstopOf(market: number): Reserve {
    return this.reserve(this.state.markets[market]!.backstop)
  }

  fundingLeft(): Quote {
    const { markets, positions } = this.state
    let left = 0
    for (const market of markets) left += market?.pool ?? 0
    for (let row = 1; row <= positions.count; row++)
      left -= owedFunding(this.state, markets[positions.market[row]!]!, row)
    return left as Quote
  }

  withdrawals(): readonly PendingWithdrawal[] {
    return [...this.state.withdrawals].map(([id, each]) => ({
      withdrawal: id as WithdrawalId,
      account: each.account as AccountId,
      amount: each.amount as Quote,
      requestedAt: each.at as TimeMs,
      approvers: each.approvers,
      needed: each.needed,
      held: each.held,
    }))
  }

  depositUnder(reference: string): CreditedDeposit | null {
    const found = this.state.references.get(reference)
    return (found as CreditedDeposit | undefined) ?? null
  }

  private reserve(account: number): Reserve {
    const { records, balance } = this.state.accounts
    return {
      account: account as AccountId,
      address: records[account]!.address,
      balance: balance[account]! as Quote,
    }
  }
}
