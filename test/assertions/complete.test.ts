// Every assertion of the core has a row that violates it.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { allRows } from '../support/assertions/all-rows.ts'
import { assertionsOf } from '../support/assertions/assertions-of.ts'

test('every assertion of the core has a row that violates it, and every row an assertion', () => {
  const texts = assertionsOf('src/core').map(({ text }) => text)
  const rows = Object.keys(allRows)
  assert.deepEqual(
    texts.filter((text) => !rows.includes(text)),
    [],
    'without a row',
  )
  assert.deepEqual(
    rows.filter((text) => !texts.includes(text)),
    [],
    'without an assertion',
  )
})

test('no two assertions of the core have the same text', () => {
  const places = new Map<string, string>()
  for (const { text, file } of assertionsOf('src/core')) {
    assert.equal(places.get(text), undefined, `${file}: ${text}`)
    places.set(text, file)
  }
})

test('the documents state the number of assertions', () => {
  const count = assertionsOf('src/core').length
  for (const document of ['STYLE.md', 'SECURITY.md', 'docs/testing.md']) {
    const [, stated] = readFileSync(document, 'utf8').match(/more than (\d+)\s+assertions/) ?? []
    assert.ok(Number(stated) >= 100 && Number(stated) < count, `${document}: ${stated} of ${count}`)
  }
})
