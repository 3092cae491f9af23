// Agents: keys that may trade for an account, and the addresses that they may connect from
// (ACCT-4).

import { admissionRefusal } from '../admission/admit.ts'
import { bindProvisionally, endProvisional, forgetBinding, unbind } from '../admission/bindings.ts'
import { limitOf } from '../admission/key-limit.ts'
import { textRefusal } from '../admission/text-refusal.ts'
import type { AgentScope, CommandOf } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { isGoodPolicy, writePolicy } from '../policies/set-policy.ts'
import type { Agent } from '../pools/account-pool.ts'
import type { State } from '../state/state.ts'
import { endLeftBehind } from './left-behind.ts'

export function bindAgent(
  state: State,
  log: EventLog,
  command: CommandOf<'BindAgent'>,
): Rejection | null {
  const refusal = admissionRefusal(state, log, command, null) ?? bindRefusal(state, command)
  if (refusal !== null) return refusal
  const { account, agent, scopes, policy, ips } = command
  const record = state.accounts.records[account]!
  record.agents ??= new Map()
  const bound = record.agents.get(agent)
  if (bound === undefined) {
    bindProvisionally(state, log, account, agent)
    const none = { ips: new Set<string>(), ipFilter: false, limit: null }
    record.agents.set(agent, { scopes: [...scopes], ...none })
  } else bound.scopes = [...scopes]
  log.write({ type: 'AgentBound', account, agent })
  if (ips != null) setIps(state, log, account, agent, ips)
  if (policy != null) writePolicy(state, log, account, agent, policy)
  return null
}

/** Replaces the list of allowed addresses and enables the filter. */
function setIps(
  state: State,
  log: EventLog,
  account: number,
  agent: string,
  ips: readonly string[],
): void {
  const bound = agentOf(state, account, agent)!
  for (const ip of [...bound.ips].sort())
    if (!ips.includes(ip)) {
      bound.ips.delete(ip)
      log.write({ type: 'AgentIpDisallowed', account, agent, ip })
    }
  for (const ip of ips) {
    if (bound.ips.has(ip)) continue
    bound.ips.add(ip)
    log.write({ type: 'AgentIpAllowed', account, agent, ip })
  }
  bound.ipFilter = true
  log.write({ type: 'AgentIpFilterSet', account, agent, enabled: true })
}

function bindRefusal(state: State, command: CommandOf<'BindAgent'>): Rejection | null {
  const { account, agent, scopes, policy, ips } = command
  const { accounts } = state
  const { agentsPerAccount, ipsPerAgent } = state.rules.limits
  const confirmed = accounts.byAgent.get(agent) ?? account
  if (accounts.byAddress.has(agent) || confirmed !== account) return refuse('UNSUPPORTED_OPERATION')
  const { agents } = accounts.records[account]!
  if (agents?.has(agent) !== true && (agents?.size ?? 0) >= agentsPerAccount)
    return refuse('LIMIT_REACHED', agentsPerAccount)
  if (ips != null && ips.length > ipsPerAgent) return refuse('LIMIT_REACHED', ipsPerAgent)
  const invalid = textRefusal(agent)
  if (invalid !== null) return invalid
  if (scopes.length === 0 || !scopes.every(isScope)) return refuse('INVALID_PARAMETER', 0)
  if (ips != null && ips.length === 0) return refuse('INVALID_PARAMETER', 0)
  for (const ip of ips ?? []) {
    const bad = textRefusal(ip)
    if (bad !== null) return bad
  }
  return policy == null || isGoodPolicy(state, policy) ? null : refuse('INVALID_PARAMETER', 0)
}

function isScope(scope: AgentScope): boolean {
  return scope === 'trade' || scope === 'margin'
}

function agentOf(state: State, account: number, agent: string): Agent | undefined {
  return state.accounts.records[account]!.agents?.get(agent)
}

export function revokeAgent(
  state: State,
  log: EventLog,
  command: CommandOf<'RevokeAgent'>,
): Rejection | null {
  const refusal = admissionRefusal(state, log, command, null)
  if (refusal !== null) return refusal
  const { account, agent } = command
  if (agentOf(state, account, agent) === undefined) return refuse('AGENT_NOT_FOUND')
  revoke(state, log, account, agent)
  return null
}

function revoke(state: State, log: EventLog, account: number, agent: string): void {
  const limit = limitOf(state, account, agent)
  forgetBinding(state, account, agent)
  log.write({ type: 'AgentRevoked', account, agent })
  if (limit !== null) endLeftBehind(state, log, account, agent, limit.policy)
}

/** Unbinds a key from its account, confirmed or not. For complaints by the owner of the address,
 *  and for a stolen key whose account owner cannot be reached. */
export function unbindAgent(
  state: State,
  log: EventLog,
  { agent }: CommandOf<'UnbindAgent'>,
): Rejection | null {
  const { byAgent, provisional } = state.accounts
  const confirmed = byAgent.get(agent)
  if (confirmed === undefined && !provisional.has(agent)) return refuse('AGENT_NOT_FOUND')
  if (confirmed !== undefined) {
    const limit = limitOf(state, confirmed, agent)
    unbind(state, log, { account: confirmed, agent, reason: 'operator' })
    if (limit !== null) endLeftBehind(state, log, confirmed, agent, limit.policy)
  }
  endProvisional(state, log, agent, 'operator')
  return null
}

export function revokeAllAgents(
  state: State,
  log: EventLog,
  command: CommandOf<'RevokeAllAgents'>,
): Rejection | null {
  const refusal = admissionRefusal(state, log, command, null)
  if (refusal !== null) return refusal
  const { account } = command
  const agents = [...(state.accounts.records[account]!.agents?.keys() ?? [])].sort()
  for (const agent of agents) revoke(state, log, account, agent)
  return null
}

export function allowAgentIp(
  state: State,
  log: EventLog,
  command: CommandOf<'AllowAgentIp'>,
): Rejection | null {
  const refusal = admissionRefusal(state, log, command, null)
  if (refusal !== null) return refusal
  const { account, agent, ip } = command
  const found = agentOf(state, account, agent)
  if (found !== undefined && !found.ips.has(ip) && found.ips.size >= state.rules.limits.ipsPerAgent)
    return refuse('LIMIT_REACHED', state.rules.limits.ipsPerAgent)
  if (found === undefined) return refuse('AGENT_NOT_FOUND')
  const invalid = textRefusal(ip)
  if (invalid !== null) return invalid
  found.ips.add(ip)
  log.write({ type: 'AgentIpAllowed', account, agent, ip })
  return null
}

export function disallowAgentIp(
  state: State,
  log: EventLog,
  command: CommandOf<'DisallowAgentIp'>,
): Rejection | null {
  const refusal = admissionRefusal(state, log, command, null)
  if (refusal !== null) return refusal
  const { account, agent, ip } = command
  const found = agentOf(state, account, agent)
  if (found === undefined) return refuse('AGENT_NOT_FOUND')
  const invalid = textRefusal(ip)
  if (invalid !== null) return invalid
  found.ips.delete(ip)
  log.write({ type: 'AgentIpDisallowed', account, agent, ip })
  return null
}

export function setAgentIpFilter(
  state: State,
  log: EventLog,
  command: CommandOf<'SetAgentIpFilter'>,
): Rejection | null {
  const refusal = admissionRefusal(state, log, command, null)
  if (refusal !== null) return refusal
  const { account, agent, enabled } = command
  const found = agentOf(state, account, agent)
  if (found === undefined) return refuse('AGENT_NOT_FOUND')
  found.ipFilter = enabled
  log.write({ type: 'AgentIpFilterSet', account, agent, enabled })
  return null
}
