// What a signer gives for a text, as a body carries it.

import { decodeBase58, encodeBase58 } from '../protocol/base58.ts'
import { hardwareMessage } from '../protocol/signing-text.ts'
import type { Signer } from './key.ts'

export type Signature = string | Readonly<{ type: 'hardware'; value: string }>

const signatureSize = 64
const encoder = new TextEncoder()

export async function signatureOf(signer: Signer, text: string): Promise<Signature> {
  const hardware = signer.hardware === true
  const made = await signer.sign(text, hardware ? hardwareMessage(text) : encoder.encode(text))
  const value = typeof made === 'string' ? made : encodeBase58(made)
  if (decodeBase58(value, signatureSize) === null)
    throw new Error(`the signer of ${signer.address} gave no ${signatureSize}-byte signature`)
  return hardware ? { type: 'hardware', value } : value
}
