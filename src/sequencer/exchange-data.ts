// One exchange on disk, opened: the folder is locked, what happened is recovered, and from here on
// the sequencer adds to it. Closing leaves a snapshot, and the next start has nothing to replay.

import type { Command, Genesis, MarketId } from '../core/index.ts'
import { DiskSpace, type FreeBytes, freeBytesMin, freeBytesOf } from '../journal/disk-space.ts'
import { Journal, type JournalOptions } from '../journal/journal.ts'
import { FolderLock } from '../journal/lock/folder-lock.ts'
import { writeSealed } from '../journal/sealed-file.ts'
import { snapshotFile } from '../journal/snapshot-files.ts'
import type { Leadership } from '../journal/store/leadership.ts'
import { ReplicatedJournal } from '../journal/store/replicated-journal.ts'
import { takeOverJournal } from '../journal/take-over.ts'
import { backUp } from './back-up.ts'
import { joinCluster, type Lead } from './cluster/join-cluster.ts'
import type { Cluster } from './cluster/stand-by.ts'
import { type DataFolder, openDataFolder, requireKnownFormat } from './data-folder.ts'
import { Followers, type FollowersParts } from './link/followers.ts'
import type { Batch } from './outcome.ts'
import type { EngineClock, SavedFacts, SourceMemory } from './ports.ts'
import { recover, type SnapshotFacts } from './replica/recover.ts'
import type { Replica } from './replica/replica.ts'
import { SavedStateFiles, type SavedStateOptions } from './saved-state-files.ts'
import { Sequencer } from './sequencer.ts'
import { sealState } from './snapshots/sealed-state.ts'
import type { StateHashes } from './snapshots/snapshot-thread.ts'
import { Snapshotter } from './snapshots/snapshotter.ts'

const snapshotEveryMs = 600_000
/** A sandbox starts quickly and stays small; a venue has other things to do than snapshots. */
const keepDefaults = {
  venue: { segmentBytes: 64 * 1_024 * 1_024, snapshotEntries: 200_000 },
  sandbox: { segmentBytes: 16 * 1_024 * 1_024, snapshotEntries: 10_000 },
} as const

export type ExchangeDataOptions = Readonly<{
  folder: string
  /** Of the folder, for whoever opens more in it; from now on ours, also when opening fails. */
  lock?: FolderLock
  /** Of a new folder; an old one has its own. */
  genesis: Genesis
  clock: EngineClock
  sources: SourceMemory
  keep: 'venue' | 'sandbox'
  onFatal: (error: unknown) => void
  onWarning: (text: string) => void
  /** What happened after `after` is told again while the exchange is recovered. */
  feed?: Readonly<{ after: number; tell: (batch: Batch) => void | Promise<void> }>
  /** The journal is a chain that machines share. Opening resolves when this node leads. */
  cluster?: Cluster
  snapshotEntries?: number
  snapshotMs?: number
  savedStates?: SavedStateOptions
  diskFreeMin?: number
  freeBytes?: FreeBytes
  journal?: Partial<JournalOptions>
  followers?: Pick<FollowersParts, 'unsentBytesMax'>
}>

export type RecoveryReport = Readonly<{
  /** The seq the recovery started from, and the one it reached. */
  from: number
  seq: number
  /** Of a tail that was never acknowledged. */
  tornBytes: number
  ms: number
}>

export class ExchangeData {
  readonly sequencer: Sequencer
  /** Other processes, which are told every frame from here on. */
  readonly followers: Followers
  readonly recovery: RecoveryReport
  private readonly parts: Parts

  constructor(sequencer: Sequencer, recovery: RecoveryReport, parts: Parts) {
    this.sequencer = sequencer
    this.followers = parts.followers
    this.recovery = recovery
    this.parts = parts
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

  /** Whether an answer may be given now: in a cluster, while this node leads. */
  get mayAnswer(): boolean {
    const { leadership } = this.parts
    return leadership === null || leadership.holds
  }

  diskLow(): boolean {
    return this.parts.space.low
  }

  /** Finishes what waits, and leaves a snapshot unless told not to. */
  async close({ snapshot = true }: Readonly<{ snapshot?: boolean }> = {}): Promise<void> {
    const { snapshotter, space, lock, onWarning } = this.parts
    try {
      await this.sequencer.close()
      await snapshotter.close()
      if (snapshot) await this.lastSnapshot()
    } catch (error) {
      // What was acknowledged is on disk; the next start reads it from there.
      onWarning(`closed, but not cleanly: ${(error as Error).message}`)
    } finally {
      space.close()
      lock.release()
    }
  }

  /** Nobody trades any more, so the state is encoded here and not in another thread. */
  private async lastSnapshot(): Promise<void> {
    const { folder, journal, snapshotter } = this.parts
    const { seq, place, state, failed } = this.sequencer
    if (failed || seq === 0 || seq === snapshotter.newestSeq) return
    const seal = journal.lastSeal.toString('hex')
    const facts: SnapshotFacts = { ...place, seal }
    await writeSealed(snapshotFile(folder.snapshots, seq), facts, sealState(state))
    await snapshotter.finished(seq)
  }
}

type Parts = Readonly<{
  followers: Followers
  root: string
  folder: DataFolder
  replica: Replica
  journal: Journal
  /** Null: the journal is in the folder alone. */
  leadership: Leadership | null
  saved: SavedStateFiles
  snapshotter: Snapshotter
  space: DiskSpace
  lock: FolderLock
  onWarning: (text: string) => void
}>

export async function openExchangeData(options: ExchangeDataOptions): Promise<ExchangeData> {
  requireKnownFormat(options.folder)
  const lock = options.lock ?? (await FolderLock.acquire(options.folder))
  try {
    return await openLocked(options, lock)
  } catch (error) {
    lock.release()
    throw error
  }
}

async function openLocked(options: ExchangeDataOptions, lock: FolderLock): Promise<ExchangeData> {
  const started = performance.now()
  const { clock, sources, onFatal, onWarning, feed } = options
  const folder = await openDataFolder(options.folder, options.genesis)
  if (lock.tookOver) await takeOverJournal(folder.journal)
  const saved = new SavedStateFiles(folder.saved, options.savedStates)
  const { replica, from, end } = await recover(folder, {
    saved,
    completeSaved: true,
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
    onFrame: (frame) => followers.tell(frame),
  })
  lock.onLost = onFatal
  const { tornBytes } = end!
  const followers = new Followers({
    end: { seq: journal.seq, seal: journal.lastSeal },
    ask: (record, mayPass) => sequencer!.askRecord(record, mayPass),
    ...options.followers,
  })
  let sequencer: Sequencer | null = null
  const held = { root: options.folder, folder, replica, journal, saved, space, lock, onWarning }
  const snapshotter = snapshotterOf(options, held, () => sequencer)
  saved.start(replica, async (file, facts) => {
    // The thread reads what is on this disk, which in a cluster may be a moment behind.
    await journal.settled()
    await snapshotter.saveElsewhere(file, facts)
  })
  const lead = await leadOf(options, { ...held, snapshotter })
  const leadership = lead?.leadership ?? null
  const appends = leadership === null ? journal : new ReplicatedJournal(leadership, journal)
  sequencer = new Sequencer({ replica, journal: appends, clock, saved, sources, onFatal })
  sequencer.onBatch(() => {
    snapshotter.grown()
    lead?.report.passed()
  })
  const report = { from, seq: replica.seq, tornBytes, ms: performance.now() - started }
  return new ExchangeData(sequencer, report, { ...held, snapshotter, leadership, followers })
}

type Held = Omit<Parts, 'followers' | 'snapshotter' | 'leadership'>

/** In a cluster: resolves when this node leads. */
async function leadOf(
  { cluster, feed, onFatal }: ExchangeDataOptions,
  parts: Omit<Parts, 'followers' | 'leadership'>,
): Promise<Lead | null> {
  if (cluster === undefined) return null
  try {
    return await joinCluster(cluster, { ...parts, feed, onFatal })
  } catch (error) {
    await parts.snapshotter.close()
    await parts.journal.close()
    parts.space.close()
    throw error
  }
}

/** What is on this disk and part of the state: in a cluster either may be a moment ahead. */
function durableSeq({ journal, replica }: Pick<Parts, 'journal' | 'replica'>): number {
  return Math.min(journal.seq, replica.seq)
}

function snapshotterOf(
  options: ExchangeDataOptions,
  held: Held,
  sequencer: () => Sequencer | null,
): Snapshotter {
  const { onWarning, keep } = options
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
      // Who only follows finds what the leader finds, too.
      const leading = sequencer()
      if (leading !== null) reportBreaches(leading, breaches)
    },
  })
}

/** A breach becomes history: the core stops taking risk, and an operator decides. */
function reportBreaches(sequencer: Sequencer, breaches: readonly string[]): void {
  // When the sequencer takes nothing more, there is nothing left to protect.
  for (const { command, why } of breachCommands(breaches))
    sequencer.submit(command, { who: 'audit', why }).catch(() => undefined)
}

/** One command for each invariant and market; only breaches of 2 to 4 stay within a market. */
export function breachCommands(
  breaches: readonly string[],
): readonly Readonly<{ command: Command; why: string }>[] {
  const commands = new Map<string, { command: Command; why: string }>()
  for (const why of breaches) {
    const invariant = Number.parseInt(why, 10)
    const named = Number.parseInt(/market (\d+)/.exec(why)?.[1] ?? '0', 10)
    const market = named > 0 && invariant >= 2 && invariant <= 4 ? (named as MarketId) : null
    const key = `${invariant} ${market}`
    if (!commands.has(key))
      commands.set(key, { command: { type: 'Breach', market, invariant }, why })
  }
  return [...commands.values()]
}
