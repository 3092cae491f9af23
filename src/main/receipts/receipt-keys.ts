// The key that signs history, and the salts of commands. Both are derived from the secret of the
// data folder, which all nodes that may lead share and read nodes do not have. So no salt is
// stored, and a salt says nothing about others.

import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { readFileSync } from 'node:fs'
import { keySecretFile } from '../../sequencer/key-secret.ts'

/** What a PKCS #8 file of an Ed25519 key has before its 32 bytes. */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

export type ReceiptKeys = Readonly<{
  publicKey: string
  sign(text: string): string
  saltOf(seq: number): Buffer
}>

export function receiptKeysIn(folder: string): ReceiptKeys {
  const secret = Buffer.from(readFileSync(keySecretFile(folder), 'utf8').trim(), 'hex')
  const derived = (what: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `openperp receipts: ${what}`, 32))
  const der = Buffer.concat([pkcs8Head, derived('signing key')])
  const key: KeyObject = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const saltKey = derived('salts')
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  return {
    publicKey: Buffer.from(x!, 'base64url').toString('hex'),
    sign: (text) => sign(null, Buffer.from(text), key).toString('hex'),
    saltOf: (seq) => createHmac('sha256', saltKey).update(`${seq}`).digest(),
  }
}
