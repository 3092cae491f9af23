// The core and its naive twin, fed the same history. The first difference, exception or broken
// invariant ends it, and says what it is.

import type { Command, Sequenced } from '../../../src/core/commands/commands.ts'
import { apply, createState } from '../../../src/core/engine.ts'
import type { Event } from '../../../src/core/events/event-fields.ts'
import { EventLog } from '../../../src/core/events/event-log.ts'
import { checkInvariants } from '../../../src/core/invariants.ts'
import type { Genesis } from '../../../src/core/state/genesis.ts'
import { checkTouched } from '../../../src/core/touched-checks.ts'
import type { TimeMs } from '../../../src/units/units.ts'
import { pictureOf } from '../../support/picture.ts'
import { applyNaive, createNaive } from '../../twin/engine.ts'
import { countingAgeOf } from '../../twin/funding/funding.ts'
import { viewOfNaive } from '../../twin/picture.ts'
import { Auditor } from './audit/auditor.ts'
import { difference, eventsDifference } from './compare.ts'
import type { Step } from './generator.ts'

export type FailureKind =
  | 'events'
  | 'view'
  | 'core threw'
  | 'twin threw'
  | 'rule'
  | 'invariant'
  | 'hash'
export type Failure = Readonly<{
  kind: FailureKind
  detail: string
  /** Where in the history, from 0. */
  index: number
  core: readonly Event[]
  naive: readonly Event[]
}>

export type Strides = Readonly<{
  /** Views are compared after every this many commands. */
  views: number
  /** Invariants are checked after every this many commands; 0: never. */
  invariants: number
}>

export class Twins {
  readonly state
  private readonly naive
  private readonly log = new EventLog()
  private readonly auditor
  private readonly strides: Strides
  private seq = 0
  private events: readonly Event[] = []
  private twinEvents: readonly Event[] = []

  constructor(genesis: Genesis, strides: Strides) {
    this.state = createState(genesis)
    this.naive = createNaive(genesis)
    this.auditor = new Auditor((market) => countingAgeOf(this.naive, market))
    this.strides = strides
  }

  /** What the core made of the last command. */
  get lastEvents(): readonly Event[] {
    return this.events
  }

  step({ atMs, stampMs = 0, command }: Step): Failure | null {
    this.seq += 1
    const { seq } = this
    const times = { atMs: atMs as TimeMs, stampMs: stampMs as TimeMs }
    const sequenced: Sequenced<Command> = { seq, ...times, command }
    this.events = []
    this.twinEvents = []
    this.log.clear()
    try {
      apply(this.state, sequenced, this.log)
      checkTouched(this.state, sequenced.command)
      this.events = this.log.readAll()
    } catch (error) {
      this.events = this.log.readAll()
      return this.failure('core threw', reasonOf(error))
    }
    try {
      this.twinEvents = applyNaive(this.naive, sequenced)
    } catch (error) {
      return this.failure('twin threw', reasonOf(error))
    }
    const differs = eventsDifference(this.events, this.twinEvents)
    if (differs !== null) return this.failure('events', differs)
    const broken =
      this.auditor.check(this.events, sequenced.atMs, this.state.atMs) ??
      this.refusedCancel(command)
    if (broken !== null) return this.failure('rule', broken)
    if (this.seq % this.strides.views === 0) {
      const found = this.compareViews()
      if (found !== null) return found
    }
    const { invariants } = this.strides
    return invariants > 0 && this.seq % invariants === 0 ? this.checkInvariants() : null
  }

  /** Neither a key's limits nor a maker's protection prevent a cancel. */
  private refusedCancel({ type }: Command): string | null {
    if (!type.startsWith('Cancel')) return null
    // What is due before it may be refused as well; its own answer comes last.
    const last = this.events.at(-1)
    const refused =
      last?.type === 'CommandRejected' && ['AGENT_LIMIT', 'MMP_FROZEN'].includes(last.rejection)
        ? last
        : undefined
    return refused === undefined ? null : `${type} is refused: ${JSON.stringify(refused)}`
  }

  compareViews(): Failure | null {
    const differs = difference(pictureOf(this.state), viewOfNaive(this.naive))
    return differs === null ? null : this.failure('view', differs)
  }

  checkInvariants(): Failure | null {
    const breaches = checkInvariants(this.state)
    return breaches.length === 0 ? null : this.failure('invariant', breaches.join('; '))
  }

  private failure(kind: FailureKind, detail: string): Failure {
    const index = this.seq - 1
    return { kind, detail, index, core: this.events, naive: this.twinEvents }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
