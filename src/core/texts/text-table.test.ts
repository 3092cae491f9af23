import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { hashWords, wordsOf as wordsInto } from '../commands/text-hash.ts'
import { OWNER } from './text-shares.ts'
import { TextTable } from './text-table.ts'

function wordsOf(text: string): Int32Array {
  return wordsInto(text, new Int32Array(hashWords))
}

type Text = Readonly<{ account: number; signer: string; name: string; expiresAtMs: number }>

// Few accounts, signers and names, so that equal texts occur in one share, in two, and in two
// accounts; short times, so that most expire and their lines are reused.
const account = fc.integer({ min: 1, max: 3 })
const signer = fc.constantFrom(OWNER, 'one', 'two')
const steps = fc.array(
  fc.record({
    account,
    signer,
    name: fc.integer({ min: 1, max: 40 }).map((n) => `text ${n}`),
    forMs: fc.integer({ min: -5, max: 60 }),
    laterMs: fc.integer({ min: 0, max: 4 }),
    ownOnly: fc.boolean(),
  }),
  { maxLength: 400 },
)

/** Expired entries at the front of each signer's queue are removed, up to the first valid one. */
function forgotten(texts: readonly Text[], of: number, nowMs: number): readonly Text[] {
  const stops = new Set<string>()
  return texts.filter((text) => {
    if (text.account !== of || stops.has(text.signer)) return true
    if (text.expiresAtMs <= nowMs) return false
    stops.add(text.signer)
    return true
  })
}

test('the table remembers and forgets as a list of texts does', () => {
  fc.assert(
    fc.property(steps, (drawn) => {
      const table = new TextTable()
      let list: readonly Text[] = []
      let nowMs = 1_000
      for (const step of drawn) {
        nowMs += step.laterMs
        list = forgotten(list, step.account, nowMs)
        table.forget(step.account, nowMs)
        const same = list.filter((one) => one.account === step.account && one.name === step.name)
        const known = same.some((one) => !step.ownOnly || one.signer === OWNER)
        assert.equal(table.has(step.account, wordsOf(step.name), step.ownOnly), known)
        if (!same.some((one) => one.signer === step.signer)) {
          const expiresAtMs = nowMs + step.forMs
          list = [...list, { ...step, expiresAtMs }]
          table.add(step.account, step.signer, wordsOf(step.name), expiresAtMs)
        }
        for (const of of [1, 2, 3]) {
          const size = list.filter((one) => one.account === of && one.signer === step.signer).length
          assert.equal(table.sizeOf(of, step.signer), size)
        }
      }
    }),
    { numRuns: 200 },
  )
})

test('a share lists its texts in order of arrival', () => {
  const table = new TextTable()
  const names = ['one', 'two', 'three', 'four']
  for (const name of names) table.add(1, OWNER, wordsOf(name), 10)
  table.add(2, OWNER, wordsOf('five'), 10)
  const lines = table.linesOf(table.shares.find(1, OWNER))
  assert.deepEqual(
    lines.map((line) => table.wordOf(line, 0)),
    names.map((name) => wordsOf(name)[0]),
  )
})

test('texts chosen to collide are distributed again', () => {
  const table = new TextTable()
  let drawn = 1
  const draw = () => {
    const words = new Int32Array(hashWords)
    for (let at = 0; at < hashWords; at++) {
      drawn = (Math.imul(drawn, 1_664_525) + 1_013_904_223) | 0
      words[at] = drawn ^ (drawn >>> 15)
    }
    return words
  }
  for (let n = 0; n < 1_100; n++) table.add(2, OWNER, draw(), 10)
  let longest = 0
  for (let ground = 0; ground < 800; ) {
    const words = draw()
    if (table.homeOf(1, words) !== 14) continue
    ground += 1
    assert.equal(table.has(1, words, false), false)
    table.add(1, OWNER, words, 10)
    if (ground % 10 === 0) longest = Math.max(longest, table.longestRun())
  }
  assert.ok(longest < 750, `${longest}`)
  assert.equal(table.sizeOf(1, OWNER), 800)
  assert.equal(table.sizeOf(2, OWNER), 1_100)
})

test('a hash keeps all of its bits, and other names stay distinct from hashes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const words = wordsOf(Buffer.from(bytes).toString('base64url'))
      const expected = new DataView(bytes.buffer, bytes.byteOffset)
      for (let at = 0; at < hashWords; at++)
        assert.equal(words[at], expected.getInt32(at * 4, true))
    }),
  )
  const seen = new Set<string>()
  for (let n = 0; n < 20_000; n++) seen.add(wordsOf(`unverified ${n}`).join())
  // Almost hashes: another length, an invalid letter, a second encoding of the last one.
  const hash = createHash('sha256').update('text').digest('base64url')
  const others = [hash.slice(1), `${hash}A`, `é${hash.slice(1)}`, `=${hash.slice(1)}`]
  for (const text of [hash, ...others, `${hash.slice(0, -1)}B`]) seen.add(wordsOf(text).join())
  assert.equal(seen.size, 20_006)
})
