// A random history of the real core as batches of outcomes, cut anywhere, with snapshots and
// reverts where a test wants them. `seq` is the journal's: it grows over reverts, while the state
// goes back.

import { apply, createState, EventLog, type State } from '../../../src/core/engine.ts'
import type { Event } from '../../../src/core/events/event-fields.ts'
import { decodeState } from '../../../src/core/snapshot/decode.ts'
import { encodeState } from '../../../src/core/snapshot/encode.ts'
import type { Genesis } from '../../../src/core/state/genesis.ts'
import type { By, Entry } from '../../../src/sequencer/entry.ts'
import type { Batch, Outcome } from '../../../src/sequencer/outcome.ts'
import type { TimeMs } from '../../../src/units/units.ts'
import { Generator, type Step } from '../../programs/differential/generator.ts'
import { Random } from '../../programs/differential/random.ts'

/** An outcome with its events as objects, which outlive the log. */
export type PlayedOutcome = Readonly<{
  seq: number
  atMs: number
  entry: Entry
  events: readonly Event[]
}>

export class Player {
  readonly outcomes: PlayedOutcome[] = []
  readonly batches: Batch[] = []
  state: State
  private seq = 0
  private readonly saved = new Map<string, Uint8Array>()
  private readonly random: Random
  private open: { log: EventLog; outcomes: Outcome[]; left: number } | null = null

  constructor(genesis: Genesis, seed: number) {
    this.state = createState(genesis)
    this.random = new Random(seed)
  }

  play({ atMs, command }: Step, by: By | null = null): readonly Event[] {
    return this.place(atMs, { kind: 'command', command, by }, (log) => {
      apply(this.state, { seq: this.state.seq + 1, atMs: atMs as TimeMs, command }, log)
    })
  }

  snapshot(id: string): void {
    this.place(this.state.atMs, { kind: 'snapshot', id, sources: '', by: null }, () => {
      this.saved.set(id, encodeState(this.state))
    })
  }

  revert(id: string, by: By | null = null): void {
    this.state = decodeState(this.saved.get(id)!)
    this.place(this.state.atMs, { kind: 'revert', id, by }, () => {})
  }

  get atMs(): number {
    return this.state.atMs
  }

  get lastSeq(): number {
    return this.seq
  }

  /** A batch shares one log; each is one to eight outcomes long. */
  private place(atMs: number, entry: Entry, work: (log: EventLog) => void): readonly Event[] {
    if (this.open === null || this.open.left === 0) {
      const outcomes: Outcome[] = []
      this.open = { log: new EventLog(), outcomes, left: this.random.between(1, 8) }
      this.batches.push({ timeline: 0, outcomes })
    }
    const { log, outcomes } = this.open
    this.open.left -= 1
    this.seq += 1
    const first = log.end
    work(log)
    const { end } = log
    const own = { ownFirst: first, ownEnd: end }
    outcomes.push({ seq: this.seq, atMs, entry, log, first, end, ...own })
    const events = log.readBetween(first, end)
    this.outcomes.push({ seq: this.seq, atMs, entry, events })
    return events
  }
}

/** A world of this seed, played to its end. */
export function playedWorld(seed: number, commands: number) {
  const generator = new Generator(seed, commands)
  const { genesis } = generator.world
  const player = new Player(genesis, seed)
  const steps: Step[] = []
  for (let n = 0; n < commands; n++) {
    const step = generator.next()
    steps.push(step)
    generator.learn(player.play(step))
  }
  return { genesis, player, steps }
}

export function reservedOf({ feesAddress, insuranceAddress, deficitAddress }: Genesis): string[] {
  return [feesAddress, insuranceAddress, deficitAddress]
}
