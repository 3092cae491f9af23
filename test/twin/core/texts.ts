// Signed texts and agents (CORE-6): which signers are allowed, and which texts were used.

import type {
  AgentScope,
  BatchAction,
  CommandType,
  Proof,
} from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { limits } from '../../../src/core/rules/limits.ts'
import { confirmAgent } from '../accounts/bindings.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Naive, Text } from '../state.ts'
import { findMarket, holdingOf } from './lookup.ts'

/** Of a command of an account, what matters here. */
export type Signed = { type: CommandType; market?: unknown; proof?: Proof | null }

/** In order of arrival; each signer has its own share of it. */
type Memory = Text[]

/** What an agent needs; `api_keys`: to be one, whatever its scopes. */
type Needs = AgentScope | 'api_keys' | 'mmp'

const needs: Partial<Record<CommandType, Needs>> = {
  Batch: 'trade',
  PlaceOrder: 'trade',
  PlaceMarketOrder: 'trade',
  PlaceStop: 'trade',
  SetPositionTpsl: 'trade',
  EditOrder: 'trade',
  CancelOrder: 'trade',
  CancelStop: 'trade',
  CancelAllOrders: 'trade',
  ScheduleCancel: 'trade',
  ArmConnection: 'trade',
  PlaceTwap: 'trade',
  PlaceIceberg: 'trade',
  PlaceChase: 'trade',
  CancelTwap: 'trade',
  PlaceOco: 'trade',
  SetMmp: 'mmp',
  ResetMmp: 'mmp',
  SetLeverage: 'margin',
  SetMarginMode: 'margin',
  MoveIsolatedMargin: 'margin',
  CreateApiKey: 'api_keys',
  RevokeApiKey: 'api_keys',
}

function isTimed(proof: Proof): boolean {
  return typeof proof.expiresAtMs === 'number'
}

/** UNSUPPORTED_OPERATION: a reserved account, or a text without a timestamp where none may be. */
export function isUnsupported(account: Account, command: Signed): boolean {
  const untimed = command.proof ? !isTimed(command.proof) : false
  return account.reserved || (untimed && command.type !== 'SetPositionTpsl')
}

/** CORE-6: the number of what does not hold; 0: the agent may, or there is none. */
export function agentFault(
  naive: Naive,
  account: Account,
  needed: Needs | undefined,
  proof: Pick<Proof, 'agent' | 'ip'>,
): number {
  if (proof.agent == null) return 0
  const agent = account.agents.find((one) => one.address === proof.agent)
  if (!agent) return 1
  if (needed === undefined) return 2
  const scope = needed === 'mmp' ? 'trade' : needed
  const scoped = scope === 'api_keys' || agent.scopes.includes(scope)
  if (!scoped) return scope === 'trade' ? 3 : 4
  const here = typeof proof.ip === 'string' && agent.ips.includes(proof.ip)
  if (agent.filter && !here) return 5
  const { policy } = agent.limit ?? {}
  if (policy?.expiresAt != null && policy.expiresAt <= naive.now) return 6
  // ORDER-18: no policy allows it.
  const allowed = needed === 'trade' || (needed !== 'mmp' && policy?.allow.includes(needed))
  return policy && !allowed ? 7 : 0
}

/** Whose share a text takes; null: the account's own key. */
function signerOf(command: Signed): string | null {
  return command.proof?.agent ?? null
}

/** CORE-6: for these a signer always finds room. */
const reserved: readonly CommandType[] = [
  'CancelOrder',
  'CancelStop',
  'CancelAllOrders',
  'CancelTwap',
  'ScheduleCancel',
  'ArmConnection',
  'RevokeAgent',
  'RevokeAllAgents',
  'RevokeApiKey',
]

/** The memory a text belongs to: the account's, a position's, or none. */
function memoryOf(naive: Naive, account: Account, command: Signed): Memory | null {
  if (!command.proof) return null
  if (isTimed(command.proof)) return account.texts
  const market = findMarket(naive, command.market)
  if (command.type !== 'SetPositionTpsl' || !market) return null
  const holding = holdingOf(account, market)
  return holding.lots === 0n ? null : holding.untimed
}

/** CORE-6: up to this time, or the mark if that is larger. */
function forget(account: Account, time: number): void {
  account.mark = Math.max(account.mark, time)
  for (const signer of new Set(account.texts.map((text) => text.signer))) {
    for (const text of account.texts.filter((one) => one.signer === signer)) {
      if (text.expiresAtMs > account.mark) break
      account.texts.splice(account.texts.indexOf(text), 1)
    }
  }
}

/** Agents and texts of one command, or of all actions of a batch. */
export function admit(naive: Naive, account: Account, commands: Signed[]): Rejection | null {
  const signed = commands.filter((command) => command.proof)
  for (const command of signed) {
    const fault = agentFault(naive, account, needs[command.type], command.proof as Proof)
    if (fault !== 0) return refuse('AGENT_NOT_ALLOWED', fault)
  }
  const refusal = takeTexts(naive, account, signed)
  if (refusal) return refusal
  for (const { proof } of signed) {
    if (proof?.agent != null) confirmAgent(naive, account, proof.agent)
  }
  return null
}

/** Looks all texts up, then remembers all, each distinct one once in each share. */
function takeTexts(naive: Naive, account: Account, signed: Signed[]): Rejection | null {
  const timed = signed.map(({ proof }) => proof as Proof).filter(isTimed)
  if (timed.length > 0) forget(account, naive.stamp)
  for (const { expiresAtMs } of timed) {
    const expires = Number(expiresAtMs)
    if (expires <= account.mark) return refuse('EXPIRED', expires, account.mark)
  }
  for (const command of signed) {
    const proof = command.proof as Proof
    const memory = memoryOf(naive, account, command)
    const ownOnly = isTimed(proof) && proof.agent == null && reserved.includes(command.type)
    const counts = (text: Text) => !ownOnly || text.signer === null
    if (memory?.some((text) => text.hash === proof.textHash && counts(text)))
      return refuse('REPLAYED')
  }
  const fresh: { memory: Memory; command: Signed }[] = []
  for (const command of signed) {
    const memory = memoryOf(naive, account, command)
    const hash = command.proof?.textHash
    const before = fresh.some((one) => {
      const shared = memory !== account.texts || signerOf(one.command) === signerOf(command)
      return one.memory === memory && one.command.proof?.textHash === hash && shared
    })
    if (memory && !before) fresh.push({ memory, command })
  }
  for (const { memory, command } of fresh) {
    const others = fresh.filter((one) => one.memory === memory).map((one) => one.command)
    let full = fullOf(naive, memory, command, others)
    const proof = command.proof as Proof
    if (full && isTimed(proof)) {
      forget(account, Number(proof.signedAtMs) - limits.textAheadMs)
      full = fullOf(naive, memory, command, others)
    }
    const signer = signerOf(command)
    const oldest = isTimed(proof) ? memory.find((text) => text.signer === signer) : undefined
    if (full) return refuse('TEXT_MEMORY_FULL', full, oldest?.expiresAtMs ?? 0)
  }
  for (const { memory, command } of fresh) {
    const { textHash, expiresAtMs } = command.proof as Proof
    memory.push({
      hash: String(textHash),
      expiresAtMs: Number(expiresAtMs),
      signer: signerOf(command),
    })
  }
  return null
}

/** The limit that is reached if these new texts are too many for the signer's share, else 0. */
function fullOf(naive: Naive, memory: Memory, command: Signed, fresh: readonly Signed[]): number {
  const signer = signerOf(command)
  const had = memory.filter((text) => text.signer === signer).length
  const own = fresh.filter((one) => signerOf(one) === signer)
  const ofAgents = memory.filter((text) => text.signer !== null)
  const newOfAgents = fresh.filter((one) => signerOf(one) !== null)
  const names = [...ofAgents.map((text) => text.signer), ...newOfAgents.map(signerOf)]
  if (!isTimed(command.proof as Proof)) {
    const most = signer === null ? limits.untimedTextsPerPosition : limits.untimedTextsPerAgent
    const together = limits.untimedTextsPerAgent * bookOf(naive).limits.agentsPerAccount
    const crowded = signer !== null && names.length > together
    return crowded || had + own.length > most ? most : 0
  }
  const crowded = signer !== null && had === 0 && new Set(names).size > limits.agentTextShares
  if (crowded) return limits.agentTextShares
  const isUrgent = (one: Signed) => reserved.includes(one.type)
  const share = signer === null ? limits.textsPerAccount : limits.textsPerAgent
  const most = isUrgent(command) ? share + limits.textsReserved : share
  const counted = isUrgent(command) ? own : own.filter((one) => !isUrgent(one))
  return had + counted.length > most ? most : 0
}

/** ORDER-10: what is refused of a batch as a whole for a text that has no timestamp. */
export function hasBadUntimed(actions: readonly BatchAction[]): boolean {
  return actions.some((action) => {
    return action.proof && !isTimed(action.proof) && action.type !== 'SetPositionTpsl'
  })
}
