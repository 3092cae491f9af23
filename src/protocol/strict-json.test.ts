import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { batchLevelsMax, parseStrict, signedLevelsMax } from './strict-json.ts'

const problemOf = (text: string, levelsMax?: number) => {
  const parsed = parseStrict(text, levelsMax)
  return parsed.ok ? null : parsed.problem
}

/** The rules again, by recursive descent and with a Set of keys for every object. */
class Naive {
  at = 0
  readonly text: string
  readonly levelsMax: number

  constructor(text: string, levelsMax: number) {
    this.text = text
    this.levelsMax = levelsMax
  }

  document(): unknown {
    const value = this.value(1)
    this.skip(/\s*/y)
    if (this.at < this.text.length) throw new Error('more')
    return value
  }

  skip(pattern: RegExp): string {
    const sticky = new RegExp(pattern.source.replace(/^\\s/, '[ \\t\\n\\r]'), 'y')
    sticky.lastIndex = this.at
    const found = sticky.exec(this.text)
    if (found === null) throw new Error(`no ${pattern}`)
    this.at += found[0].length
    return found[0].trim()
  }

  isNext(pattern: RegExp): boolean {
    const start = this.at
    try {
      this.skip(pattern)
      return true
    } catch {
      return false
    } finally {
      this.at = start
    }
  }

  value(level: number): unknown {
    if (this.isNext(/\s*[[{]/) && level > this.levelsMax) throw new Error('deep')
    if (this.isNext(/\s*\{/)) return this.object(level)
    if (this.isNext(/\s*\[/)) return this.array(level)
    if (this.isNext(/\s*"/)) return this.string()
    for (const word of ['true', 'false', 'null']) {
      if (!this.isNext(new RegExp(`\\s*${word}`))) continue
      this.skip(new RegExp(`\\s*${word}`))
      return word === 'null' ? null : word === 'true'
    }
    const token = this.skip(/\s*-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/)
    if (!/^(?:0|-?[1-9][0-9]*)$/.test(token)) throw new Error('number')
    const exact = BigInt(token)
    if (exact > 9007199254740991n || exact < -9007199254740991n) throw new Error('large')
    return Number(exact)
  }

  string(): string {
    const token = this.skip(/\s*"(?:[^"\\]|\\[\s\S])*"/)
    const value = JSON.parse(token) as string
    for (const letter of value) if (letter.codePointAt(0)! > 127) throw new Error('ascii')
    return value
  }

  array(level: number): unknown[] {
    const items: unknown[] = []
    this.skip(/\s*\[/)
    while (!this.isNext(/\s*\]/)) {
      if (items.length > 0) this.skip(/\s*,/)
      items.push(this.value(level + 1))
    }
    this.skip(/\s*\]/)
    return items
  }

  object(level: number): Map<string, unknown> {
    const fields = new Map<string, unknown>()
    this.skip(/\s*\{/)
    while (!this.isNext(/\s*\}/)) {
      if (fields.size > 0) this.skip(/\s*,/)
      this.skip(/\s*/)
      const key = this.string()
      if (fields.has(key)) throw new Error('twice')
      this.skip(/\s*:/)
      fields.set(key, this.value(level + 1))
    }
    this.skip(/\s*\}/)
    return fields
  }
}

/** Objects as Maps, so that `__proto__` is a key like any other in both answers. */
function asMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asMaps)
  if (typeof value !== 'object' || value === null) return value
  return new Map(Object.entries(value).map(([key, inner]) => [key, asMaps(inner)]))
}

function naively(text: string, levelsMax: number): unknown {
  try {
    return new Naive(text, levelsMax).document()
  } catch {
    return undefined
  }
}

function sameAnswer(text: string, levelsMax: number): void {
  const parsed = parseStrict(text, levelsMax)
  const expected = naively(text, levelsMax)
  if (expected === undefined) assert.equal(parsed.ok, false, `accepted: ${text}`)
  else {
    assert.ok(parsed.ok, `refused ${text}: ${'problem' in parsed ? parsed.problem : ''}`)
    assert.deepEqual(asMaps(parsed.value), expected)
  }
}

// Few keys, in plain and in escaped spelling, so that duplicates are common; numbers around every
// bound; texts that contain what structure is made of; levels few enough to be passed.
const keyText = fc.constantFrom('"a"', '"\\u0061"', '"b"', '"__proto__"', '"constructor"', '""')
const scalarText = fc.constantFrom(
  ...['0', '-0', '7', '-7', '1.5', '1e3', '1E400', '1e400', '0.0', '10', '-1e-2'],
  ...['9007199254740991', '9007199254740992', '-9007199254740991', '-9007199254740993'],
  ...['12345678901234567', '9007199254740990', '1000000000000000', 'true', 'false', 'null'],
  ...[
    '"{"',
    '"\\"}"',
    '"a:b"',
    '"\\\\"',
    '"\\u007f"',
    '"\\u0080"',
    '"\\ud800"',
    '"\u00e9"',
    '"1.5"',
  ],
  ...['"\\n"', '"\u{1f600}"', '01', '+1', '.5', 'nul', '"', '\u00a0', ''],
)
const documents = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 7, withCrossShrink: true },
    scalarText,
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(' ,')}]`),
    fc
      .array(fc.tuple(keyText, tie('value')), { maxLength: 4 })
      .map((fields) => `{ ${fields.map(([key, value]) => `${key} :${value}`).join(',\n')}}`),
  ),
})).value

test('agrees with a parser written from the rules alone', () => {
  const refusals = new Set<string>()
  let accepted = 0
  fc.assert(
    fc.property(documents, fc.integer({ min: 1, max: 6 }), (text, levelsMax) => {
      sameAnswer(text, levelsMax)
      const parsed = parseStrict(text, levelsMax)
      if (parsed.ok) accepted += 1
      else refusals.add(parsed.problem.replace(/\d+ levels/, 'n levels').replace(/ in .*;/, ';'))
    }),
    { numRuns: 5_000 },
  )
  assert.ok(accepted > 100)
  assert.equal(refusals.size, 7, [...refusals].join('; '))
})

test('agrees with it on malformed texts too', () => {
  const good = '{"a":{"b":[1,-2,"x\\u0041\\"",{"c":null}],"d":12},"e":[true,{"f":"g"}]}'
  const letter = fc.constantFrom(...'{}[]",:\\u0019-+.eEtab\u00e9\u0000 \n')
  const malformed = fc
    .array(fc.tuple(fc.nat(good.length), letter, fc.nat(2)), { minLength: 1, maxLength: 3 })
    .map((changes) =>
      changes.reduce((text, [at, by, cut]) => text.slice(0, at) + by + text.slice(at + cut), good),
    )
  fc.assert(
    fc.property(malformed, (text) => sameAnswer(text, 16)),
    { numRuns: 2_000 },
  )
})

test('each refusal names the fault', () => {
  assert.equal(problemOf('{'), 'the body is not JSON')
  assert.equal(problemOf('\ufeff{}'), 'the body is not JSON')
  assert.match(problemOf('{"a":"\u00e9"}')!, /ASCII/)
  assert.match(problemOf('{"a":"\\u00e9"}')!, /ASCII/)
  assert.match(problemOf('{"\\ud83d\\ude00":1}')!, /ASCII/)
  assert.match(problemOf('{"a":1.5}')!, /decimals are strings/)
  assert.match(problemOf('[1e3]')!, /exponent/)
  assert.match(problemOf('[-0]')!, /-0/)
  assert.match(problemOf('[9007199254740992]')!, /9007199254740991/)
  assert.match(problemOf('{"a":1,"b":{"c":1,"\\u0063":1}}')!, /twice/)
  assert.match(problemOf('{"a":[{"x":1}],"a":0}')!, /twice/)
})

test('16 levels are fine and 17 are not, and an action of a batch has 16 of its own', () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  assert.equal(problemOf(nested(signedLevelsMax)), null)
  assert.match(problemOf(nested(signedLevelsMax + 1))!, /16 levels/)
  const batch = (levels: number) => `{"actions":[{"data":${nested(levels)}}]}`
  assert.equal(problemOf(batch(signedLevelsMax), batchLevelsMax), null)
  assert.match(problemOf(batch(signedLevelsMax + 1), batchLevelsMax)!, /levels/)
})

test('keys with a meaning in JavaScript are keys like others', () => {
  const parsed = parseStrict('{"__proto__":{"admin":true},"constructor":1,"toString":null}')
  assert.ok(parsed.ok)
  assert.deepEqual(Object.keys(parsed.value as object), ['__proto__', 'constructor', 'toString'])
  assert.equal((parsed.value as { admin?: boolean }).admin, undefined)
  assert.equal(Object.getPrototypeOf(parsed.value), Object.prototype)
  assert.match(problemOf('{"__proto__":1,"__proto__":1}')!, /twice/)
})

test('bodies of 64 KiB built to be slow are answered, without overflowing the stack', () => {
  const size = 65_536
  assert.match(problemOf('['.repeat(size / 2) + ']'.repeat(size / 2))!, /levels/)
  assert.match(problemOf('{"a":'.repeat(13_000) + 1 + '}'.repeat(13_000))!, /levels/)
  assert.equal(problemOf('['.repeat(size)), 'the body is not JSON')
  assert.equal(problemOf(`[${'{},'.repeat(20_000)}{}]`), null)
  assert.equal(problemOf(`"${'\\u0041'.repeat(10_000)}"`), null)
  assert.match(problemOf(`[${'9'.repeat(size)}]`)!, /beyond/)
  const keys = Array.from({ length: 7_000 }, (_, n) => `"${n}":0`).join(',')
  assert.equal(problemOf(`{${keys}}`), null)
  assert.match(problemOf(`{${keys},"6999":0}`)!, /twice/)
})
