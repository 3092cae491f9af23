// No zone gets more words of the old dialect than it has; where some went, the number follows.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repositoryFiles } from './repository-files.ts'
import { dialectIn, dialectZone } from './vocabulary.ts'

/** What was left when it was last counted. A number may only fall. */
const left: Readonly<Record<string, number>> = {
  bench: 173,
  docs: 95,
  'docs/adr': 202,
  'docs/api': 98,
  'docs/operating': 280,
  'docs/rules': 184,
  examples: 11,
  root: 116,
  scripts: 21,
  src: 28,
  'src/cli': 427,
  'src/client': 155,
  'src/config': 36,
  'src/core': 613,
  'src/embed': 69,
  'src/feeds': 68,
  'src/gateway': 775,
  'src/journal': 244,
  'src/main': 391,
  'src/projections': 409,
  'src/protocol': 79,
  'src/sequencer': 353,
  'src/sources': 225,
  'src/units': 16,
  'src/web': 672,
  test: 3527,
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
