// Two hashes (ADR 10): of everything, and of the trading state alone, without sequence, time and
// the memory of signed texts. The core gives the bytes, Node's crypto hashes them. On demand; never
// kept up incrementally.

import { createHash } from 'node:crypto'
import { encodeState } from '../../core/snapshot/encode.ts'
import type { State } from '../../core/state/state.ts'

/** As 64 hexadecimal digits. */
export const hashOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

export function stateHash(state: State): string {
  return hashOf(encodeState(state))
}

export function tradingHash(state: State): string {
  return hashOf(encodeState(state, true))
}
