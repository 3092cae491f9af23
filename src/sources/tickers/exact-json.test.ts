import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { at, exactJson, listAt, textAt } from './exact-json.ts'

test('a number stays the text that it came as', () => {
  const text = '{"a":0.10000000000000000000001,"b":[-1.50,1e400,{"c":"2"}],"d":true,"e":null}'
  assert.deepEqual(exactJson(text), {
    a: '0.10000000000000000000001',
    b: ['-1.50', '1e400', { c: '2' }],
    d: true,
    e: null,
  })
})

test('the content of strings is unchanged', () => {
  assert.deepEqual(exactJson('{"1":"a 2, \\" 3 \\\\","b 4":"[5]"}'), {
    '1': 'a 2, " 3 \\',
    'b 4': '[5]',
  })
})

test('invalid JSON is undefined, and so is JSON nested too deep', () => {
  for (const text of ['', '{', 'NaN', '{a:1}', '1 2', '"', '\\"'.repeat(50_000)])
    assert.equal(exactJson(text), undefined, text.slice(0, 20))
  assert.notEqual(exactJson(`${'['.repeat(32)}${']'.repeat(32)}`), undefined)
  assert.equal(exactJson(`${'['.repeat(33)}${']'.repeat(33)}`), undefined)
})

test('of any JSON it is the same value, with texts for numbers', () => {
  const asText = (value: unknown): unknown => {
    if (typeof value === 'number') return JSON.stringify(value)
    if (Array.isArray(value)) return value.map(asText)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, asText(each)]))
  }
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      const given = JSON.parse(text)
      assert.deepEqual(exactJson(JSON.stringify(given)), asText(given))
    }),
  )
})

test('a missing value is not found, by any path', () => {
  const message = exactJson('{"a":{"b":[1,{"c":"x"}]},"__proto__":{"y":1}}')
  assert.equal(textAt(message, 'a', 'b', '0'), '1')
  assert.equal(textAt(message, 'a', 'b', '1', 'c'), 'x')
  for (const path of [
    ['z'],
    ['a', 'b', '2'],
    ['a', 'b', 'length'],
    ['toString'],
    ['a', 'b', '0', '0'],
  ])
    assert.equal(at(message, ...path), undefined, path.join())
  assert.deepEqual(listAt(message, 'a'), [])
  assert.equal(textAt(message, 'a'), null)
})
