// An opened data folder: it is locked, its state is recovered, and its journal can be appended to.
// A leader appends what it sequences; a follower, the frames of the leader.

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
import type { StateHashes } from './snapshots/snapshot-thread.ts'
import { Snapshotter } from './snapshots/snapshotter.ts'

const snapshotEveryMs = 600_000
/** A sandbox makes snapshots often, so that it starts quickly and stays small; a venue makes
 *  fewer. */
const keepDefaults = {
  venue: { segmentBytes: 64 * 1_024 * 1_024, snapshotEntries: 200_000 },
  sandbox: { segmentBytes: 16 * 1_024 * 1_024, snapshotEntries: 10_000 },
} as const

/** Receives batches after `after`; if it returns a promise, the next batch waits for it. */
export type FolderFeed = Readonly<{ after: number; take: (batch: Batch) => void | Promise<void> }>

export type FolderOptions = Readonly<{
  folder: string
  /** An existing lock of the folder; owned by the opened folder from now on, also if opening
   *  fails. */
  lock?: FolderLock
  /** Genesis of a new folder; an existing one has its own. */
  genesis: Genesis
  keep: 'venue' | 'sandbox'
  onFatal: (error: unknown) => void
  onWarning: (text: string) => void
  /** Called with what a snapshot's audit found to be wrong with the state. */
  onBreaches?: (breaches: readonly string[]) => void
  feed?: FolderFeed
  snapshotEntries?: number
  snapshotMs?: number
  savedStates?: SavedStateOptions
  /** Opens a journal that has lost its durable mark (default: refused). */
  acceptMissingMark?: boolean
  diskFreeMin?: number
  freeBytes?: FreeBytes
  journal?: Partial<JournalOptions>
}>

export type RecoveryReport = Readonly<{
  /** The seq the recovery started from, and the one it reached. */
  from: number
  seq: number
  /** Length of a tail that was never acknowledged. */
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

  get view(): ExchangeView {
    return this.parts.replica.view
  }

  /** Genesis of the folder, which may be older than the program's. */
  get genesis(): Genesis {
    return this.parts.folder.genesis
  }

  savedStates(): readonly SavedFacts[] {
    return this.parts.saved.list()
  }

  /** Resolves with the seq of a durable snapshot; trading goes on meanwhile. */
  snapshotNow(): Promise<number> {
    return this.parts.snapshotter.snapshotNow()
  }

  /** Hashes of the state as it is now, computed elsewhere. */
  hashesNow(): Promise<StateHashes> {
    return this.parts.snapshotter.hashesNow()
  }

  /** Hashes of the state after this entry, which ends a frame; trading does not wait for it. */
  async hashAt(seq: number): Promise<string> {
    const { journal, snapshotter } = this.parts
    // The thread reads what is on this disk, which in a cluster may be a moment behind.
    await journal.settled()
    return (await snapshotter.hashesAt(seq)).state
  }

  /** Copies all that a restore needs into a new folder; trading goes on meanwhile. Resolves with
   *  a seq that the copy holds for certain. */
  async backUp(target: string): Promise<number> {
    const { snapshotter, root } = this.parts
    await snapshotter.snapshotNow()
    return snapshotter.undisturbed(async () => {
      const seq = durableSeq(this.parts)
      await backUp(root, target)
      return seq
    })
  }

  /** Nothing is removed from the folder while this runs. */
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

  /** `finish` ends what still appends to the journal, and the journal itself. Writes a final
   *  snapshot unless disabled. */
  async closeAfter(finish: () => Promise<void>, wantsSnapshot: () => boolean): Promise<void> {
    const { snapshotter, space, lock, onWarning } = this.parts
    try {
      await finish()
      await snapshotter.close()
      if (wantsSnapshot()) await this.lastSnapshot()
    } catch (error) {
      // Everything acknowledged is on disk; the next start reads it from there.
      onWarning(`closed, but not cleanly: ${(error as Error).message}`)
    } finally {
      space.close()
      lock.release()
    }
  }

  /** Trading has stopped, so the state is encoded here and not in another thread. */
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
    // The thread reads what is on this disk, which in a cluster may be a moment behind.
    await journal.settled()
    await snapshotter.saveElsewhere(file, facts)
  })
  const report = { from, seq: replica.seq, tornBytes, ms: performance.now() - started }
  return new OpenedFolder({ ...held, snapshotter }, report)
}

type Held = Omit<Parts, 'snapshotter'>

/** Seq of the newest entry that is both on this disk and part of the state: in a cluster either may
 *  be a moment ahead. */
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
