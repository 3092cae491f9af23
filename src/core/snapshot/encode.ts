// Encodes a state. Equal states encode to equal bytes.

import type { State } from '../state/state.ts'
import { StreamWriter } from './stream.ts'
import { snapshotVersion, walkState } from './walk-state.ts'

/** `decodeState` decodes the result, except with `tradingOnly`, which is for comparison only. */
export function encodeState(state: State, tradingOnly = false): Uint8Array {
  const writer = new StreamWriter(tradingOnly)
  writer.number(snapshotVersion)
  walkState(writer, state)
  return writer.finish()
}
