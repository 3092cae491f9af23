// The seam between two versions of the rules. The second is a trial one, known to this process
// alone. Worlds of 3,000 commands cross it in their middle. Saved just before the change, just
// after it or later, they continue the same way; before it the new numbers decide nothing; and for
// each new number there is a world in which the old one would emit something else. Most of these
// show within some dozen commands of the first worlds, and a run ends where they do.

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Command } from '../../src/core/commands/commands.ts'
import { apply, createState, EventLog, type State } from '../../src/core/engine.ts'
import type { Event } from '../../src/core/events/event-fields.ts'
import { checkInvariants } from '../../src/core/invariants.ts'
import { firstRules } from '../../src/core/rules/first-rules.ts'
import type { RuleBook } from '../../src/core/rules/rule-book.ts'
import { decodeState } from '../../src/core/snapshot/decode.ts'
import { encodeState } from '../../src/core/snapshot/encode.ts'
import { stateHash } from '../../src/sequencer/snapshots/state-hash.ts'
import type { TimeMs } from '../../src/units/units.ts'
import { Generator as Commands, type Step } from '../programs/differential/generator.ts'
import { knowRules, trialRules, trialVersion } from '../support/trial-rules.ts'
import { crossingName, reachedBy, readGolden } from './golden.ts'

const crossing: Command = { type: 'SetRulesVersion', version: trialVersion }
const commands = 3_000
/** The first ones hear every number, as the generator is now; others help when they do not. */
const first = [8, 10, 21, 26, 5, 24, 25, 92, 50, 12, 3, 11]
const seeds = [...new Set([...first, ...Array.from({ length: 80 }, (_, at) => at + 1)])]

class Run {
  readonly state: State
  private readonly log = new EventLog()

  constructor(state: State) {
    this.state = state
  }

  step({ atMs, command }: Step): void {
    const { state, log } = this
    log.clear()
    apply(state, { seq: state.seq + 1, atMs: atMs as TimeMs, command }, log)
  }

  events(): readonly Event[] {
    return this.log.readAll()
  }

  /** The events of the last command, to be compared. */
  emitted(): string {
    return JSON.stringify(this.events())
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
  /** The state just before that. */
  saved: Uint8Array
  end: string
  /** By each command from there on. */
  emitted: readonly string[]
}>

/** Prices of a few seconds, then none until the hour is over: later than one of the two versions
 *  lets the last price of an hour be. */
function* idleHour({ markets, atMs }: State): Generator<Step> {
  const hour = (Math.floor((atMs + 600_000) / 3_600_000) + 1) * 3_600_000
  for (let from = hour - 300_000; from < hour - 290_000; from += 1_000)
    for (const market of markets)
      if (market !== undefined) {
        const { id, oracle: price } = market
        const tick = { type: 'OracleTick', market: id, price, observedAtMs: null, jump: true }
        yield { atMs: from, command: tick as Command }
      }
  yield { atMs: hour + 1, command: { type: 'Tick' } }
}

/** A random history under the first rules, then the trial ones; it ends with an idle hour. */
function historyOf(seed: number): History {
  // It is left before the part in which the generator settles its markets.
  const generator = new Commands(seed, commands * 1.2)
  const begin = () => createState(generator.world.genesis)
  const run = new Run(begin())
  const steps: Step[] = []
  const take = (step: Step) => {
    steps.push(step)
    run.step(step)
    generator.learn(run.events())
    return run.emitted()
  }
  while (steps.length < commands / 2) take(withoutVersion(generator.next()))
  const crossesAt = steps.length
  const saved = encodeState(run.state)
  const emitted = [take({ atMs: steps.at(-1)!.atMs, command: crossing })]
  assert.equal(run.state.rulesVersion, trialVersion)
  while (steps.length < commands) emitted.push(take(generator.next()))
  for (const step of idleHour(run.state)) emitted.push(take(step))
  assert.deepEqual(checkInvariants(run.state), [])
  return { begin, steps, crossesAt, saved, end: stateHash(run.state), emitted }
}

/** The generator sets the second version now and then; until the test does, it is not set. */
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

test('a golden history across a change of the rules still reaches its state', async () => {
  const { reached, breaches, rulesVersion } = await reachedBy(crossingName)
  assert.deepEqual(reached, readGolden(crossingName))
  assert.deepEqual([breaches, rulesVersion], [[], trialVersion])
})

/** Whether one command emits something else, or the state at the end is another. */
function differs({ saved, steps, crossesAt, emitted, end }: History): boolean {
  const run = new Run(decodeState(saved))
  for (const [at, text] of emitted.entries()) {
    run.step(steps[crossesAt + at]!)
    if (run.emitted() !== text) return true
  }
  return stateHash(run.state) !== end
}

test('a state saved on either side of the change continues the same way', () => {
  for (const history of seeds.slice(0, 4).map(known)) {
    assert.ok(!differs(history), 'saved before the change')
    const { saved, steps, crossesAt, end } = history
    const run = new Run(decodeState(saved))
    let done = crossesAt
    for (const cut of [crossesAt + 1, crossesAt + 200]) {
      run.all(steps.slice(done, cut))
      done = cut
      const loaded = new Run(decodeState(encodeState(run.state)))
      assert.equal(loaded.all(steps.slice(cut)), end, `cut at ${cut}`)
    }
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
    const history = known(seed)
    for (const [name, rules] of unheard) {
      knowRules(rules)
      if (differs(history)) unheard.delete(name)
    }
  }
  assert.deepEqual([...unheard.keys()], [])
})
