// Members of an account: subaccounts, agents, API keys, armed connections.

import type { Quote, TimeMs } from '../../units/units.ts'
import { lossToday } from '../admission/key-limit.ts'
import type { AgentPolicy } from '../commands/commands.ts'
import type { AccountId } from '../commands/ids.ts'
import type { Agent, ApiKey } from '../pools/account-pool.ts'
import type { State } from '../state/state.ts'

export type AgentView = Readonly<{
  address: string
  ips: readonly string[]
  ipFilter: boolean
  /** The policy of the key. null: only its scopes limit it. */
  policy: AgentPolicy | null
  /** How far the account is below the highest equity that counts for the policy today. */
  dayLoss: Quote
}>

export type ApiKeyView = Readonly<{
  account: AccountId
  prefix: string
  /** Digest of the whole key. The core does not know the key. */
  digest: string
  createdAt: TimeMs
  /** Credits per window set by the operator; 0: the default. */
  credits: number
  /** The bucket of credits that the key spends. */
  bucket: number
}>

/** A connection that cancels orders when it ends. */
export type ArmedView = Readonly<{ account: AccountId; connection: string }>

export type SubaccountView = Readonly<{
  account: AccountId
  address: string
  balance: Quote
  pending: Quote
  createdAt: TimeMs
}>

export function agentsOf(state: State, account: number): readonly AgentView[] {
  const agents: Iterable<[string, Agent]> = state.accounts.records[account]!.agents ?? []
  return [...agents].map(([address, { ips, ipFilter, limit }]) => ({
    address,
    ips: [...ips],
    ipFilter,
    policy: limit?.policy ?? null,
    dayLoss: (limit === null ? 0 : lossToday(state, account, limit)) as Quote,
  }))
}

/** By account and then by name. */
export function armedConnections({ accounts }: State): readonly ArmedView[] {
  const found: ArmedView[] = []
  for (let account = 1; account <= accounts.count; account++) {
    const { armed } = accounts.records[account]!
    if (armed === null) continue
    for (const connection of [...armed.keys()].sort())
      found.push({ account: account as AccountId, connection })
  }
  return found
}

export function isArmed({ accounts }: State, account: number, connection: string): boolean {
  if (account < 1 || account > accounts.count) return false
  return accounts.records[account]!.armed?.has(connection) === true
}

/** API keys, oldest first. */
export function apiKeysOf(state: State, account: number): readonly ApiKeyView[] {
  const keys: Iterable<[string, ApiKey]> = state.accounts.records[account]!.apiKeys ?? []
  const views = [...keys].map(([prefix, key]) => keyView(account, prefix, key))
  // A loaded snapshot has them in order of prefix.
  return views.sort((a, b) => a.createdAt - b.createdAt || a.bucket - b.bucket)
}

export function apiKeyOf({ accounts }: State, prefix: string): ApiKeyView | null {
  const account = accounts.byApiKey.get(prefix) ?? 0
  const key = accounts.records[account]!.apiKeys?.get(prefix)
  return key === undefined ? null : keyView(account, prefix, key)
}

function keyView(account: number, prefix: string, key: ApiKey): ApiKeyView {
  const { digest, createdAt, credits, bucket } = key
  const owner = account as AccountId
  return { account: owner, prefix, digest, createdAt: createdAt as TimeMs, credits, bucket }
}

/** Subaccounts, oldest first. */
export function subaccountsOf({ accounts }: State, account: number): readonly SubaccountView[] {
  return accounts.records[account]!.subaccounts.map((sub) => ({
    account: sub as AccountId,
    address: accounts.records[sub]!.address,
    balance: accounts.balance[sub]! as Quote,
    pending: accounts.pending[sub]! as Quote,
    createdAt: accounts.records[sub]!.createdAt as TimeMs,
  }))
}
