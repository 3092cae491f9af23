// A copy of a state for a fork of the exchange: without the keys of its clients and what was signed
// with them, and with other addresses if wanted. Books, positions, money and time are the same.

import { limitOf } from '../admission/key-limit.ts'
import type { AccountPool } from '../pools/account-pool.ts'
import type { State } from '../state/state.ts'
import { TextTable } from '../texts/text-table.ts'
import { decodeState } from './decode.ts'
import { encodeState } from './encode.ts'

/** What a fork has lost, by number. */
export type Forgotten = Readonly<{ agents: number; apiKeys: number; connections: number }>

export type ForkChanges = Readonly<{
  /** Replaces addresses and names of operators, and references of deposits (default: they stay).
   *  Different texts must have different results. */
  renamed?: (text: string) => string
  /** Notes to add, by name (`KeepNote`). */
  notes: ReadonlyMap<string, string>
}>

/** Returns a copy without agents, API keys, their addresses, armed connections and used texts.
 *  Ticks without an observation time are accepted in it, as in a sandbox. */
export function forkedState(
  original: State,
  { renamed, notes }: ForkChanges,
): Readonly<{ state: State; forgotten: Forgotten }> {
  const state = decodeState(encodeState(original))
  forgetSigners(state)
  const forgotten = forgetKeys(state.accounts)
  state.pricesMayStand = true
  for (const [name, text] of notes) state.notes.set(name, text)
  if (renamed !== undefined) rename(state, renamed)
  return { state: decodeState(encodeState(state)), forgotten }
}

/** Orders of a key stay. A stop keeps the distance from the mark that the policy of its key
 *  allowed, as when the key is revoked. */
function forgetSigners(state: State): void {
  const lastOf = (account: number, agent: string, known: number | null) => {
    const limit = limitOf(state, account, agent)
    return limit === null ? known : limit.policy.maxSlippagePpm
  }
  for (const trigger of state.triggers.values()) {
    const { account, agent, lastSlippagePpm } = trigger
    if (agent === null) continue
    trigger.lastSlippagePpm = lastOf(account, agent, lastSlippagePpm)
    trigger.agent = null
  }
  for (const algo of state.algos.values()) algo.agent = null
  for (const [, persistent] of state.goingOn.all()) {
    const { row, agent, lastSlippagePpm } = persistent
    if (agent === null) continue
    const account = state.positions.account[row]!
    persistent.lastSlippagePpm = lastOf(account, agent, lastSlippagePpm)
    persistent.agent = null
  }
  for (const [id, deferred] of state.deferred)
    state.deferred.set(id, { ...deferred, action: { ...deferred.action, proof: null } })
  state.texts = new TextTable()
  state.untimedTexts.clear()
}

function forgetKeys(accounts: AccountPool): Forgotten {
  const forgotten = { agents: 0, apiKeys: 0, connections: 0 }
  for (const record of accounts.records) {
    forgotten.agents += record.agents?.size ?? 0
    forgotten.apiKeys += record.apiKeys?.size ?? 0
    forgotten.connections += record.armed?.size ?? 0
    record.agents = null
    record.apiKeys = null
    record.armed = null
  }
  accounts.provisional.clear()
  accounts.limitedKeys = 0
  return forgotten
}

/** The reserves of the exchange keep their addresses, which its genesis has, too. */
function rename(state: State, renamed: (text: string) => string): void {
  const { accounts, aloneToday, references, credits, withdrawals } = state
  const isReserve = (account: number) => accounts.reserved[account] === 1
  const addressOf = (address: string) =>
    isReserve(accounts.byAddress.get(address) ?? 0) ? address : renamed(address)
  const textOf = (text: string) => (text === '' ? '' : renamed(text))
  for (const [id, { address, reference, by, ...rest }] of credits) {
    const texts = { address: addressOf(address), reference: textOf(reference), by: renamed(by) }
    credits.set(id, { ...rest, ...texts })
  }
  for (const [id, { approvers, ...rest }] of withdrawals)
    withdrawals.set(id, { ...rest, approvers: approvers.map(renamed) })
  for (const kept of [references, aloneToday.approved, aloneToday.credited] as Map<
    string,
    never
  >[]) {
    const all = [...kept]
    kept.clear()
    for (const [text, value] of all) kept.set(renamed(text), value)
  }
  for (let account = 1; account <= accounts.count; account++) {
    const record = accounts.records[account]!
    accounts.records[account] = { ...record, address: addressOf(record.address) }
  }
}
