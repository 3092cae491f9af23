// State files: the bytes of a state, followed by their hash, so that damage is detected before any
// value is used.

import { type ClosedState, decodeState, encodeState } from '../../core/index.ts'
import { broken } from '../../units/invariant.ts'
import { hashOf } from './state-hash.ts'

/** Length of the hash at the end, in hexadecimal digits. */
const sealLength = 64

const sealOf = (bytes: Uint8Array) => Buffer.from(hashOf(bytes), 'latin1')

export function sealState(state: ClosedState): Uint8Array {
  const bytes = encodeState(state)
  return Buffer.concat([bytes, sealOf(bytes)])
}

/** Returns the state; throws if the bytes do not match the seal. */
export function openState(sealed: Uint8Array): ClosedState {
  const bytes = sealed.subarray(0, Math.max(0, sealed.length - sealLength))
  if (!sealOf(bytes).equals(sealed.subarray(bytes.length)))
    broken('snapshot is damaged, bytes', sealed.length)
  return decodeState(bytes)
}
