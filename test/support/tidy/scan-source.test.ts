// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the samples are source text.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { codeOf, extendingClasses, functionsOf, importsOf, lineAt } from './scan-source.ts'

const shapes = (source: string) =>
  functionsOf(source).map(({ line, lines, parameters }) => [line, lines, parameters])

test('blanking keeps every offset, every line and the quotes', () => {
  const source = "const a = 'Date' // Date\n/* Date\nDate */ const b = `Date`\n"
  const code = codeOf(source)
  assert.equal(code.length, source.length)
  assert.equal(code.split('\n').length, source.split('\n').length)
  assert.doesNotMatch(code, /Date/)
  assert.match(code, /const a = ' {4}'/)
  assert.match(code, /const b = ` {4}`/)
})

test('${…} holds code, however deep, and the text around it does not', () => {
  const code = codeOf('`Date ${one({ two: `Date ${Date.now()} Date` })} Date` + after')
  assert.equal(code.match(/Date/g)?.length, 1)
  assert.match(code, /one\(\{ two: `/)
  assert.match(code, /\+ after$/)
})

test('quotes and comment marks inside strings and patterns open nothing', () => {
  assert.match(codeOf(`f("it's // no comment") + here`), /\+ here$/)
  assert.match(codeOf(`f('\\'') + here`), /\+ here$/)
  assert.match(codeOf(`f(/['"]\\/[/*]/g) + here`), /\+ here$/)
  assert.match(codeOf(`return /'/.test(x) + here`), /\+ here$/)
  assert.match(codeOf(`!/'/.test(x) + here`), /\+ here$/)
  assert.match(codeOf(`// it's a comment\nhere`), /here$/)
})

test('a slash after a value divides, also after a non-null assertion', () => {
  for (const value of ['a', 'f()', 'a[0]', 'a[0]!', 'i++', '2']) {
    const source = `x = ${value} / 2 + "Date" / 3`
    assert.equal(codeOf(source), source.replace('Date', '    '), value)
  }
})

test('every form of import is found, with its line', () => {
  const source = [
    `import { a } from './a.ts'`,
    `import type { b } from "./b.ts"`,
    `import './c.ts'`,
    `export * from './d.ts'`,
    `import {`,
    `  e,`,
    `} from './e.ts'`,
    `const f = await import('./f.ts')`,
    `type G = import('./g.ts').G`,
    `// import './not.ts'`,
    `const text = "import './not.ts'"`,
    `Array.from('not')`,
  ].join('\n')
  const names = importsOf(source).map(({ specifier }) => specifier)
  assert.deepEqual(
    names,
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `./${name}.ts`),
  )
  assert.deepEqual(
    importsOf(source).map(({ line }) => line),
    [1, 2, 3, 4, 7, 8, 9],
  )
})

test('declarations, methods and arrows are functions, with their lines and parameters', () => {
  assert.deepEqual(shapes('function f(a: number, b: string) {\n  return a\n}'), [[1, 3, 2]])
  assert.deepEqual(
    shapes('class A {\n  constructor(a: number) {}\n  get b() {\n    return 1\n  }\n}'),
    [
      [2, 1, 1],
      [3, 3, 0],
    ],
  )
  assert.deepEqual(shapes('const f = async (a, b, c) => {\n\n}'), [[1, 3, 3]])
  assert.deepEqual(shapes('const f = (a) =>\n  a\n    .b()\n    .c()\nconst d = 1'), [[1, 4, 1]])
  assert.deepEqual(shapes('const o = { m(a) { return a }, async *g() {} }'), [
    [1, 1, 1],
    [1, 1, 0],
  ])
})

test('a call, a condition or a loop is not a function', () => {
  const source = [
    'if (a) {',
    '  f(b)',
    '} else if (c) {',
    '  for (const d of e) {}',
    '}',
    'while (f(x)) {}',
    'switch (g) {',
    '  case h(1): {}',
    '}',
    'try {} catch (error) {}',
    'const i = j ? k(l) : { m: 1 }',
  ].join('\n')
  assert.deepEqual(shapes(source), [])
})

test('a return type does not hide the body', () => {
  for (const type of [
    'void',
    'readonly Event[]',
    '{ a: number; b: string }',
    'Map<string, Set<number>>',
    "'a' | 'b'",
    'asserts x is string',
    'x is Y & { z: 1 }',
    'typeof table[number]',
    '(a: number) => void',
    '(A | B)[]',
    'T extends U ? V : W',
    '[a: number, b: string]',
  ]) {
    assert.deepEqual(shapes(`function f(x: X): ${type} {\n\n\n}`)[0], [1, 4, 1], type)
  }
  assert.deepEqual(shapes('const f = (x): Map<A, B> => {\n\n}'), [[1, 3, 1]])
  assert.deepEqual(shapes('const f = (x): (A | B) => {\n\n}')[0], [1, 3, 1])
})

test('parameters are counted at the top level only', () => {
  const count = (list: string) =>
    functionsOf(`function f<A, B = Map<A, C>>(${list}) {}`)[0]?.parameters
  assert.equal(count(''), 0)
  assert.equal(count('a'), 1)
  assert.equal(count('a: Map<string, number>, b = [1, 2], c = f(1, 2)'), 3)
  assert.equal(count('{ a, b, c }: Options,\n'), 1)
  assert.equal(count('a: (b: number, c: number) => void, d: Record<string, (e: 1, f: 2) => 3>'), 2)
  assert.equal(count("a = ',,,', b"), 2)
})

test('a brace in a string does not end a function', () => {
  assert.deepEqual(shapes("function f() {\n  g('}')\n  h(`}${i({})}}`)\n  // }\n  j(/}/)\n}"), [
    [1, 6, 0],
  ])
})

test('a callback of describe is a chapter, a callback of test is not', () => {
  const chapters = (source: string) => functionsOf(source).map(({ chapter }) => chapter)
  assert.deepEqual(chapters("describe('a', () => {\n  test('b', () => {})\n})"), [true, false])
})

test('lines are counted from one', () => {
  assert.equal(lineAt('a\nb\nc', 0), 1)
  assert.equal(lineAt('a\nb\nc', 2), 2)
  assert.equal(lineAt('a\nb\nc', 4), 3)
})

test('extends of a class and of its type parameters are told apart', () => {
  const source = `class A<T extends B<C>> implements D {}
    export abstract class E<T extends () => void> extends F<T> {}
    const g = class extends H {} // class I extends J
    const text = 'class K extends L'
    class M
      extends N {}`
  assert.deepEqual(extendingClasses(source), [
    { name: 'E', line: 2 },
    { name: '', line: 3 },
    { name: 'M', line: 5 },
  ])
})

test('source that does not compile is measured somehow and never throws', () => {
  for (const source of [
    '(',
    'function f(',
    '`${',
    "'",
    '/*',
    'f(): {',
    '=>',
    'a < (b',
    '/[',
    '}',
    'class A<',
  ]) {
    const scans = [codeOf, importsOf, extendingClasses, functionsOf]
    assert.doesNotThrow(() => scans.map((scan) => scan(source)), source)
  }
})

test('the scanner can read itself', () => {
  const path = new URL('../../../../test/support/tidy/scan-source.ts', import.meta.url)
  const source = readFileSync(path, 'utf8')
  const declared = source.match(/^(?:export )?function /gm)?.length ?? 0
  assert.ok(declared > 10)
  assert.ok(functionsOf(source).length >= declared)
  assert.equal(codeOf(source).split('{').length, codeOf(source).split('}').length)
})
