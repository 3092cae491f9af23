// No zone gets more words of the old dialect than it has; where some went, the number follows.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repositoryFiles } from './repository-files.ts'
import { dialectIn, dialectZone } from './vocabulary.ts'

/** What was left when it was last counted. A number may only fall. */
const left: Readonly<Record<string, number>> = {
  bench: 0,
  docs: 0,
  'docs/adr': 0,
  'docs/api': 0,
  'docs/operating': 0,
  'docs/rules': 0,
  examples: 0,
  python: 0,
  root: 0,
  scripts: 0,
  src: 0,
  'src/cli': 0,
  'src/client': 0,
  'src/config': 0,
  'src/core': 0,
  'src/embed': 0,
  'src/feeds': 0,
  'src/gateway': 0,
  'src/journal': 0,
  'src/main': 0,
  'src/projections': 0,
  'src/protocol': 0,
  'src/sequencer': 0,
  'src/sources': 0,
  'src/units': 0,
  'src/web': 0,
  test: 0,
}

/** A number that is this far above what is there has to follow it. */
const slack = 25

const wordsFound = (text: string) => dialectIn(text).map(({ word }) => word)

test('words of the dialect are found in text, comments and names', () => {
  assert.deepEqual(wordsFound('// Who asks is told at once.'), ['told', 'at once'])
  assert.deepEqual(wordsFound('tellFills(isTold, wasAskedFor)'), ['tell', 'told', 'asked'])
  assert.deepEqual(wordsFound('They cannot be told apart. The ask is 3.'), [])
  assert.deepEqual(wordsFound('whoever\nnobody').length, 2)
  assert.equal(dialectIn('one\ntwo whoever')[0]?.line, 2)
})

test('no zone has more words of the dialect than it had', () => {
  const found = new Map<string, string[]>()
  for (const { path, text } of repositoryFiles()) {
    const zone = dialectZone(path)
    if (zone === undefined) continue
    const places = found.get(zone) ?? []
    found.set(zone, places)
    for (const { line, word, better } of dialectIn(text))
      places.push(`${path}:${line} "${word}": ${better}`)
  }
  const complaints: string[] = []
  for (const zone of new Set([...found.keys(), ...Object.keys(left)])) {
    const places = found.get(zone) ?? []
    const most = left[zone] ?? 0
    if (places.length > most)
      complaints.push(`${zone}: ${places.length} words, at most ${most}`, ...places.slice(0, 5))
    else if (places.length < most - slack)
      complaints.push(`${zone}: ${places.length} words are left; write that in place of ${most}`)
  }
  assert.deepEqual(complaints, [])
})
