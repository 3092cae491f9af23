// What the scenarios must show, found by reading their sources: every rule, every worked case,
// every rejection and every event. A new one fails here until a scenario has it. And how long the
// lines of the rules may be.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rejections } from '../../src/core/commands/rejections.ts'
import { eventTypes, words } from '../../src/core/events/event-fields.ts'
import { ruleDocuments, ruleText, scenarioSources, workedRows } from '../support/rule-table.ts'

/** What cannot happen now, and why. The day it can, it leaves this list. */
const impossible: Readonly<Record<string, string>> = {
  RulesVersionSet:
    'one version of the rules is known, and it is the first; crossing.test.ts plays it',
}

const sources = scenarioSources()
const here = 'coverage.test.ts'
const text = [...sources]
  .filter(([name]) => name !== here)
  .map(([, source]) => source)
  .join('\n')
const titles = [...text.matchAll(/^test\(\s*'((?:[^'\\]|\\.)*)'/gm)].map(([, title]) => title!)

const missing = (names: readonly string[], shown: (name: string) => boolean) => {
  return names.filter((name) => !(name in impossible) && !shown(name))
}

test('every document of the rules has its scenarios', () => {
  // A long document has several files: orders.test.ts, orders-batch.test.ts.
  const files = [...sources.keys()].filter((name) => name !== here)
  const shown = new Set(files.map((name) => name.replace(/(?:-[a-z-]+)?\.test\.ts$/, '')))
  assert.deepEqual([...shown].sort(), ruleDocuments.toSorted())
})

test('every rule is the title of a scenario, and every title cites a rule', () => {
  const ids = ruleDocuments.flatMap((document) => {
    return [...ruleText(document).matchAll(/^## ([A-Z]+-\d+) · /gm)].map(([, id]) => id!)
  })
  const invariants = [...ruleText('invariants').matchAll(/^(\d+)\. \*\*/gm)]
  const rules = [...ids, ...invariants.map(([, number]) => `invariant ${number}`)]
  const cited = new Set(
    titles.flatMap((title) => /\(([^()]+)\)$/.exec(title)?.[1]?.split(', ') ?? [`none: ${title}`]),
  )
  assert.deepEqual(
    [...cited].filter((id) => !rules.includes(id)),
    [],
  )
  assert.deepEqual(
    rules.filter((id) => !cited.has(id)),
    [],
  )
})

test('no two rejections share a code', () => {
  const codes = Object.values(rejections).map(({ code }) => code)
  assert.deepEqual(
    codes.filter((code, at) => codes.indexOf(code) !== at),
    [],
  )
})

test('every worked case has a number of its own and is executed', () => {
  const cases = ruleDocuments.flatMap((document) => {
    return workedRows(document).map(({ id }) => [document, id] as const)
  })
  const numbers = cases.map(([, id]) => id)
  assert.equal(new Set(numbers).size, numbers.length)
  const read = (document: string, id: string) => {
    if (text.includes(`worked('${document}', ${id})`)) return true
    // A few cases of one kind are read in a loop over their numbers.
    const loop = new RegExp(
      `\\[([\\d, ]+)\\](?:\\.map|\\))[\\s\\S]{0,60}worked\\('${document}', id\\)`,
    )
    return loop.exec(text)?.[1]?.split(', ').includes(id) ?? false
  }
  assert.deepEqual(
    cases.filter(([document, id]) => !read(document, id)),
    [],
  )
})

test('every rejection is the answer in a scenario, but for those that cannot be', () => {
  const names = Object.keys(rejections)
  const shown = (name: string) => {
    const answers = [`refused('${name}'`, `rejection: '${name}'`, `['${name}'`]
    return answers.some((answer) => text.includes(answer))
  }
  assert.deepEqual(missing(names, shown), [])
  assert.deepEqual(
    Object.keys(impossible).filter((name) => shown(name)),
    [],
  )
})

test('every event that can occur occurs in a scenario', () => {
  const shown = (name: string) => {
    return new RegExp(`(?:type: |one\\(|all\\()'${name}'`).test(text)
  }
  assert.deepEqual(missing(eventTypes, shown), [])
  assert.deepEqual(
    Object.keys(impossible).filter((name) => shown(name)),
    [],
  )
})

test('every word that an event can use is used in a scenario', () => {
  const all = Object.entries(words).filter(([kind]) => kind !== 'rejection')
  const unused = all.flatMap(([kind, list]) => {
    return list.filter((word) => !text.includes(`'${word}'`)).map((word) => `${kind} ${word}`)
  })
  assert.deepEqual(unused, [])
})
