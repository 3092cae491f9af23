// Bytes of a known size as base58 text, and back. The length of the text is looked at first,
// because decoding takes time that grows with its square. Decoding is our own: every order has a
// signature to decode, and four characters at a time take a fifth of what one at a time does.

import { base58 } from '@scure/base'

export const base58Alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** A byte is at most log 256 ÷ log 58 = 1.3658 characters. */
const longestText = (size: number) => Math.ceil(size * 1.366)

const charactersMax = 128
const notOfAlphabet = 255
/** By character code. */
const digits = new Uint8Array(charactersMax).fill(notOfAlphabet)
for (let digit = 0; digit < base58Alphabet.length; digit++)
  digits[base58Alphabet.charCodeAt(digit)] = digit
const ZERO_CHARACTER = base58Alphabet.charCodeAt(0)

const groupLength = 4
/** Three bytes: times the power of a group it is far from what a number holds exactly. */
const limbValue = 2 ** 24
const perLimb = 2 ** -24
const limbBytes = 3
/** A character is log2 58 = 5.858 bits. */
const limbsOf = (characters: number) => Math.ceil((characters * 5.86) / 24)

/** Null: not base58, or not of exactly `size` bytes. Each sequence of bytes has only one text. */
export function decodeBase58(text: string, size: number): Uint8Array | null {
  if (text.length < size || text.length > longestText(size)) return null
  const limbs = new Float64Array(limbsOf(text.length))
  let used = 0
  let at = 0
  for (let end = text.length % groupLength || groupLength; at < text.length; end += groupLength) {
    let carry = 0
    let power = 1
    for (; at < end; at++) {
      const code = text.charCodeAt(at)
      const digit = code < charactersMax ? digits[code]! : notOfAlphabet
      if (digit === notOfAlphabet) return null
      carry = carry * 58 + digit
      power *= 58
    }
    for (let limb = 0; limb < used; limb++) {
      const product = limbs[limb]! * power + carry
      carry = Math.floor(product * perLimb)
      limbs[limb] = product - carry * limbValue
    }
    if (carry > 0) limbs[used++] = carry
  }
  return bytesOf(limbs.subarray(0, used), leadingZeros(text), size)
}

/** Zero bytes at the start are written as a character each. */
function leadingZeros(text: string): number {
  let zeros = 0
  while (text.charCodeAt(zeros) === ZERO_CHARACTER) zeros += 1
  return zeros
}

/** From limbs, the least first; null when they are not what is left of `size` bytes. */
function bytesOf(limbs: Float64Array, zeros: number, size: number): Uint8Array | null {
  const bytes = new Uint8Array(size)
  let at = size
  for (let n = 0; n < limbs.length; n++) {
    const last = n === limbs.length - 1
    let limb = limbs[n]!
    for (let byte = 0; last ? limb > 0 : byte < limbBytes; byte++) {
      if (at === 0) return null
      bytes[--at] = limb & 0xff
      limb >>>= 8
    }
  }
  return at === zeros ? bytes : null
}

export function encodeBase58(bytes: Uint8Array): string {
  return base58.encode(bytes)
}
