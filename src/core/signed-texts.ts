// The memory of signed texts: each is accepted once (CORE-6). Timed texts are kept with the account
// until they expire, untimed ones (TP/SL alone may come without a time) with the position until it
// is flat.

import { findRow } from './accounts/position-row.ts'
import type { Proof } from './commands.ts'
import { limits } from './limits.ts'
import { type Rejection, refuse } from './rejections.ts'
import type { State } from './state.ts'

export type Signed = Readonly<{
  type: string
  account: number
  proof: Proof | null
  market?: number | null
}>

export function isUntimed({ proof }: Signed): boolean {
  return proof !== null && proof.expiresAtMs === null
}

/** Looks all texts up, then remembers all, each distinct one once; or refuses and remembers
 *  none. */
export function takeTexts(state: State, signed: readonly Signed[]): Rejection | null {
  for (const each of signed) if (isKnown(state, each)) return refuse('REPLAYED')
  const fresh = new Map<number, Set<string>>()
  for (const each of signed) {
    const memory = memoryOf(state, each)
    if (memory < 0) continue
    const hashes = fresh.get(memory) ?? new Set()
    fresh.set(memory, hashes.add(each.proof!.textHash))
  }
  for (const [memory, hashes] of fresh) {
    const kept =
      memory === 0 ? timedTexts(state, signed)?.size : state.untimedTexts.get(memory)?.size
    const most = memory === 0 ? limits.textsPerAccount : limits.untimedTextsPerPosition
    if ((kept ?? 0) + hashes.size > most) return refuse('TEXT_MEMORY_FULL', most)
  }
  for (const each of signed) remember(state, each)
  return null
}

function timedTexts(state: State, signed: readonly Signed[]): Map<string, number> | null {
  return state.accounts.records[signed[0]!.account]!.texts
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

/** Expired texts at the front are forgotten first. */
function isKnown(state: State, signed: Signed): boolean {
  const memory = memoryOf(state, signed)
  if (memory < 0) return false
  const { textHash, receivedAtMs } = signed.proof!
  if (memory > 0) return state.untimedTexts.get(memory)?.has(textHash) ?? false
  const { texts } = state.accounts.records[signed.account]!
  if (texts === null) return false
  for (const [hash, expiresAtMs] of texts) {
    if (expiresAtMs >= receivedAtMs) break
    texts.delete(hash)
  }
  return texts.has(textHash)
}

function remember(state: State, signed: Signed): void {
  const memory = memoryOf(state, signed)
  if (memory < 0) return
  const { textHash, expiresAtMs } = signed.proof!
  if (memory === 0) {
    const record = state.accounts.records[signed.account]!
    record.texts ??= new Map()
    if (!record.texts.has(textHash)) record.texts.set(textHash, expiresAtMs!)
    return
  }
  const texts = state.untimedTexts.get(memory)
  if (texts === undefined) state.untimedTexts.set(memory, new Set([textHash]))
  else texts.add(textHash)
}
