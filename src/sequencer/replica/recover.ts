// Recovers the state from disk: the newest complete snapshot, and the journal after it. The same
// code recovers the state at a start and for a snapshot at a given seq.

import { readFileSync } from 'node:fs'
import { createState } from '../../core/index.ts'
import { markFile, readMark } from '../../journal/durable-mark.ts'
import { type Frame, upTo } from '../../journal/frame.ts'
import { JournalFault, missingMark } from '../../journal/journal-fault.ts'
import { type JournalEnd, JournalScan } from '../../journal/scan-journal.ts'
import { decodeSealed } from '../../journal/sealed-file.ts'
import { listSegments } from '../../journal/segment.ts'
import { listSnapshots } from '../../journal/snapshot-files.ts'
import type { DataFolder } from '../data-folder.ts'
import type { Batch } from '../outcome.ts'
import type { SavedStates } from '../ports.ts'
import { openState } from '../snapshots/sealed-state.ts'
import { Follower } from './follower.ts'
import { beginning, Replica, type ReplicaPlace } from './replica.ts'

/** Facts of a snapshot file. `seal` is the seal of the journal frame that ends with `seq`. */
export type SnapshotFacts = ReplicaPlace & Readonly<{ seal: string }>

export type RecoverOptions = Readonly<{
  saved: SavedStates
  /** Stops after this seq. The journal may be growing meanwhile. */
  to?: number
  /** Whether to save the states of snapshot entries again if a crash prevented that. */
  completeSaved?: boolean
  /** Publishes entries after `after` again, for a projection that has not read them. If `take`
   *  returns a promise, the next batch waits for it. */
  feed?: Readonly<{ after: number; take: (batch: Batch) => void | Promise<void> }>
  /** Whether to refuse a journal without a durable mark (default: a warning). */
  requireMark?: boolean
  onWarning?: (text: string) => void
  watch?: RecoverWatch
}>

/** For observers: called with the state before each command and after each frame. */
export type RecoverWatch = Readonly<{
  /** Called with the state from which the recovery starts. */
  begin?: (replica: Replica) => void
  before?: (seq: number, replica: Replica) => void
  frame?: (frame: Frame, replica: Replica) => void
}>

export type Recovered = Readonly<{
  replica: Replica
  /** Seal of the frame that ends with the replica's seq, or of its beginning up to `to`. */
  seal: Buffer
  /** End of the journal; `null` if the recovery was limited to an earlier entry. */
  end: JournalEnd | null
  /** The seq at which the recovery started. */
  from: number
}>

type Base = Readonly<{ replica: Replica; seal: Buffer }>

export async function recover(folder: DataFolder, options: RecoverOptions): Promise<Recovered> {
  const { replica, seal } = newestBase(folder, options)
  const from = replica.seq
  if (options.requireMark) requireMark(folder, { replica, seal })
  const { to, saved, completeSaved = false, feed, watch = {} } = options
  const scan = new JournalScan(folder.journal, {
    origin: folder.origin,
    after: from,
    seal,
    ...(to !== undefined && { to }),
  })
  const publishAfter = feed?.after ?? Number.POSITIVE_INFINITY
  watch.begin?.(replica)
  const { before } = watch
  const parts = {
    saved,
    completeSaved,
    publishAfter: publishAfter,
    ...(before !== undefined && { before }),
  }
  const follower = new Follower(replica, parts)
  let last = seal
  if (to === undefined || to > from)
    for (const whole of scan.frames()) {
      const frame = upTo(whole, to ?? Number.POSITIVE_INFINITY)
      const batch = await follower.take(frame)
      if (batch !== null) await feed?.take(batch)
      watch.frame?.(frame, replica)
      last = frame.seal
    }
  const end = to === undefined ? scan.end : null
  if (end?.markMissing)
    options.onWarning?.('durable.mark is missing; the end of the journal is accepted as it is')
  return { replica, seal: Buffer.from(last), end, from }
}

/** Checks the durable mark before anything is fed from the journal. */
function requireMark(folder: DataFolder, { replica, seal }: Base): void {
  const { journal, origin } = folder
  if (readMark(journal) !== null) return
  const scan = new JournalScan(journal, { origin, after: replica.seq, seal })
  for (const _ of scan.frames());
  const { seq, markMissing } = scan.end
  if (markMissing) throw missingMark(markFile(journal), seq)
}

/** Where a recovery can start, newest first: the seqs of the snapshots, and 0 if the journal is
 *  complete. */
export function startingPoints(folder: DataFolder): readonly number[] {
  const seqs = listSnapshots(folder.snapshots).map(({ seq }) => seq)
  const [oldest] = listSegments(folder.journal)
  return oldest === undefined || oldest.firstSeq === 1 ? [...seqs, 0] : seqs
}

/** Returns the newest state to start from: a snapshot, or the genesis if the journal is
 *  complete. */
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
  // If old history was removed, the feed receives only the remaining entries.
  for (const { file } of files.filter(({ seq }) => seq > notAfter).reverse()) {
    const base = readBase(file, onWarning)
    if (base === null) continue
    onWarning?.(
      `history from seq ${notAfter + 1} to ${base.replica.seq} is missing; its events are skipped`,
    )
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
    // The previous snapshot and a longer part of the journal give the same state.
    onWarning?.(`snapshot skipped: ${(error as Error).message}`)
    return null
  }
}
