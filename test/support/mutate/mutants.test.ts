import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applied, mutantsOf } from './mutants.ts'

const mutated = (source: string) => mutantsOf(source).map((mutant) => applied(source, mutant))

test('comparisons are off by one and turned round', () => {
  assert.deepEqual(mutated('a < b'), ['a <= b', 'a >= b'])
})

test('mutants of arithmetic, numbers and choices', () => {
  assert.deepEqual(mutated('x = a + 2'), [';', 'x = a - 2', 'x = a + 3'])
  assert.deepEqual(mutated('a ? b : c').slice(0, 2), ['true ? b : c', 'false ? b : c'])
  assert.deepEqual(mutated('Math.min(a, b)'), [';', 'Math.max(a, b)'])
})

test('a mutant of rounding goes the other way, and imports what it needs', () => {
  const source = "import { divFloor } from './rounding.js'\nexport const x = divFloor(a, b)"
  const other = source.replace('x = divFloor', 'x = divCeil')
  assert.deepEqual(mutated(source), [`${other}\nimport { divCeil } from './rounding.js'\n`])
})

test('names of modules and of fields stay', () => {
  assert.deepEqual(mutated("import a from 'b'\nexport const { c, d: e } = a"), [])
  assert.deepEqual(mutated('const a = void 0'), [])
})
