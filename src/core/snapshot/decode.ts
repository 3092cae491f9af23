// A state from the bytes of a snapshot; it acts exactly like the one that was written.

import { broken } from '../../units/invariant.ts'
import { State } from '../state.ts'
import { sealLength, sealOf } from './encode.ts'
import { StreamReader } from './stream.ts'
import { snapshotVersion, walkState } from './walk-state.ts'

export function decodeState(sealed: Uint8Array): State {
  const bytes = sealed.subarray(0, Math.max(0, sealed.length - sealLength))
  const seal = sealOf(bytes)
  if (sealed.length < sealLength || seal.some((digit, at) => digit !== sealed[bytes.length + at]))
    broken('snapshot is damaged, bytes', sealed.length)
  const reader = new StreamReader(bytes)
  const version = reader.number(0)
  if (version !== snapshotVersion) broken('snapshot version', version)
  const state = new State([])
  walkState(reader, state)
  if (reader.at !== bytes.length) broken('snapshot bytes left over', bytes.length - reader.at)
  return state
}
