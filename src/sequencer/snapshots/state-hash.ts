// Two hashes (ADR 10): one of the whole state, and one of the trading state alone, without
// sequence, time and the replay guard. The core supplies the bytes and Node's crypto hashes them.
// Hashes are computed on demand, never incrementally.

import { createHash } from 'node:crypto'
import { type ClosedState, encodeState } from '../../core/index.ts'

export type StateHashes = Readonly<{ seq: number; state: string; trading: string }>

/** SHA-256 as 64 hexadecimal digits. */
export const hashOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

export function stateHash(state: ClosedState): string {
  return hashOf(encodeState(state))
}

export function tradingHash(state: ClosedState): string {
  return hashOf(encodeState(state, true))
}
