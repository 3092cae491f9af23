// An opened data folder: it is locked, its state is recovered, and its journal can be appended to.
// A leader appends the frames that it sequences; a follower appends the frames of the leader.

import type { ExchangeView, Genesis } from '../core/index.ts'
import { DiskSpace, type FreeBytes, freeBytesMin, freeBytesOf } from '../journal/disk-space.ts'
import { Journal, type JournalOptions } from '../journal/journal.ts'
import { FolderLock } from '../journal/lock/folder-lock.ts'
import { writeSealed } from '../journal/sealed-file.ts'
import { snapshotFile } from '../journal/snapshot-files.ts'
import { takeOverJournal } from '../journal/take-over.ts'
import { backUp } from './back-up.ts'
import { type DataFolder, openDataFolder, requireKnownFormat } from './data-folder.ts'
import type { Batch } from './outcome.ts'
import type { SavedFacts } from './ports.ts'
import { recover, type SnapshotFacts } from './replica/recover.ts'
import type { Replica } from './replica/replica.ts'
import { SavedStateFiles, type SavedStateOptions } from './snapshots/saved-state-files.ts'
import { sealState } from './snapshots/sealed-state.ts'
import { Snapshotter } from './snapshots/snapshotter.ts'
import type { StateHashes } from './snapshots/state-hash.ts'

const snapshotEveryMs = 600_000
/** A sandbox makes snapshots often, so that it starts quickly and its folder stays small. A venue
 *  makes fewer. */
const keepDefaults = {
  venue: { segmentBytes: 64 * 1_024 * 1_024, snapshotEntries: 200_000 },
  sandbox: { segmentBytes: 16 * 1_024 * 1_024, snapshotEntries: 10_000 },
} as const

/** Receives batches after `after`. If it returns a promise, the next batch waits for the
 *  promise. */
export type FolderFeed = Readonly<{ after: number; take: (batch: Batch) => void | Promise<void> }>

export type FolderOptions = Readonly<{
  folder: string
  /** A lock that the caller holds on the folder. The opened folder owns it from now on, even if
   *  opening fails. */
  lock?: FolderLock
  /** Genesis of a new folder. An existing folder has its own genesis. */
  genesis: Genesis
  keep: 'venue' | 'sandbox'
  onFatal: (error: unknown) => void
  onWarning: (text: string) => void
  /** Called with the breaches that a snapshot's audit has found in the state. */
  onBreaches?: (breaches: readonly string[]) => void
  feed?: FolderFeed
  snapshotEntries?: number
  snapshotMs?: number
  savedStates?: SavedStateOptions
  /** Whether to open a journal that has lost its durable mark (default: no). */
  acceptMissingMark?: boolean
  diskFreeMin?: number
  freeBytes?: FreeBytes
  journal?: Partial<JournalOptions>
}>

export type RecoveryReport = Readonly<{
  /** The seq at which the recovery started. */
  from: number
  seq: number
  /** Length in bytes of a torn tail, which was never acknowledged. */
  tornBytes: number
  ms: number
}>

type Parts = Readonly<{
  root: string
  folder: DataFolder
  replica: Replica
  journal: Journal
  saved: SavedStateFiles
  snapshotter: Snapshotter
  space: DiskSpace
  lock: FolderLock
  onWarning: (text: string) => void
}>

export class OpenedFolder {
  readonly recovery: RecoveryReport
  readonly parts: Parts

  constructor(parts: Parts, recovery: RecoveryReport) {
    this.parts = parts
    this.recovery = recovery
  }

  static async open(options: FolderOptions): Promise<OpenedFolder> {
    requireKnownFormat(options.folder)
    const lock = options.lock ?? (await FolderLock.acquire(options.folder))
    try {
      return await openLocked(options, lock)
    } catch (error) {
      lock.release()
      throw error
    }
  }

  /** The newest entry that is part of the state. */
  get seq(): number {
    return this.parts.replica.seq
  }

  /** The newest entry that is both part of the state and on this disk. */
  get durableSeq(): number {
    return durableSeq(this.parts)
  }

  /** Whether the entry is on this disk. In a cluster the disk may be slightly behind the state, and
   *  is waited for. */
  async isOnDisk(seq: number): Promise<boolean> {
    if (seq > this.durableSeq && seq <= this.seq) await this.parts.journal.settled()
    return seq <= this.durableSeq
  }

  get view(): ExchangeView {
    return this.parts.replica.view
  }

  /** Genesis of the folder, whose defaults may be older than the program's. */
  get genesis(): Genesis {
    return this.parts.folder.genesis
  }

  savedStates(): readonly SavedFacts[] {
    return this.parts.saved.list()
  }

  /** Makes a snapshot while trading continues; resolves with its seq when it is durable. */
  snapshotNow(): Promise<number> {
    return this.parts.snapshotter.snapshotNow()
  }

  /** Hashes of the current state, computed in another thread. */
  hashesNow(): Promise<StateHashes> {
    return this.parts.snapshotter.hashesNow()
  }

  /** Hash of the state after this entry, which must end a frame. Trading does not wait for it. */
  async hashAt(seq: number): Promise<string> {
    const { journal, snapshotter } = this.parts
    // The thread reads this disk, which in a cluster may be slightly behind.
    await journal.settled()
    return (await snapshotter.hashesAt(seq)).state
  }

  /** Copies all files that a restore needs to a new folder, while trading continues. Resolves with
   *  a seq up to which the copy is certainly complete. */
  async backUp(target: string): Promise<number> {
    const { snapshotter, root } = this.parts
    await snapshotter.snapshotNow()
    return snapshotter.undisturbed(async () => {
      const seq = durableSeq(this.parts)
      await backUp(root, target)
      return seq
    })
  }

  /** Runs `work` while nothing is removed from the folder. */
  undisturbed<T>(work: () => Promise<T>): Promise<T> {
    return this.parts.snapshotter.undisturbed(work)
  }

  diskLow(): boolean {
    return this.parts.space.low
  }

  /** Free bytes on the disk of the folder. */
  get diskFree(): number {
    return this.parts.space.left
  }

  /** Closes the folder after `finish`, which ends writes to the journal and closes it. Writes a
   *  final snapshot unless disabled. */
  async closeAfter(finish: () => Promise<void>, wantsSnapshot: () => boolean): Promise<void> {
    const { snapshotter, space, lock, onWarning } = this.parts
    try {
      await finish()
      await snapshotter.close()
      if (wantsSnapshot()) await this.lastSnapshot()
    } catch (error) {
      // Every acknowledged entry is on disk, and the next start recovers it.
      onWarning(`closed, but not cleanly: ${(error as Error).message}`)
    } finally {
      space.close()
      lock.release()
    }
  }

  /** Encodes the state in this thread, because trading has stopped. */
  private async lastSnapshot(): Promise<void> {
    const { folder, journal, snapshotter, replica } = this.parts
    const { seq, place, state } = replica
    if (seq === 0 || seq === snapshotter.newestSeq || seq !== journal.seq) return
    const seal = journal.lastSeal.toString('hex')
    const facts: SnapshotFacts = { ...place, seal }
    await writeSealed(snapshotFile(folder.snapshots, seq), facts, sealState(state))
    await snapshotter.finished(seq)
  }
}

async function openLocked(options: FolderOptions, lock: FolderLock): Promise<OpenedFolder> {
  const started = performance.now()
  const { onFatal, onWarning, feed } = options
  const folder = await openDataFolder(options.folder, options.genesis)
  if (lock.tookOver) await takeOverJournal(folder.journal)
  const saved = new SavedStateFiles(folder.saved, options.savedStates)
  const { replica, from, end } = await recover(folder, {
    saved,
    completeSaved: true,
    requireMark: options.acceptMissingMark !== true,
    onWarning,
    ...(feed !== undefined && { feed }),
  })
  const { diskFreeMin = freeBytesMin, freeBytes = freeBytesOf } = options
  const space = await DiskSpace.watch(options.folder, diskFreeMin, freeBytes)
  const onBytes = (bytes: number) => space.wrote(bytes)
  const journal = await Journal.open(folder.journal, end!, {
    segmentBytes: keepDefaults[options.keep].segmentBytes,
    prove: () => lock.prove(),
    ...options.journal,
    onBytes,
  })
  lock.onLost = onFatal
  const { tornBytes } = end!
  const held = { root: options.folder, folder, replica, journal, saved, space, lock, onWarning }
  const snapshotter = snapshotterOf(options, held)
  saved.start(replica, async (file, facts) => {
    // The thread reads this disk, which in a cluster may be slightly behind.
    await journal.settled()
    await snapshotter.saveElsewhere(file, facts)
  })
  const report = { from, seq: replica.seq, tornBytes, ms: performance.now() - started }
  return new OpenedFolder({ ...held, snapshotter }, report)
}

type Held = Omit<Parts, 'snapshotter'>

/** Seq of the newest entry that is both on this disk and part of the state. In a cluster either may
 *  be slightly ahead of the other. */
function durableSeq({ journal, replica }: Pick<Parts, 'journal' | 'replica'>): number {
  return Math.min(journal.seq, replica.seq)
}

function snapshotterOf(options: FolderOptions, held: Held): Snapshotter {
  const { onWarning, keep, onBreaches } = options
  const { root, folder, saved } = held
  return new Snapshotter({
    root,
    folder,
    saved,
    seqNow: () => durableSeq(held),
    everyEntries: options.snapshotEntries ?? keepDefaults[keep].snapshotEntries,
    everyMs: options.snapshotMs ?? snapshotEveryMs,
    keep,
    onWarning,
    onBreaches: (breaches, seq) => {
      for (const breach of breaches) onWarning(`seq ${seq} breaks an invariant: ${breach}`)
      onBreaches?.(breaches)
    },
  })
}
