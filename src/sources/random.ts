// A random number generator that can be saved and continued: xoshiro128** on 32-bit words. It uses
// integers only, so that a seed gives the same sequence on every machine. Not for secrets.

const UINT32 = 2 ** 32
/** Standard deviation of `bell`. */
export const bellDeviation = 37_837

function rotated(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by))
}

/** Hashes a seed with FNV-1a and four steps of a 32-bit mixer, so that similar seeds give unrelated
 *  streams. */
function wordsOf(seed: string): number[] {
  let hash = 0x811c9dc5
  for (let at = 0; at < seed.length; at++) hash = Math.imul(hash ^ seed.charCodeAt(at), 0x01000193)
  return [1, 2, 3, 4].map((step) => {
    let word = (hash + Math.imul(step, 0x9e3779b9)) | 0
    word = Math.imul(word ^ (word >>> 16), 0x21f0aaad)
    word = Math.imul(word ^ (word >>> 15), 0x735a2d97)
    return word ^ (word >>> 15)
  })
}

export class RandomStream {
  private readonly words: Int32Array

  constructor(seed: string) {
    this.words = Int32Array.from(wordsOf(seed))
  }

  /** Restores a stream from its saved text. */
  static restored(text: string): RandomStream {
    const words = text.match(/[0-9a-f]{8}/g) ?? []
    if (text.length !== 32 || words.length !== 4) throw new Error(`not a random stream: ${text}`)
    const stream = new RandomStream('')
    stream.words.set(words.map((word) => Number.parseInt(word, 16) | 0))
    return stream
  }

  save(): string {
    return [...this.words].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
  }

  /** Random integer from 0 to 2^32 − 1. */
  next(): number {
    const { words } = this
    const second = words[1]!
    const result = Math.imul(rotated(Math.imul(second, 5), 7), 9)
    words[2] = words[2]! ^ words[0]!
    words[3] = words[3]! ^ second
    words[1] = second ^ words[2]!
    words[0] = words[0]! ^ words[3]!
    words[2] = words[2]! ^ (second << 9)
    words[3] = rotated(words[3]!, 11)
    return result >>> 0
  }

  /** Random integer from 0 to count − 1, for a count of up to 2^20. */
  below(count: number): number {
    return Math.floor((this.next() * count) / UINT32)
  }

  /** Returns true once in `times` calls, on average. */
  oneIn(times: number): boolean {
    return this.below(times) === 0
  }

  /** Bell-shaped random number around 0: the sum of four uniform 16-bit numbers, within ±3.5
   *  deviations. */
  bell(): number {
    const one = this.next()
    const two = this.next()
    return (one & 0xffff) + (one >>> 16) + (two & 0xffff) + (two >>> 16) - 131_070
  }
}
