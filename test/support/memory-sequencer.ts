// A sequencer without a disk: stamps a command when it is submitted, applies a batch per turn of
// the event loop with one log, as the real one does, and keeps saved states as bytes.

import type { Command } from '../../src/core/commands/commands.ts'
import { apply, createState, EventLog, type State } from '../../src/core/engine.ts'
import { decodeState } from '../../src/core/snapshot/decode.ts'
import { encodeState } from '../../src/core/snapshot/encode.ts'
import type { Genesis } from '../../src/core/state/genesis.ts'
import { type ExchangeView, viewOf } from '../../src/core/view/exchange-view.ts'
import type { By, Entry } from '../../src/sequencer/entry.ts'
import type { Outcome } from '../../src/sequencer/outcome.ts'
import type { TimeMs } from '../../src/units/units.ts'

type Clock = Readonly<{ now(): number }>
type Queued = Readonly<{ atMs: number; command: Command; resolve: (outcome: Outcome) => void }>
type Saved = Readonly<{ bytes: Uint8Array; sources: string }>

export class MemorySequencer {
  readonly isIdle = true
  readonly hashes = () => Promise.reject(new Error('hashes are tested on the real sequencer'))
  private current!: State
  view!: ExchangeView
  seq = 0
  batches = 0
  /** Called after every batch, with its outcomes. */
  onBatch: (outcomes: readonly Outcome[]) => void = () => undefined
  clock: () => Clock
  private readonly log = new EventLog()
  private readonly saved = new Map<string, Saved>()
  private queue: Queued[] = []
  private last = 0

  constructor(genesis: Genesis, clock: () => Clock) {
    this.state = createState(genesis)
    this.clock = clock
  }

  get state(): State {
    return this.current
  }

  set state(state: State) {
    this.current = state
    this.view = viewOf(state)
  }

  submit(command: Command, _by?: By): Promise<Outcome> {
    this.last = Math.max(this.last, this.clock().now())
    const atMs = this.last
    return new Promise((resolve) => {
      if (this.queue.length === 0) setImmediate(() => this.flush())
      this.queue.push({ atMs, command, resolve })
    })
  }

  async takeSnapshot(id: string, sources: string) {
    await new Promise((done) => setImmediate(done))
    this.flush()
    this.saved.set(id, { bytes: encodeState(this.state), sources })
    this.seq += 1
    this.state.seq = this.seq
    return { seq: this.seq, atMs: this.state.atMs }
  }

  async revert(id: string): Promise<string | undefined> {
    await new Promise((done) => setImmediate(done))
    this.flush()
    const saved = this.saved.get(id)
    if (saved === undefined) return undefined
    this.state = decodeState(saved.bytes)
    this.seq += 1
    this.state.seq = this.seq
    this.last = this.state.atMs
    return saved.sources
  }

  private flush(): void {
    const batch = this.queue
    if (batch.length === 0) return
    this.queue = []
    this.batches += 1
    this.log.clear()
    const outcomes = batch.map(({ atMs, command }): Outcome => {
      const first = this.log.end
      this.seq += 1
      apply(this.state, { seq: this.seq, atMs: atMs as TimeMs, command }, this.log)
      const entry: Entry = { kind: 'command', command, by: null }
      const { log } = this
      const { ownFirst, ownEnd, end } = log
      return { seq: this.seq, atMs, entry, log, first, end, ownFirst, ownEnd }
    })
    this.onBatch(outcomes)
    for (const [at, { resolve }] of batch.entries()) resolve(outcomes[at]!)
  }
}
