// Accounts: whose an address is, what an account has, and who belongs to it.

import type { Quote } from '../../units/units.ts'
import { agentRefusal } from '../admission/admit.ts'
import type { MmpLimits, NeededScope, Proof } from '../commands/commands.ts'
import type { AccountId, MarketId } from '../commands/ids.ts'
import type { Rejection } from '../commands/rejections.ts'
import { nearestScope, type ScopeStanding } from '../liquidation/nearest-scope.ts'
import { frozenUntil } from '../makers/check-mmp.ts'
import { Health, sumHealth } from '../margin/equity.ts'
import type { State } from '../state/state.ts'
import {
  type AccountNumbers,
  accountNumbers,
  type MarketSetting,
  marketSettings,
  openValueOf,
  owedTo,
} from './account-numbers.ts'
import {
  type AgentView,
  type ApiKeyView,
  type ArmedView,
  agentsOf,
  apiKeyOf,
  apiKeysOf,
  armedConnections,
  type SubaccountView,
  subaccountsOf,
} from './memberships.ts'
import { withoutWaiting } from './others/without-waiting.ts'

/** `until`: protected orders are refused before it, 0: before a reset; null: they are taken. */
export type MmpView = MmpLimits & Readonly<{ market: MarketId; until: number | null }>

type AgentProof = Pick<Proof, 'agent' | 'ip'>

export type AccountsView = Readonly<{
  /** Ids run from 1 to this. */
  count: number
  /** 0: never seen. */
  idOf(address: string): AccountId
  addressOf(account: number): string
  /** An account has it, or a confirmed agent. */
  isTaken(address: string): boolean
  /** Of the exchange itself: fees, insurance, deficit, the markets' backstops. */
  isReserved(account: number): boolean
  isFrozen(account: number): boolean
  /** On record: what funding still owes is not in it. */
  balanceOf(account: number): Quote
  pendingOf(account: number): Quote
  crossEquityOf(account: number): Quote
  numbersOf(account: number): AccountNumbers
  /** What `work` reads of this view, as if the account's owner had no order that waits for its
   *  release: figures and previews that other accounts may see. */
  withoutWaiting<T>(account: number, work: () => T): T
  /** Of the scope that is nearest to its liquidation, as it stands on record; null: no position. */
  nearestOf(account: number): ScopeStanding | null
  /** What the exchange owes it, positions at mark: equity, and what is pending. Below zero it owes
   *  the exchange. */
  owedTo(account: number): Quote
  /** What its open positions are worth at mark, longs and shorts alike. */
  openValueOf(account: number): Quote
  /** In every market that the account has touched, by rising id. */
  settingsOf(account: number): readonly MarketSetting[]
  /** What protects its quotes, by rising id of the market (ORDER-18). */
  mmpOf(account: number): readonly MmpView[]
  /** Oldest first. */
  subaccountsOf(account: number): readonly SubaccountView[]
  agentsOf(account: number): readonly AgentView[]
  isAgentOf(account: number, agent: string): boolean
  /** What the core would say to this agent; null: nothing. */
  agentRefusal(account: number, proof: AgentProof, scope: NeededScope): Rejection | null
  /** Oldest first. */
  apiKeysOf(account: number): readonly ApiKeyView[]
  /** Null: there is none that begins so. */
  apiKeyOf(prefix: string): ApiKeyView | null
  apiKeys: number
  /** All connections whose end cancels, by account and then by text. */
  armedConnections(): readonly ArmedView[]
}>

const health = new Health()

export class Accounts implements AccountsView {
  private readonly state: State

  constructor(state: State) {
    this.state = state
  }

  get count(): number {
    return this.state.accounts.count
  }

  get apiKeys(): number {
    return this.state.accounts.byApiKey.size
  }

  idOf(address: string): AccountId {
    return (this.state.accounts.byAddress.get(address) ?? 0) as AccountId
  }

  addressOf(account: number): string {
    return this.state.accounts.records[account]!.address
  }

  isTaken(address: string): boolean {
    const { byAddress, byAgent } = this.state.accounts
    return byAddress.has(address) || byAgent.has(address)
  }

  isReserved(account: number): boolean {
    return this.state.accounts.reserved[account] === 1
  }

  isFrozen(account: number): boolean {
    return this.state.accounts.frozen[account] === 1
  }

  balanceOf(account: number): Quote {
    return this.state.accounts.balance[account]! as Quote
  }

  pendingOf(account: number): Quote {
    return this.state.accounts.pending[account]! as Quote
  }

  crossEquityOf(account: number): Quote {
    sumHealth(this.state, account, health)
    return health.equity as Quote
  }

  numbersOf(account: number): AccountNumbers {
    return accountNumbers(this.state, account)
  }

  withoutWaiting<T>(account: number, work: () => T): T {
    return withoutWaiting(this.state, account, work)
  }

  nearestOf(account: number): ScopeStanding | null {
    return nearestScope(this.state, account)
  }

  owedTo(account: number): Quote {
    return owedTo(this.state, account)
  }

  openValueOf(account: number): Quote {
    return openValueOf(this.state, account)
  }

  settingsOf(account: number): readonly MarketSetting[] {
    return marketSettings(this.state, account)
  }

  mmpOf(account: number): readonly MmpView[] {
    const { accounts, positions, protections } = this.state
    const found: MmpView[] = []
    for (let row = accounts.rows[account]!; row !== 0; row = positions.nextOfAccount[row]!) {
      const limits = protections.get(row)?.limits
      const market = positions.market[row]! as MarketId
      if (limits !== undefined)
        found.push({ market, ...limits, until: frozenUntil(this.state, row) })
    }
    return found.sort((one, other) => one.market - other.market)
  }

  subaccountsOf(account: number): readonly SubaccountView[] {
    return subaccountsOf(this.state, account)
  }

  agentsOf(account: number): readonly AgentView[] {
    return agentsOf(this.state, account)
  }

  isAgentOf(account: number, agent: string): boolean {
    return this.state.accounts.records[account]!.agents?.has(agent) === true
  }

  agentRefusal(account: number, proof: AgentProof, scope: NeededScope): Rejection | null {
    return agentRefusal(this.state, account, proof, scope)
  }

  apiKeysOf(account: number): readonly ApiKeyView[] {
    return apiKeysOf(this.state, account)
  }

  apiKeyOf(prefix: string): ApiKeyView | null {
    return apiKeyOf(this.state, prefix)
  }

  armedConnections(): readonly ArmedView[] {
    return armedConnections(this.state)
  }
}
