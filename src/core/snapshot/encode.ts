// A state as bytes. Equal states give equal bytes. A snapshot carries the hash of its own bytes, so
// that damage is found before a single number of it is believed.

import type { State } from '../state.ts'
import { sha256 } from './sha256.ts'
import { StreamWriter } from './stream.ts'
import { snapshotVersion, walkState } from './walk-state.ts'

/** The hash at the end of a snapshot, one byte a hexadecimal digit. */
export const sealLength = 64

/** What the hashes are made of. */
export function stateBytes(state: State, tradingOnly: boolean): Uint8Array {
  const writer = new StreamWriter(tradingOnly)
  writer.number(snapshotVersion)
  walkState(writer, state)
  return writer.finish()
}

/** A snapshot: `decodeState` gives the state back. */
export function encodeState(state: State): Uint8Array {
  const bytes = stateBytes(state, false)
  const sealed = new Uint8Array(bytes.length + sealLength)
  sealed.set(bytes)
  sealed.set(sealOf(bytes), bytes.length)
  return sealed
}

export function sealOf(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from(sha256(bytes), (digit) => digit.charCodeAt(0))
}
