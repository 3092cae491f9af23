// Accounts: the account of an address, its balances, and its members.

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
  isArmed,
  type SubaccountView,
  subaccountsOf,
} from './memberships.ts'
import { withoutWaiting } from './others/without-waiting.ts'

/** `until`: protected orders are rejected until this time; 0: until a reset; null: they are
 *  accepted. */
export type MmpView = MmpLimits & Readonly<{ market: MarketId; until: number | null }>

type AgentProof = Pick<Proof, 'agent' | 'ip'>

const health = new Health()

export class Accounts {
  private readonly state: State

  constructor(state: State) {
    this.state = state
  }

  /** Number of accounts. Ids run from 1 to this number. */
  get count(): number {
    return this.state.accounts.count
  }

  get apiKeys(): number {
    return this.state.accounts.byApiKey.size
  }

  /** 0 if the address is unknown. */
  idOf(address: string): AccountId {
    return (this.state.accounts.byAddress.get(address) ?? 0) as AccountId
  }

  addressOf(account: number): string {
    return this.state.accounts.records[account]!.address
  }

  /** Whether the address belongs to an account or a confirmed agent. */
  isTaken(address: string): boolean {
    const { byAddress, byAgent } = this.state.accounts
    return byAddress.has(address) || byAgent.has(address)
  }

  /** Whether the account belongs to the exchange itself: fees, insurance, deficit, or a
   *  backstop. */
  isReserved(account: number): boolean {
    return this.state.accounts.reserved[account] === 1
  }

  isFrozen(account: number): boolean {
    return this.state.accounts.frozen[account] === 1
  }

  /** The recorded balance, without unsettled funding. */
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

  /** The result of `work` on this view without orders of the account's owner that wait for a
   *  release. Used for figures and previews that other accounts may see. */
  withoutWaiting<T>(account: number, work: () => T): T {
    return withoutWaiting(this.state, account, work)
  }

  /** The recorded status of the scope that is nearest to liquidation. null: no position. */
  nearestOf(account: number): ScopeStanding | null {
    return nearestScope(this.state, account)
  }

  /** What the exchange owes the account, with positions at mark: equity plus pending withdrawals.
   *  Negative: the account owes the exchange. */
  owedTo(account: number): Quote {
    return owedTo(this.state, account)
  }

  /** Value of its open positions at mark, longs and shorts alike. */
  openValueOf(account: number): Quote {
    return openValueOf(this.state, account)
  }

  /** Settings in every market that the account has used, by rising id. */
  settingsOf(account: number): readonly MarketSetting[] {
    return marketSettings(this.state, account)
  }

  /** Maker protections, by rising market id (ORDER-18). */
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

  /** Subaccounts, oldest first. */
  subaccountsOf(account: number): readonly SubaccountView[] {
    return subaccountsOf(this.state, account)
  }

  agentsOf(account: number): readonly AgentView[] {
    return agentsOf(this.state, account)
  }

  isAgentOf(account: number, agent: string): boolean {
    return this.state.accounts.records[account]!.agents?.has(agent) === true
  }

  /** The rejection that the core would return to this agent, or null. */
  agentRefusal(account: number, proof: AgentProof, scope: NeededScope): Rejection | null {
    return agentRefusal(this.state, account, proof, scope)
  }

  /** API keys, oldest first. */
  apiKeysOf(account: number): readonly ApiKeyView[] {
    return apiKeysOf(this.state, account)
  }

  /** The API key with this prefix, or null. */
  apiKeyOf(prefix: string): ApiKeyView | null {
    return apiKeyOf(this.state, prefix)
  }

  /** Whether the connection is armed for the account. */
  isArmed(account: number, connection: string): boolean {
    return isArmed(this.state, account, connection)
  }

  /** All armed connections, by account and then by name. */
  armedConnections(): readonly ArmedView[] {
    return armedConnections(this.state)
  }
}

export type AccountsView = Readonly<Accounts>
