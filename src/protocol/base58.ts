// Bytes of a known size as base58 text, and back. The length of the text is checked first, because
// decoding takes quadratic time.

import { base58 } from '@scure/base'

export const base58Alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** A byte is at most log 256 ÷ log 58 = 1.3658 characters. */
const longestText = (size: number) => Math.ceil(size * 1.366)

/** `null` if it is not base58, or not of exactly `size` bytes. Each sequence of bytes has only one
 *  text. */
export function decodeBase58(text: string, size: number): Uint8Array | null {
  if (text.length < size || text.length > longestText(size)) return null
  try {
    const bytes = base58.decode(text)
    return bytes.length === size ? bytes : null
  } catch {
    // It throws only for characters outside of the alphabet.
    return null
  }
}

export function encodeBase58(bytes: Uint8Array): string {
  return base58.encode(bytes)
}
