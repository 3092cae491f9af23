// The search itself; the rule that uses it is in test/tidy.test.ts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { door, doorFaultsIn } from './core-door.ts'

const faults = (path: string, source: string) => doorFaultsIn(path, source).map(({ line }) => line)

test('an import of any file of the core but its door is found, in every form', () => {
  const behind = "'../../core/state/state.ts'"
  for (const source of [
    `import type { State } from ${behind}`,
    `import * as state from ${behind}`,
    `export { State } from ${behind}`,
    `type Whole = import(${behind}).State`,
    `const { State } = await import(${behind})`,
    `import ${behind}`,
  ])
    assert.deepEqual(faults('src/feeds/accounts/watch.ts', `\n${source}`), [2], source)
  assert.deepEqual(faults('src/main.ts', "import { apply } from './core/engine.ts'"), [1])
})

test('the door, other zones and names that only look alike are free', () => {
  const [index, alike, state] = ['core/index', 'corelike/state', 'core/state/state'].map(
    (path) => `'../${path}.ts'`,
  )
  const source = [
    `import { type ClosedState, apply } from ${index}`,
    `import { State } from ${alike}`,
    `// import { State } from ${state}`,
    `const text = ${state}`,
  ].join('\n')
  assert.deepEqual(faults('src/feeds/feeds.ts', source), [])
  assert.deepEqual(faults('src/core/engine.ts', "import { State } from './state/state.ts'"), [])
})

test('a door that names the state, or lets out all that a file has, is found', () => {
  assert.deepEqual(faults(door, "export { createState } from './engine.ts'"), [])
  assert.deepEqual(faults(door, "\nexport { type State } from './state/state.ts'"), [2])
  assert.deepEqual(faults(door, "export { State as Handle } from './state/state.ts'"), [1])
  assert.deepEqual(faults(door, "export * from './state/state.ts'"), [1])
})
