import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { base58Alphabet, decodeBase58, encodeBase58 } from './base58.ts'

const sizes = [16, 32, 64]

/** By whole numbers of any size, and no more than the definition. */
function expected(text: string, size: number): Uint8Array | null {
  const digits = [...text].map((character) => base58Alphabet.indexOf(character))
  if (digits.includes(-1)) return null
  const zeros = digits.findIndex((digit) => digit !== 0)
  const leading = zeros === -1 ? digits.length : zeros
  let value = digits.reduce((sum, digit) => sum * 58n + BigInt(digit), 0n)
  const bytes: number[] = []
  for (; value > 0n; value /= 256n) bytes.unshift(Number(value % 256n))
  const all = [...new Array<number>(leading).fill(0), ...bytes]
  return all.length === size ? Uint8Array.from(all) : null
}

// Zeros at the start and bytes of ones are where lengths go wrong; random bytes have few of them.
const bytesOf = (size: number) =>
  fc
    .tuple(
      fc.integer({ min: 0, max: size }),
      fc.uint8Array({ minLength: size, maxLength: size }),
      fc.boolean(),
    )
    .map(([zeros, bytes, full]) => bytes.fill(full ? 255 : 0, 0, zeros))

test('every sequence of bytes is restored from its text', () => {
  for (const size of sizes)
    fc.assert(
      fc.property(bytesOf(size), (bytes) => {
        assert.deepEqual(decodeBase58(encodeBase58(bytes), size), bytes)
      }),
      { numRuns: 500 },
    )
})

// Texts around the right length, of few characters so that leading ones and largest digits are
// common, with now and then one outside the alphabet.
test('any text is read as the definition says', () => {
  const character = fc.constantFrom('1', '2', 'z', 'Y', 'J', 'f', ...base58Alphabet)
  const stranger = fc.constantFrom('0', 'O', 'I', 'l', ' ', '\u00e9', '\u0131', '\ud83d')
  const anyCharacter = fc.oneof(
    { weight: 400, arbitrary: character },
    { weight: 1, arbitrary: stranger },
  )
  for (const size of sizes)
    fc.assert(
      fc.property(
        fc.array(anyCharacter, { minLength: size, maxLength: Math.ceil(size * 1.366) + 1 }),
        (characters) => {
          const text = characters.join('')
          assert.deepEqual(decodeBase58(text, size), expected(text, size))
        },
      ),
      { numRuns: 2_000 },
    )
})

test('the largest value, one more, and a text that is too long or too short', () => {
  const largest = encodeBase58(new Uint8Array(32).fill(255))
  assert.deepEqual(decodeBase58(largest, 32), new Uint8Array(32).fill(255))
  const more = largest.slice(0, -1) + base58Alphabet[base58Alphabet.indexOf(largest.at(-1)!) + 1]
  assert.deepEqual(expected(more, 33)?.length, 33)
  assert.equal(decodeBase58(more, 32), null)
  assert.equal(decodeBase58('1'.repeat(31), 32), null)
  assert.deepEqual(decodeBase58('1'.repeat(32), 32), new Uint8Array(32))
  assert.equal(decodeBase58('1'.repeat(33), 32), null)
  assert.equal(decodeBase58('z'.repeat(100_000), 32), null)
})
