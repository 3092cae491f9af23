// The state from what is on disk: the newest snapshot that is whole, and the journal behind it. The
// same code brings a start back to where it was, and a snapshot to the seq it is to be taken at.

import { readFileSync } from 'node:fs'
import { createState, EventLog } from '../core/index.ts'
import { eachRecord, type Frame } from '../journal/frame.ts'
import { JournalFault } from '../journal/journal-fault.ts'
import { type JournalEnd, JournalScan } from '../journal/scan-journal.ts'
import { decodeSealed } from '../journal/sealed-file.ts'
import { listSegments } from '../journal/segment.ts'
import { listSnapshots } from '../journal/snapshot-files.ts'
import { EntryReader } from './codec.ts'
import type { DataFolder } from './data-folder.ts'
import type { Placed } from './entry.ts'
import { type Batch, type Outcome, outcomeOf, RecordOutcome } from './outcome.ts'
import type { SavedState, SavedStates } from './ports.ts'
import { beginning, Replica, type ReplicaPlace } from './replica.ts'
import { openState } from './snapshots/sealed-state.ts'

/** What a snapshot file says of itself. `seal`: of the journal's frame that ends with `seq`. */
export type SnapshotFacts = ReplicaPlace & Readonly<{ seal: string }>

export type RecoverOptions = Readonly<{
  saved: SavedStates
  /** Stops with the frame that ends with this seq; the journal may be growing behind it. */
  to?: number
  /** Saves again what a snapshot entry saved and a crash kept from the disk. */
  completeSaved?: boolean
  /** Tells what comes after `after` once more, for a projection that had not read so far. */
  feed?: Readonly<{ after: number; tell: (batch: Batch) => void }>
  onWarning?: (text: string) => void
  watch?: RecoverWatch
}>

/** For whoever looks on: the state as each command meets it, and as each frame leaves it. */
export type RecoverWatch = Readonly<{
  before?: (seq: number, replica: Replica) => void
  frame?: (frame: Frame, replica: Replica) => void
}>

export type Recovered = Readonly<{
  replica: Replica
  /** Of the frame that ends with the replica's seq. */
  seal: Buffer
  /** Where the journal ends; null when the recovery was told to stop before. */
  end: JournalEnd | null
  /** The seq it started from. */
  from: number
}>

type Base = Readonly<{ replica: Replica; seal: Buffer }>

export async function recover(folder: DataFolder, options: RecoverOptions): Promise<Recovered> {
  const { replica, seal } = newestBase(folder, options)
  const from = replica.seq
  const { to } = options
  const scan = new JournalScan(folder.journal, {
    origin: folder.origin,
    after: from,
    seal,
    ...(to !== undefined && { to }),
  })
  const replay = new Replay(replica, options)
  let last = seal
  if (to === undefined || to > from)
    for (const frame of scan.frames()) {
      replay.frame(frame)
      if (replay.control !== null) await replay.applyControl(replay.control)
      replay.tell()
      options.watch?.frame?.(frame, replica)
      last = frame.seal
    }
  const end = to === undefined ? scan.end : null
  if (end?.markMissing)
    options.onWarning?.('the durable mark was lost; the end of the journal was taken as it is')
  return { replica, seal: Buffer.from(last), end, from }
}

/** The newest state to start from: a snapshot, or the genesis while all history is there. */
function newestBase(folder: DataFolder, { to, feed, onWarning }: RecoverOptions): Base {
  const notAfter = Math.min(to ?? Number.POSITIVE_INFINITY, feed?.after ?? Number.POSITIVE_INFINITY)
  const files = listSnapshots(folder.snapshots).filter(({ seq }) => seq <= (to ?? seq))
  for (const { file } of files.filter(({ seq }) => seq <= notAfter)) {
    const base = readBase(file, onWarning)
    if (base !== null) return base
  }
  const [oldest] = listSegments(folder.journal)
  if (oldest === undefined || oldest.firstSeq === 1) {
    return { replica: new Replica(createState(folder.genesis), beginning), seal: folder.origin }
  }
  // Old history is gone, so whoever is to be fed has to do with what there is.
  for (const { file } of files.filter(({ seq }) => seq > notAfter).reverse()) {
    const base = readBase(file, onWarning)
    if (base === null) continue
    onWarning?.(`history from seq ${notAfter + 1} to ${base.replica.seq} is gone, and not told`)
    return base
  }
  throw new JournalFault(
    'SNAPSHOT_DAMAGED',
    `no snapshot in ${folder.snapshots} is whole, and the journal begins with seq ` +
      `${oldest.firstSeq}: restore the data folder from a backup`,
  )
}

function readBase(file: string, onWarning?: (text: string) => void): Base | null {
  try {
    const { facts, content } = decodeSealed<SnapshotFacts>(file, readFileSync(file))
    const replica = new Replica(openState(content), facts)
    return { replica, seal: Buffer.from(facts.seal, 'hex') }
  } catch (error) {
    // The one before and a longer tail give the same state.
    onWarning?.(`snapshot skipped: ${(error as Error).message}`)
    return null
  }
}

class Replay {
  control: Placed | null = null
  private readonly replica: Replica
  private readonly options: RecoverOptions
  private readonly log = new EventLog()
  private readonly reader = new EntryReader()
  private readonly feedAfter: number
  private outcomes: Outcome[] = []

  constructor(replica: Replica, options: RecoverOptions) {
    this.replica = replica
    this.options = options
    this.feedAfter = options.feed?.after ?? Number.POSITIVE_INFINITY
  }

  /** Applies the commands of a frame; anything else stands alone in its frame, and is left to
   *  `applyControl`. */
  frame(frame: Frame): void {
    const { log, replica, reader } = this
    const { bytes } = frame
    const before = this.options.watch?.before
    log.clear()
    this.control = null
    eachRecord(frame, (seq, from, to) => {
      if (seq <= replica.seq) return
      const command = reader.command(bytes, from, to)
      if (command === null) return this.spelled(seq, bytes, from, to)
      const first = log.end
      const { atMs, type } = reader
      before?.(seq, replica)
      replica.apply(seq, atMs, command, log)
      if (seq <= this.feedAfter) return
      this.outcomes.push(new RecordOutcome({ bytes, from, to, atMs, type }, seq, log, first))
    })
  }

  private spelled(seq: number, bytes: Buffer, from: number, to: number): void {
    const { log, replica, reader } = this
    const entry = reader.entry(bytes, from, to)
    const { atMs } = reader
    if (entry.kind !== 'command') {
      this.control = { seq, atMs, entry }
      return
    }
    const first = log.end
    this.options.watch?.before?.(seq, replica)
    replica.apply(seq, atMs, entry.command, log)
    if (seq > this.feedAfter) this.outcomes.push(outcomeOf({ seq, atMs, entry }, log, first))
  }

  async applyControl({ seq, atMs, entry }: Placed): Promise<void> {
    const { replica, log } = this
    const { saved, completeSaved } = this.options
    if (entry.kind === 'revert') {
      const { facts, state } = await this.savedState(entry.id, seq)
      replica.revert(seq, state, facts.seq)
      saved.used(entry.id, seq)
    } else if (entry.kind === 'snapshot') {
      replica.pass(seq)
      const { id, sources } = entry
      const facts = { id, seq, atMs: replica.view.atMs, createdAt: Date.now(), sources }
      if (completeSaved && !saved.has(id, seq)) await saved.save(facts, replica.state)
    }
    if (seq > this.feedAfter) this.outcomes.push(outcomeOf({ seq, atMs, entry }, log, log.end))
  }

  private async savedState(id: string, seq: number): Promise<SavedState> {
    const lost = (why: string, cause?: unknown) =>
      new JournalFault(
        'SNAPSHOT_DAMAGED',
        `history goes back to the saved state ${id} at seq ${seq}, and ${why}: ` +
          'restore the data folder from a backup',
        cause,
      )
    const found = await this.options.saved.load(id, seq).catch((error: Error) => {
      throw lost(error.message, error)
    })
    if (found === undefined) throw lost(`its file is missing from ${this.options.saved.place}`)
    return found
  }

  tell(): void {
    if (this.outcomes.length === 0) return
    this.options.feed?.tell({ timeline: this.replica.timeline, outcomes: this.outcomes })
    this.outcomes = []
  }
}
