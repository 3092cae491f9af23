// The hash of a signed request as eight 32-bit words, the form in which hashes are stored and
// compared. The gateway computes it with SHA-256 and encodes it as 43 characters of base64url.

export const hashWords = 8
/** Characters of 32 bytes in base64url. */
const hashLength = 43

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const absent = 255
const sixBits = new Uint8Array(256).fill(absent)
for (let at = 0; at < alphabet.length; at++) sixBits[alphabet.charCodeAt(at)] = at

export const hashBytes = 32
/** Includes space for the zero bits at the end of the encoded text. */
const bytes = new Uint8Array(hashBytes + 2)
const view = new DataView(bytes.buffer)

/** As text, or as the words of the command record that is being applied. */
export type TextHash = string | Int32Array

/** Returns the words of a hash, written to `room`. Any other text, such as one invented by a caller
 *  that verifies nothing, is folded into the same number of words. */
export function wordsOf(hash: TextHash, room: Int32Array): Int32Array {
  if (typeof hash !== 'string') return hash
  if (writeHash(hash, bytes, 0))
    for (let word = 0; word < hashWords; word++) room[word] = view.getInt32(word * 4, true)
  else fold(hash, room)
  return room
}

/** Returns the text of a hash. */
export function hashText(hash: TextHash): string {
  return typeof hash === 'string' ? hash : textOfWords(hash)
}

function textOfWords(words: Int32Array): string {
  for (let word = 0; word < hashWords; word++) view.setInt32(word * 4, words[word]!, true)
  bytes.fill(0, hashBytes)
  let text = ''
  for (let at = 0; at < hashBytes; at += 3) {
    const group = view.getUint32(at) >>> 8
    for (let shift = 18; shift >= 0; shift -= 6) text += alphabet[(group >> shift) & 63]
  }
  return text.slice(0, hashLength)
}

/** Writes the 32 bytes of a hash. Returns false if the text is not their canonical encoding; the
 *  bytes are then undefined. */
export function writeHash(text: string, into: Uint8Array, from: number): boolean {
  if (text.length !== hashLength) return false
  let seen = 0
  let to = from
  for (let at = 0; at + 4 <= hashLength; at += 4) {
    const group = fourOf(text, at)
    seen |= group
    into[to++] = group >> 16
    into[to++] = group >> 8
    into[to++] = group
  }
  const last = threeOf(text, hashLength - 3)
  into[to++] = last >> 10
  into[to++] = last >> 2
  return (seen | last) >= 0 && (last & 3) === 0
}

/** Returns 24 bits, or a negative number if a character is not in the alphabet. */
function fourOf(text: string, at: number): number {
  const group = threeOf(text, at)
  const bits = bitsOf(text.charCodeAt(at + 3))
  return bits === absent ? -1 : (group << 6) | bits
}

function threeOf(text: string, at: number): number {
  const one = bitsOf(text.charCodeAt(at))
  const two = bitsOf(text.charCodeAt(at + 1))
  const three = bitsOf(text.charCodeAt(at + 2))
  return (one | two | three) === absent ? -1 : (one << 12) | (two << 6) | three
}

function bitsOf(code: number): number {
  return code < 256 ? sixBits[code]! : absent
}

/** Each character permanently changes one word, so names that differ only within eight consecutive
 *  characters never collide. */
function fold(text: string, words: Int32Array): void {
  words.fill(text.length)
  for (let at = 0; at < text.length; at++) {
    const word = at & (hashWords - 1)
    const mixed = Math.imul(words[word]! ^ text.charCodeAt(at), 0x01000193)
    words[word] = mixed ^ (mixed >>> 15)
  }
}
