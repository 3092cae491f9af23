// The hash of a signed text as eight words of 32 bits, the form in which texts are remembered and
// compared. The gateway makes it by SHA-256 and writes it in 43 characters of base64url.

export const hashWords = 8
/** Characters of 32 bytes in base64url. */
const hashLength = 43

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const absent = 255
const sixBits = new Uint8Array(128).fill(absent)
for (let at = 0; at < alphabet.length; at++) sixBits[alphabet.charCodeAt(at)] = at

const bytes = new Uint8Array(33)
const view = new DataView(bytes.buffer)

/** The words of a hash. Any other text, as a caller who verifies nothing may make one up, is folded
 *  into as many. */
export function readHash(text: string, words: Int32Array): void {
  if (!readBytes(text)) return fold(text, words)
  for (let word = 0; word < hashWords; word++) words[word] = view.getInt32(word * 4, true)
}

/** False: not 32 bytes in their one spelling. */
function readBytes(text: string): boolean {
  if (text.length !== hashLength) return false
  let seen = 0
  let group = 0
  let to = 0
  for (let at = 0; at < hashLength; at++) {
    const code = text.charCodeAt(at)
    const bits = code < 128 ? sixBits[code]! : absent
    seen |= bits
    group = (group << 6) | bits
    if ((at & 3) !== 3) continue
    bytes[to++] = group >> 16
    bytes[to++] = group >> 8
    bytes[to++] = group
    group = 0
  }
  bytes[to++] = group >> 10
  bytes[to++] = group >> 2
  return seen < 64 && (group & 3) === 0
}

/** Each letter changes one word for good, so that names which differ in a stretch of eight letters
 *  never meet. */
function fold(text: string, words: Int32Array): void {
  words.fill(text.length)
  for (let at = 0; at < text.length; at++) {
    const word = at & (hashWords - 1)
    const mixed = Math.imul(words[word]! ^ text.charCodeAt(at), 0x01000193)
    words[word] = mixed ^ (mixed >>> 15)
  }
}
