// Encodes bytes of a known size as base58, and decodes them. The length of the text is checked
// first, because decoding takes quadratic time.

import { base58 } from '@scure/base'

export const base58Alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** A byte takes at most log 256 ÷ log 58 = 1.3658 characters. */
const longestText = (size: number) => Math.ceil(size * 1.366)

/** Returns `null` if the text is not base58 of exactly `size` bytes. Each sequence of bytes has
 *  only one encoding. */
export function decodeBase58(text: string, size: number): Uint8Array | null {
  if (text.length < size || text.length > longestText(size)) return null
  try {
    const bytes = base58.decode(text)
    return bytes.length === size ? bytes : null
  } catch {
    // `decode` throws only for characters outside the alphabet.
    return null
  }
}

export function encodeBase58(bytes: Uint8Array): string {
  return base58.encode(bytes)
}
