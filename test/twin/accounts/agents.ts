// Agents with their IP lists, and API keys (ACCT-4, ACCT-5).

import type { CommandOf } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { emit } from '../core/lookup.ts'
import { isUnsupported } from '../core/texts.ts'
import { badText } from '../orders/order-checks.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Agent, Naive } from '../state.ts'
import { given, isInt } from '../units/numbers.ts'
import { accountAt } from './accounts.ts'
import { addBinding, agentOf, dropAgent, holdersOf, unbind } from './bindings.ts'
import { endWithKey } from './left-behind.ts'
import { givePolicy, isBadPolicy } from './policies.ts'

export function bindAgent(
  naive: Naive,
  command: CommandOf<'BindAgent'>,
  account: Account,
): Rejection | null {
  const { agent: address, scopes } = command
  const bound = agentOf(account, address)
  const elsewhere = naive.accounts.some((one) => {
    return one !== account && agentOf(one, address)?.confirmed === true
  })
  if (isUnsupported(account, command) || accountAt(naive, address) || elsewhere) {
    return refuse('UNSUPPORTED_OPERATION')
  }
  if (!bound && account.agents.length >= bookOf(naive).limits.agentsPerAccount) {
    return refuse('LIMIT_REACHED', bookOf(naive).limits.agentsPerAccount)
  }
  const ips = command.ips ?? null
  if (ips && ips.length > bookOf(naive).limits.ipsPerAgent) {
    return refuse('LIMIT_REACHED', bookOf(naive).limits.ipsPerAgent)
  }
  const badWord = badText(address)
  if (badWord) return badWord
  const isScope = (scope: unknown): boolean => scope === 'trade' || scope === 'margin'
  if (!Array.isArray(scopes) || scopes.length === 0 || !scopes.every(isScope)) {
    return refuse('INVALID_PARAMETER', 0)
  }
  const badIp = ips?.length === 0 ? refuse('INVALID_PARAMETER', 0) : badText(...(ips ?? []))
  if (badIp) return badIp
  const policy = command.policy ?? null
  if (policy && isBadPolicy(naive, policy)) return refuse('INVALID_PARAMETER', 0)
  if (bound) bound.scopes = [...scopes]
  else addBinding(naive, account, { address, scopes: [...scopes] })
  emit(naive, { type: 'AgentBound', account: account.id, agent: address })
  const agent = agentOf(account, address) as Agent
  if (ips) filterIps(naive, account, agent, ips)
  if (policy) givePolicy(naive, account, agent, policy)
  return null
}

/** The list becomes this one, and is on. */
function filterIps(naive: Naive, account: Account, agent: Agent, ips: readonly string[]): void {
  const of = { account: account.id, agent: agent.address }
  for (const ip of agent.ips.filter((one) => !ips.includes(one)).sort()) {
    emit(naive, { type: 'AgentIpDisallowed', ...of, ip })
  }
  const known = agent.ips
  agent.ips = [...new Set(ips)]
  for (const ip of agent.ips.filter((one) => !known.includes(one))) {
    emit(naive, { type: 'AgentIpAllowed', ...of, ip })
  }
  agent.filter = true
  emit(naive, { type: 'AgentIpFilterSet', ...of, enabled: true })
}

function revoke(naive: Naive, account: Account, address: string): void {
  const limit = agentOf(account, address)?.limit ?? null
  dropAgent(account, address)
  emit(naive, { type: 'AgentRevoked', account: account.id, agent: address })
  if (limit) endWithKey(naive, account, address, limit)
}

/** By the operator, whichever account has it. */
export function unbindAgent(naive: Naive, command: CommandOf<'UnbindAgent'>): Rejection | null {
  const holders = holdersOf(naive, command.agent)
  if (holders.length === 0) return refuse('AGENT_NOT_FOUND')
  for (const holder of holders) {
    const { confirmed, limit } = agentOf(holder, command.agent) as Agent
    unbind(naive, holder, command.agent, 'operator')
    if (confirmed && limit) endWithKey(naive, holder, command.agent, limit)
  }
  return null
}

export function revokeAgent(
  naive: Naive,
  command: CommandOf<'RevokeAgent'>,
  account: Account,
): Rejection | null {
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  if (!agentOf(account, command.agent)) return refuse('AGENT_NOT_FOUND')
  revoke(naive, account, command.agent)
  return null
}

export function revokeAllAgents(
  naive: Naive,
  command: CommandOf<'RevokeAllAgents'>,
  account: Account,
): Rejection | null {
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  // Array.sort without a rule compares code units, as ACCT-4 says.
  for (const address of account.agents.map((one) => one.address).sort()) {
    revoke(naive, account, address)
  }
  return null
}

export function allowAgentIp(
  naive: Naive,
  command: CommandOf<'AllowAgentIp'>,
  account: Account,
): Rejection | null {
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  const { ip } = command
  const agent = agentOf(account, command.agent)
  const known = agent?.ips.includes(ip) === true
  if (agent && !known && agent.ips.length >= bookOf(naive).limits.ipsPerAgent) {
    return refuse('LIMIT_REACHED', bookOf(naive).limits.ipsPerAgent)
  }
  if (!agent) return refuse('AGENT_NOT_FOUND')
  const badWord = badText(ip)
  if (badWord) return badWord
  if (!known) agent.ips.push(ip)
  emit(naive, { type: 'AgentIpAllowed', account: account.id, agent: agent.address, ip })
  return null
}

export function disallowAgentIp(
  naive: Naive,
  command: CommandOf<'DisallowAgentIp'>,
  account: Account,
): Rejection | null {
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  const { ip } = command
  const agent = agentOf(account, command.agent)
  if (!agent) return refuse('AGENT_NOT_FOUND')
  const badWord = badText(ip)
  if (badWord) return badWord
  agent.ips = agent.ips.filter((one) => one !== ip)
  emit(naive, { type: 'AgentIpDisallowed', account: account.id, agent: agent.address, ip })
  return null
}

export function setAgentIpFilter(
  naive: Naive,
  command: CommandOf<'SetAgentIpFilter'>,
  account: Account,
): Rejection | null {
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  const agent = agentOf(account, command.agent)
  if (!agent) return refuse('AGENT_NOT_FOUND')
  agent.filter = command.enabled === true
  const enabled = agent.filter
  emit(naive, { type: 'AgentIpFilterSet', account: account.id, agent: agent.address, enabled })
  return null
}

export function createApiKey(
  naive: Naive,
  command: CommandOf<'CreateApiKey'>,
  account: Account,
): Rejection | null {
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  const { prefix, digest } = command
  if (account.apiKeys.length >= bookOf(naive).limits.apiKeysPerAccount) {
    return refuse('LIMIT_REACHED', bookOf(naive).limits.apiKeysPerAccount)
  }
  if (ownerOfKey(naive, prefix)) return refuse('API_KEY_EXISTS')
  const badWord = badText(prefix, digest)
  if (badWord) return badWord
  const isFree = (bucket: number) => account.apiKeys.every((key) => key.bucket !== bucket)
  const bucket = [0, 1, 2, 3, 4].find(isFree) ?? -1
  account.apiKeys.push({ prefix, digest, credits: 0, bucket })
  emit(naive, { type: 'ApiKeyCreated', account: account.id, prefix, bucket })
  return null
}

function ownerOfKey(naive: Naive, prefix: unknown): Account | undefined {
  return naive.accounts.find((one) => one.apiKeys.some((key) => key.prefix === prefix))
}

export function revokeApiKey(
  naive: Naive,
  command: CommandOf<'RevokeApiKey'>,
  account: Account,
): Rejection | null {
  if (isUnsupported(account, command)) return refuse('UNSUPPORTED_OPERATION')
  const { prefix } = command
  if (ownerOfKey(naive, prefix) !== account) return refuse('API_KEY_NOT_FOUND')
  account.apiKeys = account.apiKeys.filter((key) => key.prefix !== prefix)
  emit(naive, { type: 'ApiKeyRevoked', account: account.id, prefix })
  return null
}

export function setApiKeyCredits(
  naive: Naive,
  command: CommandOf<'SetApiKeyCredits'>,
): Rejection | null {
  const { prefix, credits } = command
  const account = ownerOfKey(naive, prefix)
  const key = account?.apiKeys.find((one) => one.prefix === prefix)
  if (!account || !key) return refuse('API_KEY_NOT_FOUND')
  if (!isInt(credits) || credits < 0) return refuse('INVALID_PARAMETER', given(credits))
  key.credits = credits + 0
  emit(naive, { type: 'ApiKeyCreditsSet', account: account.id, prefix, credits: key.credits })
  return null
}
