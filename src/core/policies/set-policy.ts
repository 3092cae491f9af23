// Sets, replaces and removes the policies of keys (ACCT-9).

import { PPM } from '../../units/units.ts'
import { admissionRefusal } from '../admission/admit.ts'
import type { AgentPolicy, CommandOf } from '../commands/commands.ts'
import type { MarketId } from '../commands/ids.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { limits } from '../rules/limits.ts'
import type { State } from '../state/state.ts'

/** The value in the event for no limit. */
const NONE = -1

export function setAgentPolicy(
  state: State,
  log: EventLog,
  command: CommandOf<'SetAgentPolicy'>,
): Rejection | null {
  const { account, agent, policy } = command
  const refusal = admissionRefusal(state, log, command, null)
  if (refusal !== null) return refusal
  if (state.accounts.records[account]!.agents?.has(agent) !== true) return refuse('AGENT_NOT_FOUND')
  if (policy !== null && !isGoodPolicy(state, policy)) return refuse('INVALID_PARAMETER', 0)
  writePolicy(state, log, account, agent, policy)
  return null
}

/** Replaces the policy of a bound key. The day of its loss limit does not restart. */
export function writePolicy(
  state: State,
  log: EventLog,
  account: number,
  agent: string,
  policy: AgentPolicy | null,
): void {
  const { accounts } = state
  const bound = accounts.records[account]!.agents!.get(agent)!
  const { day, high } = bound.limit ?? { day: NONE, high: 0 }
  accounts.limitedKeys += (policy === null ? 0 : 1) - (bound.limit === null ? 0 : 1)
  bound.limit = policy === null ? null : { policy: canonical(policy), day, high }
  logPolicy(log, account, agent, bound.limit?.policy ?? null)
}

/** Normalises a policy, so that equal policies are stored alike. */
function canonical(policy: AgentPolicy): AgentPolicy {
  const markets = policy.markets === null ? null : [...new Set(policy.markets)]
  const allow = [...new Set(policy.allow)].sort()
  return { ...policy, markets: markets?.sort((one, other) => one - other) ?? null, allow }
}

function logPolicy(
  log: EventLog,
  account: number,
  agent: string,
  policy: AgentPolicy | null,
): void {
  log.write({
    type: 'AgentPolicySet',
    account,
    agent,
    removed: policy === null,
    postOnly: policy?.postOnly ?? false,
    reduceOnly: policy?.reduceOnly ?? false,
    margin: policy?.allow.includes('margin') ?? false,
    apiKeys: policy?.allow.includes('api_keys') ?? false,
    maxSlippagePpm: policy?.maxSlippagePpm ?? NONE,
    maxOrderValue: policy?.maxOrderValue ?? NONE,
    maxPositionValue: policy?.maxPositionValue ?? NONE,
    maxDailyLoss: policy?.maxDailyLoss ?? NONE,
    expiresAt: policy?.expiresAt ?? NONE,
    markets: policy?.markets?.join(',') ?? null,
  })
}

export function isGoodPolicy(state: State, policy: AgentPolicy): boolean {
  const { markets, maxSlippagePpm, expiresAt, allow } = policy
  const money = [policy.maxOrderValue, policy.maxPositionValue, policy.maxDailyLoss]
  return (
    (markets === null || areMarkets(state, markets)) &&
    [policy.postOnly, policy.reduceOnly].every((flag) => typeof flag === 'boolean') &&
    (maxSlippagePpm === null || isWithin(maxSlippagePpm, 0, PPM)) &&
    money.every((most) => most === null || isWithin(most, 1, limits.moneyMax)) &&
    (expiresAt === null || isWithin(expiresAt, state.atMs + 1, Number.MAX_SAFE_INTEGER)) &&
    allow.every((word) => word === 'margin' || word === 'api_keys')
  )
}

function areMarkets(state: State, markets: readonly MarketId[]): boolean {
  const { length } = markets
  if (length < 1 || length > state.rules.limits.policyMarkets) return false
  return markets.every((market) => state.markets[market] !== undefined)
}

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most
}
