// Maps each agent key to its account (ACCT-4). A binding may name any address, so it is provisional
// until the key itself has signed for that account. Until then several accounts may hold the key,
// and the address stays free. Owns `byAgent` and `provisional`: a bound key is in exactly one of
// them, and a confirmed key belongs to one account.

import { broken } from '../../units/invariant.ts'
import type { unbindings } from '../../words/order-words.ts'
import type { EventLog } from '../events/event-log.ts'
import { limits } from '../rules/limits.ts'
import type { State } from '../state/state.ts'

type Unbinding = (typeof unbindings)[number]

/** Must be called before the key is added to the account's own list. */
export function bindProvisionally(
  state: State,
  log: EventLog,
  account: number,
  agent: string,
): void {
  const { provisional } = state.accounts
  const holders = provisional.get(agent)
  if (holders === undefined) {
    provisional.set(agent, [account])
    return
  }
  // One command unbinds a key everywhere, so the number of its bindings is limited. The newest
  // binding stays, because an honest binding comes after those that were meant to block it.
  if (holders.length >= limits.bindingsPerAgent)
    unbind(state, log, { account: crowding(state, holders), agent, reason: 'crowded_out' })
  holders.push(account)
}

/** Returns the oldest binding of the owner with the most bindings. Subaccounts are free, so an
 *  owner must not crowd out another owner by creating many. */
function crowding({ accounts: { main } }: State, holders: readonly number[]): number {
  const ofOwner = (account: number) => holders.filter((each) => main[each] === main[account]).length
  const most = Math.max(...holders.map(ofOwner))
  return holders.find((account) => ofOwner(account) === most)!
}

/** Called when the agent has signed for this account: from now on the key belongs to this account
 *  alone. */
export function confirmBinding(state: State, log: EventLog, account: number, agent: string): void {
  const { byAgent } = state.accounts
  if (byAgent.get(agent) === account) return
  removeHolder(state, account, agent)
  byAgent.set(agent, account)
  log.write({ type: 'AgentConfirmed', account, agent })
  endProvisional(state, log, agent, 'confirmed_elsewhere')
}

/** All provisional bindings of a key, oldest first. */
export function endProvisional(
  state: State,
  log: EventLog,
  agent: string,
  reason: Unbinding,
): void {
  for (const account of [...(state.accounts.provisional.get(agent) ?? [])])
    unbind(state, log, { account, agent, reason })
}

export function unbind(
  state: State,
  log: EventLog,
  { account, agent, reason }: Readonly<{ account: number; agent: string; reason: Unbinding }>,
): void {
  forgetBinding(state, account, agent)
  log.write({ type: 'AgentUnbound', account, agent, reason })
}

/** Also removes the connections that the agent has armed. */
export function forgetBinding(state: State, account: number, agent: string): void {
  const { accounts } = state
  const { agents, armed } = accounts.records[account]!
  if (agents!.get(agent)!.limit !== null) {
    if (accounts.limitedKeys === 0) broken('a policy ends that was not counted, account', account)
    accounts.limitedKeys -= 1
  }
  agents!.delete(agent)
  for (const [connection, each] of armed ?? []) if (each.agent === agent) armed!.delete(connection)
  if (accounts.byAgent.get(agent) === account) accounts.byAgent.delete(agent)
  else removeHolder(state, account, agent)
}

function removeHolder({ accounts }: State, account: number, agent: string): void {
  const holders = accounts.provisional.get(agent)!
  holders.splice(holders.indexOf(account), 1)
  if (holders.length === 0) accounts.provisional.delete(agent)
}
