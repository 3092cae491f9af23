// The journal of a data folder replayed from the genesis on, by a reader that never looks at a
// snapshot: what every recovery must agree with. It follows the journal round by round, so that
// segments which a sandbox removes meanwhile have been read.

import { createState, EventLog, type State } from '../../../src/core/engine.ts'
import { eachRecord } from '../../../src/journal/frame.ts'
import { JournalScan } from '../../../src/journal/scan-journal.ts'
import { decodeEntry } from '../../../src/sequencer/codec.ts'
import { readDataFolder } from '../../../src/sequencer/data-folder.ts'
import type { Placed } from '../../../src/sequencer/entry.ts'
import { beginning, Replica } from '../../../src/sequencer/replica/replica.ts'
import { stateHash } from '../../../src/sequencer/snapshots/state-hash.ts'
import { openedState } from '../../support/opened-state.ts'
import { MemorySavedStates } from '../../support/small-exchange/memory-journal.ts'

export class Replayed {
  private readonly folder: string
  private readonly before: (placed: Placed, state: State) => void
  private readonly log = new EventLog()
  private readonly saved = new MemorySavedStates(Number.MAX_SAFE_INTEGER)
  private replica: Replica | null = null
  private seal: Buffer | null = null

  /** `before` sees each entry with the state that it is about to meet. */
  constructor(folder: string, before: (placed: Placed, state: State) => void = () => undefined) {
    this.folder = folder
    this.before = before
  }

  get seq(): number {
    return this.replica?.seq ?? 0
  }

  get timeline(): number {
    return this.replica?.timeline ?? 0
  }

  get state(): State {
    if (this.replica === null) throw new Error('nothing was replayed yet')
    return openedState(this.replica.state)
  }

  get hash(): string {
    return stateHash(this.state)
  }

  /** Reads what was added. The writer must not be running. */
  async follow(): Promise<void> {
    const data = readDataFolder(this.folder)
    this.replica ??= new Replica(createState(data.genesis), beginning)
    const { seal } = this
    const scan = new JournalScan(data.journal, { origin: data.origin, after: this.seq, seal })
    for (const frame of scan.frames()) {
      const placed: Placed[] = []
      eachRecord(frame, (seq, from, to) => {
        if (seq > this.seq) placed.push({ seq, ...decodeEntry(frame.bytes, from, to) })
      })
      for (const each of placed) {
        this.before(each, this.state)
        await this.apply(this.replica, each)
      }
    }
    this.seal = Buffer.from(scan.end.seal)
  }

  private async apply(replica: Replica, placed: Placed): Promise<void> {
    const { seq, entry } = placed
    this.log.clear()
    if (entry.kind === 'command') return replica.apply(seq, placed, entry.command, this.log)
    const { id } = entry
    if (entry.kind === 'snapshot') {
      replica.pass(seq)
      const facts = { id, seq, atMs: replica.view.atMs, createdAt: 0, sources: entry.sources }
      return this.saved.save(facts, replica.state)
    }
    const found = await this.saved.load(id)
    if (found === undefined) throw new Error(`seq ${seq} goes back to ${id}, which is not there`)
    replica.revert(seq, found.state, found.facts.seq)
    this.saved.used(id)
  }
}
