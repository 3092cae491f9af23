// The memory of signed texts: each is accepted once (CORE-6). Timed texts are kept with the account
// until they expire, untimed ones (TP/SL alone may come without a time) with the position until it
// is flat. Each signer has a share of his own, so that no agent can fill the memory that its owner
// needs, and the owner's cancels and revocations have room that nothing else takes.

import { findRow } from '../accounts/position-row.ts'
import type { Proof } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import { limits } from '../rules/limits.ts'
import type { State } from '../state/state.ts'
import { TextShare } from './text-share.ts'

export type Signed = Readonly<{
  type: string
  account: number
  proof: Proof | null
  market?: number | null
}>

/** The signer of a share that is the account's own. */
export const OWNER = ''

/** What stops harm: an owner must always be able to say these. */
const urgent: ReadonlySet<string> = new Set([
  'CancelOrder',
  'CancelStop',
  'CancelAllOrders',
  'CancelTwap',
  'ScheduleCancel',
  'ArmConnection',
  'RevokeAgent',
  'RevokeAllAgents',
  'RevokeApiKey',
])

export function isUntimed({ proof }: Signed): boolean {
  return proof !== null && proof.expiresAtMs === null
}

/** Looks all texts up, then remembers all, each distinct one once; or refuses and remembers none.
 *  Their agents may act. */
export function takeTexts(state: State, signed: readonly Signed[]): Rejection | null {
  for (const each of signed) if (isKnown(state, each)) return refuse('REPLAYED')
  const fresh = signed.length === 1 ? signed : distinct(state, signed)
  for (const each of fresh) {
    const most = fullOf(state, each, fresh)
    if (most !== 0) return refuse('TEXT_MEMORY_FULL', most)
  }
  for (const each of fresh) remember(state, each)
  return null
}

function signerOf({ proof }: Signed): string {
  return proof!.agent ?? OWNER
}

/** 0: the account's memory; a row: that of its position; −1: none. */
function memoryOf(state: State, signed: Signed): number {
  if (signed.proof === null) return -1
  if (signed.proof.expiresAtMs !== null) return 0
  if (signed.type !== 'SetPositionTpsl') return -1
  const market = state.markets[signed.market ?? 0]
  const row = market === undefined ? 0 : findRow(market, signed.account)
  return row !== 0 && state.positions.lots[row] !== 0 ? row : -1
}

/** An owner says what stops harm with a text of his own: an agent that knows when he will say it
 *  could have used the same one before. */
function isOwnersUrgent(signed: Signed): boolean {
  return signerOf(signed) === OWNER && urgent.has(signed.type)
}

/** Expired texts at the front of every share are forgotten first. */
function isKnown(state: State, signed: Signed): boolean {
  const memory = memoryOf(state, signed)
  if (memory < 0) return false
  const { textHash, receivedAtMs } = signed.proof!
  if (memory > 0) return state.untimedTexts.get(memory)?.has(textHash) ?? false
  const { texts } = state.accounts.records[signed.account]!
  if (texts === null) return false
  const ownOnly = isOwnersUrgent(signed)
  let known = false
  for (const [signer, share] of texts) {
    share.forget(receivedAtMs)
    if (share.size === 0) texts.delete(signer)
    else if (share.has(textHash) && (signer === OWNER || !ownOnly)) known = true
  }
  return known
}

/** The first of each text in each share, and in the memory of a position. */
function distinct(state: State, signed: readonly Signed[]): readonly Signed[] {
  const seen = new Set<string>()
  return signed.filter((each) => {
    const memory = memoryOf(state, each)
    const key = `${memory} ${memory === 0 ? signerOf(each) : ''} ${each.proof?.textHash}`
    return !seen.has(key) && seen.add(key)
  })
}

/** 0: the signer's share has room for his texts among these; else how many it takes. */
function fullOf(state: State, signed: Signed, fresh: readonly Signed[]): number {
  const memory = memoryOf(state, signed)
  if (memory < 0) return 0
  const signer = signerOf(signed)
  const among = fresh.filter((each) => memoryOf(state, each) === memory)
  const own = among.filter((each) => signerOf(each) === signer)
  if (memory > 0) {
    const ofAgents = among.filter((each) => signerOf(each) !== OWNER)
    return untimedFullOf(state, memory, signer, [own.length, ofAgents.length])
  }
  const texts = state.accounts.records[signed.account]!.texts
  const kept = texts?.get(signer)?.size ?? 0
  if (signer !== OWNER) {
    const crowded = kept === 0 && agentShares(texts, among) > limits.agentTextShares
    const most = limits.textsPerAgent
    return crowded || kept + own.length > most ? most : 0
  }
  const most = limits.textsPerAccount
  if (urgent.has(signed.type)) {
    const all = most + limits.textsReserved
    return kept + own.length > all ? all : 0
  }
  const ordinary = own.filter(({ type }) => !urgent.has(type))
  return kept + ordinary.length > most ? most : 0
}

/** Agents of whom texts would be remembered: those that are gone count until theirs expire. */
function agentShares(
  texts: ReadonlyMap<string, TextShare> | null,
  added: readonly Signed[],
): number {
  const signers = new Set([...(texts?.keys() ?? []), ...added.map(signerOf)])
  signers.delete(OWNER)
  return signers.size
}

function untimedFullOf(
  state: State,
  row: number,
  signer: string,
  [own, ofAgents]: readonly [number, number],
): number {
  let kept = 0
  let others = 0
  for (const each of state.untimedTexts.get(row)?.values() ?? []) {
    if (each === signer) kept += 1
    else if (each !== OWNER) others += 1
  }
  if (signer === OWNER) {
    const most = limits.untimedTextsPerPosition
    return kept + own > most ? most : 0
  }
  const most = limits.untimedTextsPerAgent
  const together = most * limits.agentsPerAccount
  return kept + own > most || kept + others + ofAgents > together ? most : 0
}

function remember(state: State, signed: Signed): void {
  const memory = memoryOf(state, signed)
  if (memory < 0) return
  const { textHash, expiresAtMs } = signed.proof!
  if (memory === 0) {
    const record = state.accounts.records[signed.account]!
    record.texts ??= new Map()
    shareOf(record.texts, signerOf(signed)).add(textHash, expiresAtMs!)
    return
  }
  const texts = state.untimedTexts.get(memory) ?? new Map<string, string>()
  state.untimedTexts.set(memory, texts.set(textHash, signerOf(signed)))
}

export function shareOf(texts: Map<string, TextShare>, signer: string): TextShare {
  const share = texts.get(signer) ?? new TextShare()
  texts.set(signer, share)
  return share
}
