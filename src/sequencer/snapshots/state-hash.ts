// Two hashes (ADR 10): of everything, and of the trading state alone, without sequence, time and
// the memory of signed texts. The core supplies the bytes, Node's crypto hashes them. Computed on
// demand, never incrementally.

import { createHash } from 'node:crypto'
import { type ClosedState, encodeState } from '../../core/index.ts'

/** As 64 hexadecimal digits. */
export const hashOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

export function stateHash(state: ClosedState): string {
  return hashOf(encodeState(state))
}

export function tradingHash(state: ClosedState): string {
  return hashOf(encodeState(state, true))
}
