// Two hashes (ADR 10): of everything, and of the trading state alone, without sequence, time and
// the memory of signed texts. On demand; never kept up incrementally.

import type { State } from '../state.ts'
import { stateBytes } from './encode.ts'
import { sha256 } from './sha256.ts'

export function stateHash(state: State): string {
  return sha256(stateBytes(state, false))
}

export function tradingHash(state: State): string {
  return sha256(stateBytes(state, true))
}
