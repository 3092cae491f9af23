// The money of the exchange as a whole: its own accounts, deposits and withdrawals, and fees.

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
  /** Operators who approved. The withdrawal may be paid once there are `needed` of them
   *  (ACCT-8). */
  approvers: readonly string[]
  needed: number
  /** Whether the brake held it when it was requested (ACCT-11). */
  held: boolean
}>

/** A credit that is held for a second operator (ACCT-10). */
export type HeldCredit = Readonly<{
  credit: number
  /** The reserve account that pays it, or null. */
  source: AccountId | null
  /** The payable withdrawal that it returns, or null. */
  withdrawal: WithdrawalId | null
  address: string
  amount: Quote
  reference: string
  by: string
  requestedAt: TimeMs
}>

/** The withdrawal brake (ACCT-11). Null: it is off. */
export type BrakeView = Readonly<{
  fundPpm: Ppm
  profitAbove: Quote
  holdMs: number
  /** Null: no withdrawal is held now. */
  pulled: Readonly<{
    since: TimeMs
    /** When it was last pulled. */
    last: TimeMs
    until: TimeMs
    markets: readonly MarketId[]
    /** `until`: when the hold of this owner ends. `won`: the profit counted at the time of the
     *  decision. */
    owners: readonly Readonly<{ account: AccountId; until: TimeMs; won: Quote }>[]
  }> | null
}>

/** Limits of ACCT-8. null: no limit. */
export type WithdrawalLimits = Readonly<{
  approvalAbove: Quote | null
  dailyMax: Quote | null
  payableToday: Quote
  /** The limit of ACCT-10. */
  creditApprovalAbove: Quote | null
}>

type FundToday = Readonly<{ max: Quote; paid: Quote }>

/** A credited deposit (ACCT-1). */
export type CreditedDeposit = Readonly<{ account: AccountId; amount: Quote }>

export class Money {
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

  /** Total since the exchange started. */
  get deposits(): Quote {
    return this.state.deposits as Quote
  }

  get withdrawn(): Quote {
    return this.state.withdrawn as Quote
  }

  get feeTiers(): readonly FeeTier[] {
    return this.state.feeTiers
  }

  /** Share of the fees that goes to the insurance fund each full hour. */
  get insuranceSharePpm(): Ppm {
    return this.state.insuranceSharePpm as Ppm
  }

  /** Maximum share of the insurance fund that may be paid per UTC day. */
  get fundDailyMax(): Ppm {
    return this.state.fundDailyMax as Ppm
  }

  /** This maximum in money today, and the amount already paid. */
  get fundToday(): FundToday {
    return fundTodayOf(this.state) as FundToday
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

  /** Credits held for a second operator, oldest first. */
  heldCredits(): readonly HeldCredit[] {
    return [...this.state.credits].map(([credit, { source, withdrawal, at, ...rest }]) => ({
      ...rest,
      credit,
      source: source === 0 ? null : (source as AccountId),
      withdrawal: withdrawal === 0 ? null : (withdrawal as WithdrawalId),
      requestedAt: at as TimeMs,
    }))
  }

  /** The state of the brake at an engine time. */
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

  /** Funding paid by some accounts and not yet received by others, less the amounts still owed: the
   *  remainder that rounding will leave. Visits every position. */
  fundingLeft(): Quote {
    const { markets, positions } = this.state
    let left = 0
    for (const market of markets) left += market?.pool ?? 0
    for (let row = 1; row <= positions.count; row++)
      left -= owedFunding(this.state, markets[positions.market[row]!]!, row)
    return left as Quote
  }

  /** Pending withdrawals, oldest first. */
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

  /** The deposit with this reference, or null. */
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

export type MoneyView = Readonly<Money>
