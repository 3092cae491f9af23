// A state as it is kept in files: its bytes, and behind them their hash, so that damage is found
// before a single number is believed.

import { type ClosedState, decodeState, encodeState } from '../../core/index.ts'
import { broken } from '../../units/invariant.ts'
import { hashOf } from './state-hash.ts'

/** The hash at the end, one byte a hexadecimal digit. */
const sealLength = 64

const sealOf = (bytes: Uint8Array) => Buffer.from(hashOf(bytes), 'latin1')

export function sealState(state: ClosedState): Uint8Array {
  const bytes = encodeState(state)
  return Buffer.concat([bytes, sealOf(bytes)])
}

/** Throws when the bytes are not what was sealed. */
export function openState(sealed: Uint8Array): ClosedState {
  const bytes = sealed.subarray(0, Math.max(0, sealed.length - sealLength))
  if (!sealOf(bytes).equals(sealed.subarray(bytes.length)))
    broken('snapshot is damaged, bytes', sealed.length)
  return decodeState(bytes)
}
