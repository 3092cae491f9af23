// Signed texts and agents (CORE-6): who may ask, and what was asked before.

import type { AgentScope, BatchAction, CommandType, Proof } from '../../../src/core/commands.ts'
import { limits } from '../../../src/core/limits.ts'
import { type Rejection, refuse } from '../../../src/core/rejections.ts'
import { confirmAgent } from './bindings.ts'
import { findMarket, holdingOf } from './lookup.ts'
import type { Account, Naive } from './state.ts'

/** Of a command of an account, what matters here. */
export type Signed = { type: CommandType; market?: unknown; proof?: Proof | null }

/** What an agent needs; `any`: to be one, whatever its scopes. */
type Needs = AgentScope | 'any'

const needs: Partial<Record<CommandType, Needs>> = {
  PlaceOrder: 'trade',
  PlaceMarketOrder: 'trade',
  PlaceStop: 'trade',
  SetPositionTpsl: 'trade',
  EditOrder: 'trade',
  CancelOrder: 'trade',
  CancelStop: 'trade',
  CancelAllOrders: 'trade',
  ScheduleCancel: 'trade',
  PlaceTwap: 'trade',
  CancelTwap: 'trade',
  SetLeverage: 'margin',
  SetMarginMode: 'margin',
  MoveIsolatedMargin: 'margin',
  CreateApiKey: 'any',
  RevokeApiKey: 'any',
}

function isTimed(proof: Proof): boolean {
  return typeof proof.expiresAtMs === 'number'
}

/** UNSUPPORTED_OPERATION: a reserved account, or a text without a timestamp where none may be. */
export function isUnsupported(account: Account, command: Signed): boolean {
  const untimed = command.proof ? !isTimed(command.proof) : false
  return account.reserved || (untimed && command.type !== 'SetPositionTpsl')
}

function agentAllowed(account: Account, needed: Needs | undefined, proof: Proof): boolean {
  if (proof.agent == null) return true
  const agent = account.agents.find((one) => one.address === proof.agent)
  if (!agent || needed === undefined) return false
  if (needed !== 'any' && !agent.scopes.includes(needed)) return false
  return !agent.filter || (typeof proof.ip === 'string' && agent.ips.includes(proof.ip))
}

/** The memory a text belongs to, as its list of hashes; null: it has none. */
type Memory = { hashes: () => string[]; max: number; add: (proof: Proof) => void }

function memoryOf(naive: Naive, account: Account, command: Signed): Memory | null {
  if (!command.proof) return null
  if (isTimed(command.proof)) {
    return {
      hashes: () => account.texts.map((text) => text.hash),
      max: limits.textsPerAccount,
      add: ({ textHash, expiresAtMs }) =>
        account.texts.push({ hash: textHash, expiresAtMs: Number(expiresAtMs) }),
    }
  }
  const market = findMarket(naive, command.market)
  if (command.type !== 'SetPositionTpsl' || !market) return null
  const holding = holdingOf(account, market)
  if (holding.lots === 0n) return null
  return {
    hashes: () => holding.untimed,
    max: limits.untimedTextsPerPosition,
    add: ({ textHash }) => holding.untimed.push(textHash),
  }
}

function forget(account: Account, proof: Proof): void {
  if (!isTimed(proof)) return
  while (account.texts[0] && account.texts[0].expiresAtMs < proof.receivedAtMs) {
    account.texts.shift()
  }
}

/** Agents and texts of one command, or of all actions of a batch. */
export function admit(naive: Naive, account: Account, commands: Signed[]): Rejection | null {
  const signed = commands.filter((command) => command.proof)
  const badAgent = signed.some((command) => {
    return !agentAllowed(account, needs[command.type], command.proof as Proof)
  })
  // Remembered also when the agent is refused.
  const refusal = takeTexts(naive, account, signed)
  if (badAgent) return refuse('AGENT_NOT_ALLOWED')
  if (refusal) return refusal
  for (const { proof } of signed) {
    if (proof?.agent != null) confirmAgent(naive, account, proof.agent)
  }
  return null
}

/** Looks all texts up, then remembers all, each distinct one once. */
function takeTexts(naive: Naive, account: Account, signed: Signed[]): Rejection | null {
  for (const command of signed) {
    const proof = command.proof as Proof
    forget(account, proof)
    const memory = memoryOf(naive, account, command)
    if (memory?.hashes().includes(proof.textHash)) return refuse('REPLAYED')
  }
  for (const command of signed) {
    const memory = memoryOf(naive, account, command)
    if (!memory) continue
    const fresh = new Set<string>()
    for (const other of signed) {
      const sameKind = isTimed(other.proof as Proof) === isTimed(command.proof as Proof)
      const same = sameKind && (isTimed(command.proof as Proof) || other.market === command.market)
      if (same && memoryOf(naive, account, other)) fresh.add((other.proof as Proof).textHash)
    }
    if (memory.hashes().length + fresh.size > memory.max) {
      return refuse('TEXT_MEMORY_FULL', memory.max)
    }
  }
  for (const command of signed) {
    const memory = memoryOf(naive, account, command)
    const proof = command.proof as Proof
    if (memory && !memory.hashes().includes(proof.textHash)) memory.add(proof)
  }
  return null
}

/** ORDER-10: what is refused of a batch as a whole for a text that has no timestamp. */
export function hasBadUntimed(actions: readonly BatchAction[]): boolean {
  return actions.some((action) => {
    return action.proof && !isTimed(action.proof) && action.type !== 'SetPositionTpsl'
  })
}
