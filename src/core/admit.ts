// Who asks: the account, its agent, and the signed text, before anything else (CORE-4, CORE-6).

import { findRow } from './accounts/position-row.ts'
import type { AgentScope, Proof } from './commands.ts'
import { limits } from './limits.ts'
import { type Rejection, refuse } from './rejections.ts'
import type { State } from './state.ts'

export function accountExists(state: State, account: number): boolean {
  return Number.isSafeInteger(account) && account >= 1 && account <= state.accounts.count
}

type Asked = Readonly<{ account: number; proof: Proof | null }>

/** Account, agent and text of a command; reserved accounts. `scope` null: no agent may do this. */
export function admissionRefusal(
  state: State,
  asked: Asked,
  scope: AgentScope | null,
): Rejection | null {
  return askerRefusal(state, asked, scope) ?? reservedRefusal(state, asked)
}

/** The same for a command on a market, which must exist. */
export function marketAdmissionRefusal(
  state: State,
  asked: Asked & Readonly<{ market: number }>,
  scope: AgentScope | null,
): Rejection | null {
  return (
    askerRefusal(state, asked, scope) ??
    marketRefusal(state, asked.market) ??
    reservedRefusal(state, asked)
  )
}

export function marketRefusal(state: State, market: number): Rejection | null {
  if (state.markets[market] !== undefined) return null
  return refuse('BOOK_NOT_FOUND', Number.isSafeInteger(market) ? market : 0)
}

export function askerRefusal(
  state: State,
  { account, proof }: Asked,
  scope: AgentScope | null,
): Rejection | null {
  if (!accountExists(state, account))
    return refuse('ACCOUNT_NOT_FOUND', Number.isSafeInteger(account) ? account : 0)
  if (proof === null) return null
  const text = takeText(state, account, proof)
  return agentRefusal(state, account, proof, scope) ?? text
}

/** A reserved account has no owner who could ask, and an untimed text serves for TP/SL alone. */
function reservedRefusal(state: State, { account, proof }: Asked): Rejection | null {
  const untimed = proof !== null && proof.expiresAtMs === null
  if (untimed || state.accounts.reserved[account] === 1) return refuse('UNSUPPORTED_OPERATION')
  return null
}

export function agentRefusal(
  state: State,
  account: number,
  proof: Proof,
  scope: AgentScope | null,
): Rejection | null {
  if (proof.agent === null) return null
  const agent = state.accounts.records[account]!.agents?.get(proof.agent)
  if (agent === undefined || scope === null || !agent.scopes.includes(scope))
    return refuse('AGENT_NOT_ALLOWED')
  if (agent.ipFilter && (proof.ip === null || !agent.ips.has(proof.ip)))
    return refuse('AGENT_NOT_ALLOWED')
  return null
}

/** Looks a timed text up and remembers it. */
function takeText(state: State, account: number, proof: Proof): Rejection | null {
  if (proof.expiresAtMs === null) return null
  const known = textRefusalOf(state, account, proof)
  if (known === null) rememberText(state, account, proof)
  return known
}

/** `REPLAYED`, `TEXT_MEMORY_FULL` or null; forgets expired texts at the front first. */
export function textRefusalOf(state: State, account: number, proof: Proof): Rejection | null {
  const { texts } = state.accounts.records[account]!
  if (texts === null) return null
  for (const [hash, expiresAtMs] of texts) {
    if (expiresAtMs >= proof.receivedAtMs) break
    texts.delete(hash)
  }
  if (texts.has(proof.textHash)) return refuse('REPLAYED')
  if (texts.size >= limits.textsPerAccount)
    return refuse('TEXT_MEMORY_FULL', limits.textsPerAccount)
  return null
}

export function rememberText(state: State, account: number, proof: Proof): void {
  const record = state.accounts.records[account]!
  record.texts ??= new Map()
  record.texts.set(proof.textHash, proof.expiresAtMs!)
}

/** The same for a text without a timestamp, kept with the position (CORE-6). */
export function untimedRefusalOf(
  state: State,
  account: number,
  market: number,
  proof: Proof,
): Rejection | null {
  const row = positionRow(state, account, market)
  const texts = row === 0 ? undefined : state.untimedTexts.get(row)
  if (texts === undefined) return null
  if (texts.has(proof.textHash)) return refuse('REPLAYED')
  if (texts.size >= limits.untimedTextsPerPosition)
    return refuse('TEXT_MEMORY_FULL', limits.untimedTextsPerPosition)
  return null
}

export function rememberUntimed(
  state: State,
  account: number,
  market: number,
  proof: Proof,
): void {
  const row = positionRow(state, account, market)
  if (row === 0) return
  const texts = state.untimedTexts.get(row)
  if (texts === undefined) state.untimedTexts.set(row, new Set([proof.textHash]))
  else texts.add(proof.textHash)
}

/** The row of an open position, or 0. */
function positionRow(state: State, account: number, market: number): number {
  const found = state.markets[market]
  const row = found === undefined ? 0 : findRow(found, account)
  return row !== 0 && state.positions.lots[row] !== 0 ? row : 0
}
