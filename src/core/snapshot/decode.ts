// Decodes a state. It behaves exactly like the state that was written. The storage guarantees that
// the bytes are complete; only unreadable bytes are detected here.

import { broken } from '../../units/invariant.ts'
import { State } from '../state/state.ts'
import { StreamReader } from './stream.ts'
import { snapshotVersion, walkState } from './walk-state.ts'

export function decodeState(bytes: Uint8Array): State {
  const reader = new StreamReader(bytes)
  const version = reader.number(0)
  if (version !== snapshotVersion) broken('a snapshot has another version', version)
  const state = new State([])
  walkState(reader, state)
  return state
}
