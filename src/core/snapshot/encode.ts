// A state as bytes: for snapshots, and for the hashes. Equal states give equal bytes.

import type { State } from '../state.ts'
import { StreamWriter } from './stream.ts'
import { snapshotVersion, walkState } from './walk-state.ts'

export function encodeState(state: State, tradingOnly = false): Uint8Array {
  const writer = new StreamWriter(tradingOnly)
  writer.number(snapshotVersion)
  walkState(writer, state)
  return writer.finish()
}
