// A drawn history through the sequencer onto a real disk, with the state hash after every batch
// that was acknowledged: what a recovery gives must be among them.

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apply, createState, EventLog } from '../../src/core/engine.ts'
import type { Event } from '../../src/core/events/event-fields.ts'
import { inexactField } from '../../src/sequencer/exact.ts'
import {
  type ExchangeData,
  type ExchangeDataOptions,
  openExchangeData,
} from '../../src/sequencer/exchange-data.ts'
import { eventsOf } from '../../src/sequencer/outcome.ts'
import { stateHash } from '../../src/sequencer/snapshots/state-hash.ts'
import type { TimeMs } from '../../src/units/units.ts'
import { Generator, type Step } from '../programs/differential/generator.ts'
import { forgetfulSources } from './small-exchange/memory-journal.ts'

/** Commands that a generator plans for. */
const drawn = 2_000

export class DiskHistory {
  readonly root = mkdtempSync(join(tmpdir(), 'openperp-history-'))
  /** Where it was opened last. */
  folder = join(this.root, 'data')
  readonly generator: Generator
  readonly warnings: string[] = []
  readonly fatal: unknown[] = []
  /** By seq; only on request, because a hash takes longer than a command. */
  readonly hashes: Map<number, string> | null
  time = 0
  private opened: ExchangeData | null = null
  private copies = 0

  constructor(seed: number, { keepHashes = false } = {}) {
    this.generator = new Generator(seed, drawn)
    this.hashes = keepHashes ? new Map() : null
  }

  get data(): ExchangeData {
    if (this.opened === null) throw new Error('not open')
    return this.opened
  }

  async end(): Promise<void> {
    await this.opened?.close({ snapshot: false })
    rmSync(this.root, { recursive: true, force: true })
  }

  get hash(): string {
    return stateHash(this.data.sequencer.state)
  }

  async open(options: Partial<ExchangeDataOptions> = {}): Promise<ExchangeData> {
    this.folder = options.folder ?? this.folder
    this.opened = await openExchangeData({
      folder: this.folder,
      genesis: this.generator.world.genesis,
      clock: { now: () => this.time },
      // Every stamp is 0: no signed text is forgotten.
      clocks: { wall: () => 0, steady: () => 0 },
      sources: forgetfulSources,
      keep: 'venue',
      onFatal: (error) => this.fatal.push(error),
      onWarning: (text) => this.warnings.push(text),
      ...options,
    })
    return this.opened
  }

  /** Commands in batches of up to `batch`, each acknowledged before the next. */
  async run(commands: number, batch = 1): Promise<void> {
    for (let done = 0; done < commands; done += batch) {
      const count = Math.min(batch, commands - done)
      await Promise.all(Array.from({ length: count }, () => this.submitNext()))
      this.note()
    }
  }

  note(): void {
    this.hashes?.set(this.data.sequencer.seq, this.hash)
  }

  /** The folder as it is now, as a process that is killed would leave it. */
  copy(): string {
    const copy = join(this.root, `copy-${this.copies++}`)
    cpSync(this.folder, copy, { recursive: true })
    rmSync(join(copy, 'lock'), { force: true })
    return copy
  }

  private async submitNext(): Promise<void> {
    const { atMs, command } = nextExact(this.generator)
    this.time = Math.max(this.time, atMs)
    this.generator.learn(eventsOf(await this.data.sequencer.submit(command)))
  }
}

/** The next command that a journal can hold. */
function nextExact(generator: Generator): Step {
  for (;;) {
    const step = generator.next()
    if (inexactField(step.command, '') === null) return step
  }
}

/** The events of each command of such a history, without a disk: a test that needs certain events
 *  finds a seed that has them. */
export function drawnEvents(seed: number, commands: number): readonly (readonly Event[])[] {
  const generator = new Generator(seed, drawn)
  const state = createState(generator.world.genesis)
  const log = new EventLog()
  return Array.from({ length: commands }, () => {
    const { atMs, command } = nextExact(generator)
    log.clear()
    const time = Math.max(state.atMs, atMs) as TimeMs
    apply(state, { seq: state.seq + 1, atMs: time, command }, log)
    const events = log.readAll()
    generator.learn(events)
    return events
  })
}
