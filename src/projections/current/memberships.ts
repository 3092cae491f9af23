// Who belongs to an account: subaccounts, agents, API keys; and whose an address or key is.

import type { ApiKey } from '../../core/accounts/account-pool.ts'
import type { State } from '../../core/engine.ts'

export type AgentView = Readonly<{ address: string; ips: readonly string[]; ipFilter: boolean }>
export type ApiKeyView = Readonly<{
  prefix: string
  digest: string
  createdAt: number
  /** Credits per window set by the operator; 0: the default. */
  credits: number
}>

/** 0: never seen. */
export function accountIdOf(state: State, address: string): number {
  return state.accounts.byAddress.get(address) ?? 0
}

export function addressOf(state: State, account: number): string {
  return state.accounts.records[account]!.address
}

export function agentsOf(state: State, account: number): readonly AgentView[] {
  const agents = state.accounts.records[account]!.agents ?? new Map()
  return [...agents].map(([address, { ips, ipFilter }]) => ({ address, ips: [...ips], ipFilter }))
}

export function isAgentOf(state: State, account: number, agent: string): boolean {
  return state.accounts.records[account]!.agents?.has(agent) === true
}

/** Oldest first. */
export type ArmedView = Readonly<{ account: number; connection: string }>

/** All connections whose end cancels, by account and then by text. */
export function armedConnections({ accounts }: State): readonly ArmedView[] {
  const found: ArmedView[] = []
  for (let account = 1; account <= accounts.count; account++) {
    const { armed } = accounts.records[account]!
    if (armed === null) continue
    for (const connection of [...armed.keys()].sort()) found.push({ account, connection })
  }
  return found
}

export function apiKeysOf(state: State, account: number): readonly ApiKeyView[] {
  const keys: Iterable<[string, ApiKey]> = state.accounts.records[account]!.apiKeys ?? []
  const views = [...keys].map(([prefix, key]) => ({ prefix, ...key }))
  // A snapshot has them in order of prefix.
  return views.sort((a, b) => a.createdAt - b.createdAt || a.bucket - b.bucket)
}

export type SubaccountView = Readonly<{
  address: string
  balance: number
  pending: number
  createdAt: number
  account: number
}>

export function subaccountsOf(state: State, account: number): readonly SubaccountView[] {
  const { accounts } = state
  return accounts.records[account]!.subaccounts.map((sub) => ({
    account: sub,
    address: accounts.records[sub]!.address,
    balance: accounts.balance[sub]!,
    pending: accounts.pending[sub]!,
    createdAt: accounts.records[sub]!.createdAt,
  }))
}
