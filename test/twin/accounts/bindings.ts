// Whose agent a key is: provisional until it has signed, then one account's (ACCT-4).

import type { EventOf } from '../../../src/core/events/event-fields.ts'
import { limits } from '../../../src/core/rules/limits.ts'
import { emit } from '../core/lookup.ts'
import type { Account, Agent, Naive } from '../state.ts'

export function agentOf(account: Account, address: unknown): Agent | undefined {
  return account.agents.find((one) => one.address === address)
}

export function isConfirmedAgent(naive: Naive, address: unknown): boolean {
  return naive.accounts.some((account) => agentOf(account, address)?.confirmed === true)
}

export function addBinding(
  naive: Naive,
  account: Account,
  agent: Pick<Agent, 'address' | 'scopes'>,
): void {
  const holders = holdersOf(naive, agent.address)
  if (holders.length >= limits.bindingsPerAgent) {
    // Sorting is stable: among owners with equally many the oldest binding comes first.
    const held = (one: Account) => holders.filter((other) => other.main === one.main).length
    const [greedy] = [...holders].sort((one, other) => held(other) - held(one))
    unbind(naive, greedy as Account, agent.address, 'crowded_out')
  }
  const place = naive.nextBinding
  naive.nextBinding += 1
  account.agents.push({ ...agent, ips: [], filter: false, confirmed: false, limit: null, place })
}

/** ACCT-4: accounts with this key as an agent, oldest binding first. */
export function holdersOf(naive: Naive, address: string): Account[] {
  const place = (account: Account) => agentOf(account, address)?.place ?? 0
  return naive.accounts
    .filter((account) => agentOf(account, address))
    .sort((one, other) => place(one) - place(other))
}

/** With all it had armed (TRIG-9). */
export function dropAgent(account: Account, address: string): void {
  account.agents = account.agents.filter((one) => one.address !== address)
  account.armed = account.armed.filter((one) => one.agent !== address)
}

export function unbind(
  naive: Naive,
  account: Account,
  address: string,
  reason: EventOf<'AgentUnbound'>['reason'],
): void {
  dropAgent(account, address)
  emit(naive, { type: 'AgentUnbound', account: account.id, agent: address, reason })
}

/** An account is about to be opened there. */
export function freeAddress(naive: Naive, address: string): void {
  for (const holder of holdersOf(naive, address)) unbind(naive, holder, address, 'address_in_use')
}

/** The core has met a command that this agent signed for the account. */
export function confirmAgent(naive: Naive, account: Account, address: string): void {
  const agent = agentOf(account, address)
  if (!agent || agent.confirmed) return
  agent.confirmed = true
  emit(naive, { type: 'AgentConfirmed', account: account.id, agent: address })
  for (const holder of holdersOf(naive, address)) {
    if (holder !== account) unbind(naive, holder, address, 'confirmed_elsewhere')
  }
}
