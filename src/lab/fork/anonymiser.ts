// Replaces texts by others of the form of an address. The key that connects them is not kept:
// nothing leads from a new text to the old one.

import { createHmac, randomBytes } from 'node:crypto'
import { encodeBase58 } from '../../protocol/base58.ts'

export function anonymiser(): (text: string) => string {
  const key = randomBytes(32)
  return (text) => encodeBase58(createHmac('sha256', key).update(text).digest())
}
