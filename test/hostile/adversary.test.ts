// A daily share of the adversary's worlds: by a ledger that uses events alone, money is neither
// created nor lost; every gain of a ring is explained to the micro-dollar; and a seed determines a
// world.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ClosedState } from '../../src/core/index.ts'
import type { RuleBook } from '../../src/core/rules/rule-book.ts'
import { knownInCalm } from '../programs/adversary/known/calm.ts'
import { known } from '../programs/adversary/known/known.ts'
import { move, ring } from '../programs/adversary/known/moves.ts'
import { runWorlds } from '../programs/adversary/run-worlds.ts'
import { drawScript, mutated, scriptOf, textOf } from '../programs/adversary/script.ts'
import { profitOf, shortened } from '../programs/adversary/shorten.ts'
import { playWorld, type Step } from '../programs/adversary/world.ts'
import { Random } from '../programs/differential/random.ts'
import { built } from '../support/mutate/programs.ts'
import { removals, without } from '../support/mutate/removals.ts'
import { type Edition, ownEdition } from '../support/venue/edition.ts'

const edition = ownEdition

test('whatever rings try, no money is created, and none gains more than allowed', () => {
  const plan = { edition, seed: 1, worlds: 3, commands: 40_000, scripts: null }
  const { faults, commands, found } = runWorlds({ ...plan, report: () => true })
  assert.deepEqual(faults, [])
  assert.deepEqual(found, [])
  assert.ok(commands >= 120_000)
})

/** This edition with other constants. */
function withRules(change: (rules: RuleBook) => Partial<RuleBook>): Edition {
  const createState: typeof edition.core.createState = (genesis) => {
    const state = edition.core.createState(genesis) as unknown as { rules: RuleBook }
    state.rules = { ...state.rules, ...change(state.rules) }
    return state as unknown as ClosedState
  }
  return { ...edition, core: { ...edition.core, createState } }
}

test('starved liquidation is detected', () => {
  const scripts = [known.storm!, known.whale!]
  const plan = { seed: 9, commands: 12_000, scripts }
  const starved = withRules(({ limits }) => ({ limits: { ...limits, riskUnits: 1 } }))
  const { faults } = playWorld({ ...plan, edition: starved })
  assert.ok(faults.some((fault) => fault.includes('waits for its turn')))
  assert.deepEqual(playWorld({ ...plan, edition }).faults, [])
})

test('a seed and its scripts determine a world', () => {
  const scripts = [known.lag!, known.shelter!]
  const [first, again] = [1, 2].map(() => playWorld({ edition, seed: 7, commands: 3_000, scripts }))
  assert.deepEqual(again, first)
})

test('an unexplained gain is not hidden by losses of others', () => {
  // Two rings hedge themselves with all they have. The long of the one is deleveraged for the short
  // of the other, and vice versa.
  const hedged = ring([move('flat', 'pair-buy', { who: 0, other: 1 }), move('later', 'wait')])
  const { rings } = playWorld({ edition, seed: 2, commands: 1_500, scripts: [hedged, hedged] })
  const { profit, fees, excused } = rings[0]!
  assert.ok(excused > 0)
  assert.ok(Math.abs(profit + fees) < 1_000_000, String(profit))
})

test('a journal shows the same gain of a ring as the world that wrote it', () => {
  const journal: Step[] = []
  const scripts = [known.whale!, known.gift!]
  const { rings } = playWorld({ edition, seed: 2, commands: 3_000, scripts, journal })
  for (const { ring, profit } of rings) assert.equal(profitOf(edition, journal, ring), profit)
})

test('the actions of a ring are shortened to the commands that its result needs', () => {
  const journal: Step[] = []
  playWorld({ edition, seed: 2, commands: 2_000, scripts: [known.snipe!], journal })
  const short = shortened(edition, journal, { ring: 0, attempts: 30 })
  assert.ok(short.length < journal.length / 4)
})

test('every rule that a run can remove exists', () => {
  for (const removal of removals) {
    const text = readFileSync(join(built, removal.module), 'utf8')
    assert.notEqual(without(removal, text), text)
  }
})

test('a script survives the round trip through a line of text', () => {
  const random = new Random(5)
  const drawn = Array.from({ length: 50 }, () => mutated(random, drawScript(random)))
  for (const script of [...drawn, ...Object.values({ ...known, ...knownInCalm })])
    assert.deepEqual(scriptOf(textOf(script)), script)
})
