// Checks the caller before anything else: the account, its agent, and the signed request (CORE-4,
// CORE-6).

import type { AgentAllowance } from '../../words/order-words.ts'
import type { NeededScope, Proof } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import type { State } from '../state/state.ts'
import { confirmBinding } from './bindings.ts'
import { isExpired } from './key-limit.ts'
import { isUntimed, type Signed, takeText } from './signed-texts.ts'

export function accountExists(state: State, account: number): boolean {
  return Number.isSafeInteger(account) && account >= 1 && account <= state.accounts.count
}

export function accountRefusal(state: State, account: number): Rejection | null {
  if (accountExists(state, account)) return null
  return refuse('ACCOUNT_NOT_FOUND', Number.isSafeInteger(account) ? account : 0)
}

/** Checks the account, the agent and the signed request of a command, and rejects reserved
 *  accounts. */
export function admissionRefusal(
  state: State,
  log: EventLog,
  signed: Signed,
  scope: NeededScope,
): Rejection | null {
  return callerRefusal(state, log, signed, scope) ?? unsupportedRefusal(state, signed)
}

/** Whether account and market accept a command that has no signed request. Used by hot commands. */
export function isOpenTo(state: State, account: number, market: number): boolean {
  return (
    accountExists(state, account) &&
    state.accounts.reserved[account] === 0 &&
    state.markets[market] !== undefined
  )
}

/** Like `admissionRefusal`, for a command on a market. The market must exist. */
export function marketAdmissionRefusal(
  state: State,
  log: EventLog,
  signed: Signed & Readonly<{ market: number }>,
  scope: NeededScope,
): Rejection | null {
  return (
    callerRefusal(state, log, signed, scope) ??
    marketRefusal(state, signed.market) ??
    unsupportedRefusal(state, signed)
  )
}

export function marketRefusal(state: State, market: number): Rejection | null {
  if (state.markets[market] !== undefined) return null
  return refuse('BOOK_NOT_FOUND', Number.isSafeInteger(market) ? market : 0)
}

/** The signed request of an agent without permission is not remembered. It was not executed, so it
 *  may be sent again. */
export function callerRefusal(
  state: State,
  log: EventLog,
  signed: Signed,
  scope: NeededScope,
): Rejection | null {
  const { account, proof } = signed
  const unknown = accountRefusal(state, account)
  if (unknown !== null || proof === null) return unknown
  const refusal = agentRefusal(state, account, proof, scope) ?? takeText(state, signed)
  if (refusal === null) meetAgent(state, log, signed)
  return refusal
}

/** Confirms the binding of a key that signs for an account, whether the command succeeds or not. */
export function meetAgent(state: State, log: EventLog, { account, proof }: Signed): void {
  const agent = proof?.agent ?? null
  if (agent !== null) confirmBinding(state, log, account, agent)
}

/** Rejects commands of reserved accounts, which have no owner, and requests without a timestamp
 *  other than TP/SL. */
export function unsupportedRefusal(state: State, signed: Signed): Rejection | null {
  const misused = signed.type !== 'SetPositionTpsl' && isUntimed(signed)
  if (misused || state.accounts.reserved[signed.account] === 1)
    return refuse('UNSUPPORTED_OPERATION')
  return null
}

// Why an agent may not act, as the number in its rejection (CORE-6).
const NOT_BOUND = 1
const OWNER_ONLY = 2
const NO_TRADE_SCOPE = 3
const NO_MARGIN_SCOPE = 4
const OTHER_ADDRESS = 5
export const EXPIRED_KEY = 6
const NOT_IN_POLICY = 7

export function agentRefusal(
  state: State,
  account: number,
  { agent, ip }: Pick<Proof, 'agent' | 'ip'>,
  scope: NeededScope,
): Rejection | null {
  if (agent === null) return null
  const bound = state.accounts.records[account]!.agents?.get(agent)
  if (bound === undefined) return refuse('AGENT_NOT_ALLOWED', NOT_BOUND)
  if (scope === null) return refuse('AGENT_NOT_ALLOWED', OWNER_ONLY)
  const needed = scope === 'mmp' ? 'trade' : scope
  if ((needed === 'trade' || needed === 'margin') && !bound.scopes.includes(needed))
    return refuse('AGENT_NOT_ALLOWED', needed === 'trade' ? NO_TRADE_SCOPE : NO_MARGIN_SCOPE)
  if (bound.ipFilter && (ip === null || !bound.ips.has(ip)))
    return refuse('AGENT_NOT_ALLOWED', OTHER_ADDRESS)
  if (bound.limit === null) return null
  const { policy } = bound.limit
  if (isExpired(state, policy)) return refuse('AGENT_NOT_ALLOWED', EXPIRED_KEY)
  const allowance = allowanceOf(scope)
  const allowed = allowance === null || policy.allow.includes(allowance)
  if (allowed && scope !== 'mmp') return null
  return refuse('AGENT_NOT_ALLOWED', NOT_IN_POLICY)
}

/** The permission that a policy must grant for a command with this scope, or `null` if none is
 *  needed. */
function allowanceOf(scope: NeededScope): AgentAllowance | null {
  return scope === 'margin' || scope === 'api_keys' ? scope : null
}
