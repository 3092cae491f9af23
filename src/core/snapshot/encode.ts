// A state as bytes. Equal states give equal bytes.

import type { State } from '../state/state.ts'
import { StreamWriter } from './stream.ts'
import { snapshotVersion, walkState } from './walk-state.ts'

/** `decodeState` gives the state back, unless it is of trading only, which is for comparing. */
export function encodeState(state: State, tradingOnly = false): Uint8Array {
  const writer = new StreamWriter(tradingOnly)
  writer.number(snapshotVersion)
  walkState(writer, state)
  return writer.finish()
}
