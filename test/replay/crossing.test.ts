// The seam between two versions of the rules. The second is a trial one, known to this process
// alone.

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Command } from '../../src/core/commands/commands.ts'
import { apply, createState, EventLog, type State } from '../../src/core/engine.ts'
import type { Event } from '../../src/core/events/event-fields.ts'
import { firstRules } from '../../src/core/rules/first-rules.ts'
import type { RuleBook } from '../../src/core/rules/rule-book.ts'
import { decodeState } from '../../src/core/snapshot/decode.ts'
import { encodeState } from '../../src/core/snapshot/encode.ts'
import { checkInvariants } from '../../src/core/state/invariants.ts'
import { stateHash } from '../../src/sequencer/snapshots/state-hash.ts'
import type { TimeMs } from '../../src/units/units.ts'
import { Generator as Commands, type Step } from '../support/differential/generator.ts'
import { knowRules, trialRules, trialVersion } from '../support/trial-rules.ts'
import { crossingName, reachedBy, readGolden } from './golden.ts'

const crossing: Command = { type: 'SetRulesVersion', version: trialVersion }
const commands = 3_000
/** These together hear every number, as the generator is now; others may have to help. */
const seeds = [8, 10, 13, 21, 26, 14, ...Array.from({ length: 60 }, (_, at) => at + 22)]

class Run {
  readonly state: State
  events: readonly Event[] = []
  /** How many events each command had: what comes later than it did shows here, and not always in
   *  the state at the end. */
  readonly counts: number[] = []
  private readonly log = new EventLog()

  constructor(state: State) {
    this.state = state
  }

  step({ atMs, command }: Step): void {
    const { state, log } = this
    log.clear()
    apply(state, { seq: state.seq + 1, atMs: atMs as TimeMs, command }, log)
    this.events = log.readAll()
    this.counts.push(this.events.length)
  }

  /** Where it ends. */
  all(steps: readonly Step[]): string {
    for (const step of steps) this.step(step)
    return stateHash(this.state)
  }
}

type History = Readonly<{
  begin(): State
  steps: readonly Step[]
  /** Where the version changes. */
  crossesAt: number
  end: string
  /** Of each command from there on. */
  counts: readonly number[]
}>

/** A random history under the first rules, then the trial ones. */
function historyOf(seed: number): History {
  const generator = new Commands(seed, commands)
  const begin = () => createState(generator.world.genesis)
  const run = new Run(begin())
  const steps: Step[] = []
  const take = (step: Step) => {
    steps.push(step)
    run.step(step)
    generator.learn(run.events)
  }
  while (steps.length < commands / 2) take(withoutVersion(generator.next()))
  const crossesAt = steps.length
  take({ atMs: steps.at(-1)!.atMs, command: crossing })
  assert.ok(run.events.some(({ type }) => type === 'RulesVersionSet'))
  while (steps.length < commands) take(generator.next())
  assert.deepEqual(checkInvariants(run.state), [])
  const counts = run.counts.slice(crossesAt)
  return { begin, steps, crossesAt, end: stateHash(run.state), counts }
}

/** The generator asks for the second version now and then; until we do, nobody is to get it. */
function withoutVersion(step: Step): Step {
  return step.command.type === 'SetRulesVersion' ? { ...step, command: { type: 'Tick' } } : step
}

const made = new Map<number, History>()

function known(seed: number): History {
  const history = made.get(seed) ?? historyOf(seed)
  made.set(seed, history)
  return history
}

beforeEach(() => knowRules(trialRules))

test('a golden history that crosses a change of the rules still comes to its state', async () => {
  const { reached, breaches, rulesVersion } = await reachedBy(crossingName)
  assert.deepEqual(reached, readGolden(crossingName))
  assert.deepEqual([breaches, rulesVersion], [[], trialVersion])
})

test('a state that was saved on either side of the change goes on the same way', () => {
  for (const { begin, steps, crossesAt, end } of seeds.slice(0, 4).map(known))
    for (const cut of [crossesAt, crossesAt + 1, crossesAt + 200]) {
      const run = new Run(begin())
      run.all(steps.slice(0, cut))
      const loaded = new Run(decodeState(encodeState(run.state)))
      assert.equal(loaded.all(steps.slice(cut)), end, `cut at ${cut}`)
    }
})

test('before the change nothing is decided by the numbers after it', () => {
  for (const { begin, steps, crossesAt } of seeds.slice(0, 4).map(known)) {
    const hashes = [trialRules, firstRules].map((rules) => {
      knowRules(rules)
      return new Run(begin()).all(steps.slice(0, crossesAt))
    })
    assert.equal(hashes[0], hashes[1])
    knowRules(trialRules)
  }
})

/** The trial rules, with one number left as it was. */
function* withOneLeft(): Generator<readonly [string, RuleBook]> {
  for (const [chapter, numbers] of Object.entries(trialRules) as [keyof RuleBook, object][])
    for (const [name, number] of Object.entries(numbers)) {
      const old = (firstRules[chapter] as Record<string, number>)[name]
      if (old === number) continue
      const rules = { ...trialRules, [chapter]: { ...numbers, [name]: old } }
      yield [`${chapter}.${name}`, rules]
    }
}

test('every number of the new version decides something after the change', () => {
  const unheard = new Map(withOneLeft())
  for (const seed of seeds) {
    if (unheard.size === 0) return
    knowRules(trialRules)
    const { begin, steps, crossesAt, end, counts } = known(seed)
    const saved = new Run(begin())
    saved.all(steps.slice(0, crossesAt))
    const bytes = encodeState(saved.state)
    for (const [name, rules] of unheard) {
      knowRules(rules)
      const run = new Run(decodeState(bytes))
      const reached = run.all(steps.slice(crossesAt))
      if (reached !== end || `${run.counts}` !== `${counts}`) unheard.delete(name)
    }
  }
  assert.deepEqual([...unheard.keys()], [])
})
