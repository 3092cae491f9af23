// Every named day is played: its sums hold at the end, it is the same day each time, and the page
// of scenarios describes it.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { crashFigures, snipers } from '../support/named-days/crash.ts'
import { namedDays } from '../support/named-days/days.ts'
import { stopFigures } from '../support/named-days/stops.ts'
import { root } from '../support/rule-table.ts'
import { type Edition, ownEdition } from '../support/venue/edition.ts'

const page = readFileSync(join(root, 'docs', 'rules', 'scenarios.md'), 'utf8')

/** An edition that remembers the states that were made with it. */
function watched(): Readonly<{ edition: Edition; breaches(): readonly string[] }> {
  const { core } = ownEdition
  const states: ReturnType<typeof core.createState>[] = []
  const createState: typeof core.createState = (genesis) => {
    const state = core.createState(genesis)
    states.push(state)
    return state
  }
  return {
    edition: { ...ownEdition, core: { ...core, createState } },
    breaches: () => states.flatMap((state) => core.checkInvariants(state)),
  }
}

for (const { name, play } of namedDays) {
  test(`after ${name} all sums hold, and the page describes it`, () => {
    const { edition, breaches } = watched()
    const figures = play(edition)
    assert.deepEqual(breaches(), [])
    assert.ok(figures.liquidated > 0, 'no account was liquidated')
    assert.ok(page.includes(`| ${name} |`))
  })
}

test('on a day of stops the size of every triggered stop is sold', () => {
  const [first, again] = [1, 2].map(() => stopFigures(ownEdition, 6))
  assert.deepEqual(again, first)
  const { fired, sold, left } = first!
  assert.ok(fired > 0)
  assert.deepEqual([sold, left], [fired, 0])
})

test('a crash has the same figures each time', () => {
  const [first, again] = [1, 2].map(() => crashFigures(ownEdition, 'thin', 1, snipers.near!))
  assert.deepEqual(again, first)
  assert.ok(first!.liquidated > 300)
})
