// One world from its seed: generate, apply to both, compare, count. Optionally checks at the end
// that the history replayed from genesis, and the tails from snapshots taken on the way, reach the
// same state.

import { apply, createState } from '../../../src/core/engine.ts'
import { EventLog } from '../../../src/core/events/event-log.ts'
import { firstVersion, ruleBooks } from '../../../src/core/rules/versions.ts'
import { decodeState } from '../../../src/core/snapshot/decode.ts'
import { encodeState } from '../../../src/core/snapshot/encode.ts'
import type { Genesis } from '../../../src/core/state/genesis.ts'
import { stateHash } from '../../../src/sequencer/snapshots/state-hash.ts'
import type { TimeMs } from '../../../src/units/units.ts'
import { knowRules, trialRules } from '../../support/trial-rules.ts'
import { nearCloses } from '../../twin/margin/entry.ts'
import { type Coverage, nearClose } from './coverage/coverage.ts'
import { type Changed, Generator, type Step } from './generator.ts'
import { Random } from './random.ts'
import { type Failure, type Strides, Twins } from './twins.ts'
import { profiles } from './world.ts'

knowRules(trialRules)

export type WorldOptions = Strides &
  Readonly<{
    seed: number
    commands: number
    /** Snapshots taken at random places, each continued to the end. */
    cuts: number
  }>
export type WorldResult = Readonly<{
  genesis: Genesis
  history: readonly Step[]
  failure: Failure | null
}>

/** One of each kind, with as many commands as a test run has time for. */
export const everydayWorlds: readonly WorldOptions[] = profiles.map((_, seed) => {
  return { seed, commands: 1_000, cuts: 1, views: 20, invariants: 5 }
})

/** What would come less than a hundred times in a million commands. */
const oftener: Changed = {
  commands: {
    PlaceOrder: 38,
    TellPast: 0.1,
    EndConnection: 3.5,
    RevokeAgent: 0.8,
    SetAgentPolicy: 0.7,
    PlaceStop: 5.5,
    SetMmp: 1.9,
    ChangeMarket: 2.4,
    CancelMarketChange: 2.4,
    Deposit: 1.7,
    CreditDeposit: 0.5,
    ApproveCredit: 0.5,
    MoveReserve: 1.7,
    Withdraw: 2,
    MoveIsolatedMargin: 1.9,
    PlaceChase: 2,
    PlaceIceberg: 1.9,
    ListMarket: 0.16,
    KeepNote: 0.08,
  },
  crises: {
    halt: 0.4,
    barred: 1,
    caught: 15,
    restricted: 4,
    ruin: 32,
    heldBack: 12,
    leftBehind: 9,
    keys: 16,
    heldCredit: 0.7,
    unreachedTakeover: 30,
    partTakeover: 3,
    restrictedStep: 10,
    brakedWinners: 6,
    doomedEntry: 3.5,
    trippedQuotes: 4,
    openingStop: 1.2,
    changeTwice: 0.6,
    youngQuotes: 4,
  },
}

type Cut = Readonly<{ after: number; bytes: Uint8Array }>
type State = ReturnType<typeof createState>

export function runWorld(options: WorldOptions, coverage: Coverage): WorldResult {
  const generator = new Generator(options.seed, options.commands, oftener)
  const { genesis } = generator.world
  const twins = new Twins(genesis, options)
  const history: Step[] = []
  const cutsAt = drawCuts(options)
  const cuts: Cut[] = []
  let failure: Failure | null = null
  const closesBefore = nearCloses.count
  while (failure === null && history.length < options.commands) {
    const crosses = history.length === crossesAt(options)
    const step = crosses ? { ...history.at(-1)!, command: crossing(options) } : generator.next()
    history.push(step)
    failure = twins.step(step)
    if (failure !== null) break
    coverage.count(step.command, twins.lastEvents, twins.state)
    generator.learn(twins.lastEvents)
    const after = history.length
    if (cutsAt.has(after)) cuts.push({ after, bytes: encodeState(twins.state) })
  }
  coverage.add(nearClose, nearCloses.count - closesBefore)
  failure ??= twins.compareViews() ?? twins.checkInvariants()
  if (failure === null && options.cuts > 0) {
    failure = replayFailure(genesis, history, { cuts, live: stateHash(twins.state) })
  }
  return { genesis, history, failure }
}

/** To each version that there is beyond the first, in turn. */
function crossing({ seed }: WorldOptions) {
  const versions = [...ruleBooks.keys()].filter((version) => version > firstVersion)
  return { type: 'SetRulesVersion', version: versions[(seed >> 1) % versions.length]! } as const
}

/** Every other world crosses a change of the rules in its middle, the others near their end. */
function crossesAt({ seed, commands }: WorldOptions): number {
  return Math.floor(seed % 2 === 0 ? commands / 2 : commands * 0.97)
}

function drawCuts({ seed, commands, cuts }: WorldOptions): Set<number> {
  const random = new Random(seed + 1_000_003)
  return new Set(Array.from({ length: cuts }, () => random.between(1, commands)))
}

/** Invariant 9: live state = replay from genesis = snapshot + tail, by hash. */
function replayFailure(
  genesis: Genesis,
  history: readonly Step[],
  { cuts, live }: Readonly<{ cuts: readonly Cut[]; live: string }>,
): Failure | null {
  const wrong = (detail: string, index: number): Failure => {
    return { kind: 'hash', detail, index, core: [], naive: [] }
  }
  const replayed = continued(createState(genesis), history, 0)
  if (replayed !== live) return wrong(`replay from genesis: ${replayed}, live: ${live}`, 0)
  for (const { after, bytes } of cuts) {
    const hash = continued(decodeState(bytes), history, after)
    if (hash !== live) return wrong(`snapshot after ${after} + tail: ${hash}, live: ${live}`, after)
  }
  return null
}

function continued(state: State, history: readonly Step[], from: number): string {
  const log = new EventLog()
  for (let i = from; i < history.length; i++) {
    const { atMs, stampMs = 0, command } = history[i] as Step
    const times = { atMs: atMs as TimeMs, stampMs: stampMs as TimeMs }
    log.clear()
    apply(state, { seq: i + 1, ...times, command }, log)
  }
  return stateHash(state)
}
