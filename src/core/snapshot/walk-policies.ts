// Writes and reads the agents of triggers and algos, and the policies of keys.

import type { AgentPolicy } from '../commands/commands.ts'
import type { KeyLimit } from '../pools/account-pool.ts'
import type { Algo } from '../state/algo.ts'
import type { State } from '../state/state.ts'
import type { Trigger } from '../state/trigger.ts'
import { flag, list, optionalNumber, type Stream } from './stream.ts'

/** Triggers and algos that store an agent, by id. */
export function setByAgents({ triggers, algos }: State): (Trigger | Algo)[] {
  return [...triggers.values(), ...algos.values()]
    .filter(({ agent }) => agent !== null)
    .sort((one, other) => one.id - other.id)
}

export function walkAgents(stream: Stream, state: State): void {
  list(stream, setByAgents(state), (known) => {
    const id = stream.number(known?.id ?? 0)
    const agent = stream.text(known?.agent ?? '')
    if (!stream.reading) return
    const found = state.triggers.get(id) ?? state.algos.get(id)
    found!.agent = agent
  })
}

/** Triggers of unbound keys that had a policy, by id. */
export function setByGoneKeys({ triggers }: State): Trigger[] {
  return [...triggers.values()]
    .filter(({ lastSlippagePpm }) => lastSlippagePpm !== null)
    .sort((one, other) => one.id - other.id)
}

export function walkLastSlippage(stream: Stream, state: State): void {
  list(stream, setByGoneKeys(state), (known) => {
    const id = stream.number(known?.id ?? 0)
    const last = stream.number(known?.lastSlippagePpm ?? 0)
    if (stream.reading) state.triggers.get(id)!.lastSlippagePpm = last
  })
}

type Limited = Readonly<{ account: number; agent: string; limit: KeyLimit }>

/** Sorted by account, then by key. */
function limitedKeys({ accounts }: State): Limited[] {
  const found: Limited[] = []
  for (let account = 1; account <= accounts.count; account++) {
    const agents = accounts.records[account]!.agents ?? new Map<string, never>()
    for (const agent of [...agents.keys()].sort()) {
      const limit: KeyLimit | null = agents.get(agent)!.limit
      if (limit !== null) found.push({ account, agent, limit })
    }
  }
  return found
}

/** Writes and reads key policies. The highest equity of the day is omitted from the trading
 *  hash, because a test of the policy updates it even if the order is then rejected. */
export function walkPolicies(stream: Stream, state: State): void {
  list(stream, limitedKeys(state), (known) => {
    const account = stream.number(known?.account ?? 0)
    const agent = stream.text(known?.agent ?? '')
    const policy = walkPolicy(stream, known?.limit.policy)
    const day = stream.tradingOnly ? 0 : stream.number(known?.limit.day ?? 0)
    const high = stream.tradingOnly ? 0 : stream.number(known?.limit.high ?? 0)
    if (!stream.reading) return
    state.accounts.records[account]!.agents!.get(agent)!.limit = { policy, day, high }
    state.accounts.limitedKeys += 1
  })
}

function walkPolicy(stream: Stream, known: AgentPolicy | undefined): AgentPolicy {
  const most = (value: number | null | undefined) => optionalNumber(stream, value ?? null) as never
  const everywhere = flag(stream, (known?.markets ?? null) === null)
  const markets: number[] = []
  list(stream, known?.markets ?? [], (market) => markets.push(stream.number(market ?? 0)))
  const allow: string[] = []
  list(stream, known?.allow ?? [], (word) => allow.push(stream.text(word ?? '')))
  return {
    markets: (everywhere ? null : markets) as AgentPolicy['markets'],
    postOnly: flag(stream, known?.postOnly ?? false),
    reduceOnly: flag(stream, known?.reduceOnly ?? false),
    maxSlippagePpm: most(known?.maxSlippagePpm),
    maxOrderValue: most(known?.maxOrderValue),
    maxPositionValue: most(known?.maxPositionValue),
    maxDailyLoss: most(known?.maxDailyLoss),
    expiresAt: most(known?.expiresAt),
    allow: allow as unknown as AgentPolicy['allow'],
  }
}
