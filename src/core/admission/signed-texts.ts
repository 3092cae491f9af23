// Remembers signed requests, so that each is accepted only once (CORE-6). Requests with a timestamp
// are kept in one table until they expire. Requests without one (only TP/SL may omit it) are kept
// with the position until it is flat. Each signer has its own share, so that no agent can fill the
// memory that its owner needs. Each share reserves space that only cancels and revocations may use.
// A full share is emptied by the timestamps of its signer, so that a clock far behind the wall time
// does not lock out a signer.

import type { Proof } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import { hashText, hashWords, wordsOf } from '../commands/text-hash.ts'
import { findRow } from '../margin/position-row.ts'
import { limits } from '../rules/limits.ts'
import type { State } from '../state/state.ts'
import { OWNER } from '../texts/text-shares.ts'

export type Signed = Readonly<{
  type: string
  account: number
  proof: Proof | null
  market?: number | null
}>

/** Commands that limit harm. Their signers must always be able to send them. */
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

export function isUrgent({ type }: Pick<Signed, 'type'>): boolean {
  return urgent.has(type)
}

export function isUntimed({ proof }: Signed): boolean {
  return proof !== null && proof.expiresAtMs === null
}

const room = new Int32Array(hashWords)
/** The hash that was looked up last. */
let words: Int32Array = room

/** New requests of one command, or of all actions of a batch, that need space. */
type Arriving = {
  /** New requests of the signer. `ordinary` counts those that are not urgent. */
  own: number
  ordinary: number
  /** Agents of the account that would have a share. */
  agents: number
}

const arriving: Arriving = { own: 1, ordinary: 1, agents: 0 }

/** Remembers a request, or rejects it if it is already known. The caller has checked that the agent
 *  may act. */
export function takeText(state: State, signed: Signed): Rejection | null {
  const memory = memoryOf(state, signed)
  if (memory !== 0) return takeTexts(state, [signed])
  const expired = expiredRefusal(state, signed)
  if (expired !== null) return expired
  if (isKnown(state, signed, memory)) return refuse('REPLAYED')
  const signer = signerOf(signed)
  arriving.agents = signer === OWNER ? 0 : 1 + agentShares(state, signed.account, signer)
  if (timedFullOf(state, signed, arriving) !== 0) {
    forgetByText(state, signed)
    if (signer !== OWNER) arriving.agents = 1 + agentShares(state, signed.account, signer)
    const most = timedFullOf(state, signed, arriving)
    if (most !== 0) return fullRefusal(state, signed, most)
  }
  state.texts.add(signed.account, signer, words, signed.proof!.expiresAtMs!)
  return null
}

/** Checks all requests, then remembers each distinct one; or rejects them and remembers none. The
 *  caller has checked that their agents may act. */
export function takeTexts(state: State, signed: readonly Signed[]): Rejection | null {
  for (const each of signed) {
    const expired = memoryOf(state, each) === 0 ? expiredRefusal(state, each) : null
    if (expired !== null) return expired
  }
  for (const each of signed)
    if (isKnown(state, each, memoryOf(state, each))) return refuse('REPLAYED')
  const fresh = signed.length === 1 ? signed : distinct(state, signed)
  for (const each of fresh) {
    if (fullOf(state, each, fresh) === 0) continue
    if (memoryOf(state, each) === 0) forgetByText(state, each)
    const most = fullOf(state, each, fresh)
    if (most !== 0) return fullRefusal(state, each, most)
  }
  for (const each of fresh) remember(state, each)
  return null
}

function signerOf({ proof }: Signed): string {
  return proof!.agent ?? OWNER
}

/** Where the request is remembered: 0 for the account's memory, the row of its position, or −1 for
 *  nowhere. */
function memoryOf(state: State, signed: Signed): number {
  if (signed.proof === null) return -1
  if (signed.proof.expiresAtMs !== null) return 0
  if (signed.type !== 'SetPositionTpsl') return -1
  const market = state.markets[signed.market ?? 0]
  const row = market === undefined ? 0 : findRow(market, signed.account)
  return row !== 0 && state.positions.lots[row] !== 0 ? row : -1
}

/** Urgent requests of an owner are remembered separately. Otherwise an agent that predicts the
 *  timestamp could use the same text first. */
function isOwnersUrgent(signed: Signed): boolean {
  return signerOf(signed) === OWNER && urgent.has(signed.type)
}

/** Forgets expired requests, then checks that a request with a timestamp has not expired. An
 *  expired request may have been accepted and forgotten before. */
function expiredRefusal(state: State, { account, proof }: Signed): Rejection | null {
  const mark = state.texts.forget(account, state.stampMs)
  const expires = proof!.expiresAtMs!
  return expires > mark ? null : refuse('EXPIRED', expires, mark)
}

/** Forgets requests by timestamp. The wall clock had reached this time when the request was found
 *  to be within its window. */
function forgetByText({ texts }: State, { account, proof }: Signed): void {
  texts.forget(account, proof!.signedAtMs - limits.textAheadMs)
}

function fullRefusal(state: State, signed: Signed, most: number): Rejection {
  const isTimed = memoryOf(state, signed) === 0
  const until = isTimed ? state.texts.oldestExpiryOf(signed.account, signerOf(signed)) : 0
  return refuse('TEXT_MEMORY_FULL', most, until)
}

/** Leaves the hash of a request with a timestamp in `words`. */
function isKnown(state: State, signed: Signed, memory: number): boolean {
  if (memory < 0) return false
  const { textHash } = signed.proof!
  if (memory > 0) return state.untimedTexts.get(memory)?.has(hashText(textHash)) ?? false
  words = wordsOf(textHash, room)
  return state.texts.has(signed.account, words, isOwnersUrgent(signed))
}

/** Removes repeated requests within each share and within the memory of a position. */
function distinct(state: State, signed: readonly Signed[]): readonly Signed[] {
  const seen = new Set<string>()
  return signed.filter((each) => {
    const memory = memoryOf(state, each)
    const key = `${memory} ${memory === 0 ? signerOf(each) : ''} ${each.proof?.textHash}`
    return !seen.has(key) && seen.add(key)
  })
}

/** Returns the limit that the new requests would exceed, or 0 if there is space for all of them. */
function fullOf(state: State, signed: Signed, fresh: readonly Signed[]): number {
  const memory = memoryOf(state, signed)
  if (memory < 0) return 0
  const signer = signerOf(signed)
  const among = fresh.filter((each) => memoryOf(state, each) === memory)
  const own = among.filter((each) => signerOf(each) === signer)
  const agents = among.map(signerOf).filter((each) => each !== OWNER)
  if (memory > 0) return untimedFullOf(state, memory, signer, [own.length, agents.length])
  const names = new Set(agents)
  const without = [...names].filter((each) => state.texts.sizeOf(signed.account, each) === 0)
  return timedFullOf(state, signed, {
    own: own.length,
    ordinary: own.filter(({ type }) => !urgent.has(type)).length,
    agents: without.length + agentShares(state, signed.account, OWNER),
  })
}

function timedFullOf(state: State, signed: Signed, { own, ordinary, agents }: Arriving): number {
  const signer = signerOf(signed)
  const kept = state.texts.sizeOf(signed.account, signer)
  const crowded = signer !== OWNER && kept === 0 && agents > limits.agentTextShares
  if (crowded) return limits.agentTextShares
  const most = signer === OWNER ? limits.textsPerAccount : limits.textsPerAgent
  if (!urgent.has(signed.type)) return kept + ordinary > most ? most : 0
  const all = most + limits.textsReserved
  return kept + own > all ? all : 0
}

/** Other agents with remembered requests. Unbound agents count until their requests expire. */
function agentShares({ texts: { shares } }: State, account: number, but: string): number {
  let count = 0
  for (let share = shares.first(account); share !== 0; share = shares.next(share)) {
    const signer = shares.signers[share]!
    if (signer !== OWNER && signer !== but) count += 1
  }
  return count
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
  const together = most * state.rules.limits.agentsPerAccount
  return kept + own > most || kept + others + ofAgents > together ? most : 0
}

function remember(state: State, signed: Signed): void {
  const memory = memoryOf(state, signed)
  if (memory < 0) return
  const { textHash, expiresAtMs } = signed.proof!
  if (memory === 0) {
    state.texts.add(signed.account, signerOf(signed), wordsOf(textHash, room), expiresAtMs!)
    return
  }
  const texts = state.untimedTexts.get(memory) ?? new Map<string, string>()
  state.untimedTexts.set(memory, texts.set(hashText(textHash), signerOf(signed)))
}
