// Decides when snapshots are made: after a number of entries, after a number of minutes, and on
// request, one at a time. Under load the intervals are longer. Old files are removed after each
// snapshot. A snapshot only shortens a recovery, so a failure is only reported, and the next
// snapshot is made when it is due.

import { pruneSegments, pruneSnapshots } from '../../journal/retention.ts'
import { listSnapshots, snapshotFile } from '../../journal/snapshot-files.ts'
import type { DataFolder } from '../data-folder.ts'
import type { SavedFacts } from '../ports.ts'
import type { SavedStateFiles } from './saved-state-files.ts'
import { type SnapshotResult, snapshotThread } from './snapshot-thread.ts'
import type { StateHashes } from './state-hash.ts'

export type SnapshotterParts = Readonly<{
  root: string
  folder: DataFolder
  saved: SavedStateFiles
  /** The newest durable seq. */
  seqNow: () => number
  everyEntries: number
  everyMs: number
  /** A venue keeps all segments. A sandbox keeps the segments that its snapshots need, and two
   *  more. */
  keep: 'venue' | 'sandbox'
  onWarning: (text: string) => void
  onBreaches: (breaches: readonly string[], seq: number) => void
}>

/** If the last snapshot was less than `ms` ago, the next waits for this many entries, which can be
 *  recovered within a second. */
const rush = { ms: 30_000, entries: 40_000 } as const

export class Snapshotter {
  private readonly parts: SnapshotterParts
  private readonly timer: NodeJS.Timeout
  private jobs: Promise<unknown> = Promise.resolve()
  private readonly thread = snapshotThread()
  private hashing: Promise<StateHashes> | null = null
  private busy = false
  private lastSeq: number
  /** Seq of the last attempt. After a failure the next snapshot waits as long as after a
   *  success. */
  private triedSeq = 0
  private triedAtMs = Number.NEGATIVE_INFINITY

  constructor(parts: SnapshotterParts) {
    this.parts = parts
    this.lastSeq = listSnapshots(parts.folder.snapshots)[0]?.seq ?? 0
    this.timer = setInterval(() => this.due(1), parts.everyMs).unref()
  }

  get newestSeq(): number {
    return this.lastSeq
  }

  /** Called when history has grown. */
  grown(): void {
    const { everyEntries } = this.parts
    const soon = performance.now() - this.triedAtMs < rush.ms
    this.due(soon ? Math.max(everyEntries, rush.entries) : everyEntries)
  }

  /** Makes a snapshot now; resolves with its seq when it is durable. */
  async snapshotNow(): Promise<number> {
    const seq = this.parts.seqNow()
    if (seq === 0 || seq === this.lastSeq) return seq
    return this.next(async () => {
      if (seq <= this.lastSeq) return this.lastSeq
      const file = snapshotFile(this.parts.folder.snapshots, seq)
      this.report(await this.thread.run({ folder: this.parts.root, seq, file, facts: null }))
      await this.finished(seq)
      return seq
    })
  }

  /** Writes the file of a saved state that is too large to be encoded in the trading thread. */
  saveElsewhere(file: string, facts: SavedFacts): Promise<void> {
    const { seq } = facts
    return this.next(async () => {
      this.report(await this.thread.run({ folder: this.parts.root, seq, file, facts }))
    })
  }

  /** Returns hashes of the state without pausing trading. Callers that wait at the same time share
   *  one computation. */
  hashesNow(): Promise<StateHashes> {
    this.hashing ??= this.next(() => {
      this.hashing = null
      return this.hashed(this.parts.seqNow())
    })
    return this.hashing
  }

  /** Hashes of the state after this entry, which must end a frame. */
  hashesAt(seq: number): Promise<StateHashes> {
    return this.next(() => this.hashed(seq))
  }

  /** Runs `work` while no files are removed. */
  undisturbed<T>(work: () => Promise<T>): Promise<T> {
    return this.next(work)
  }

  /** Called when a snapshot of this seq was written, by this or another process. Removes old
   *  files. */
  async finished(seq: number): Promise<void> {
    this.lastSeq = seq
    await pruneSnapshots(this.parts.folder.snapshots)
    const oldest = listSnapshots(this.parts.folder.snapshots).at(-1)?.seq ?? 0
    await this.parts.saved.prune(oldest)
    if (this.parts.keep === 'sandbox') await pruneSegments(this.parts.folder.journal, oldest)
  }

  /** Abandons a snapshot in progress; the next start removes its leftovers. */
  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.thread.end()
    await this.jobs
  }

  private async hashed(seq: number): Promise<StateHashes> {
    const job = { folder: this.parts.root, seq, file: null, facts: null }
    const result = await this.thread.run(job)
    this.report(result)
    return result.hashes!
  }

  private due(entries: number): void {
    const seq = this.parts.seqNow()
    if (this.busy || seq - Math.max(this.lastSeq, this.triedSeq) < entries) return
    this.busy = true
    this.triedSeq = seq
    this.triedAtMs = performance.now()
    this.snapshotNow()
      .catch((error: Error) => this.parts.onWarning(`no snapshot: ${error.message}`))
      .finally(() => {
        this.busy = false
      })
  }

  private next<T>(job: () => Promise<T>): Promise<T> {
    const done = this.jobs.then(job)
    // The caller gets the error. The next job does not depend on this one.
    this.jobs = done.catch(() => undefined)
    return done
  }

  private report({ warnings, breaches, seq }: SnapshotResult): void {
    for (const text of warnings) this.parts.onWarning(text)
    if (breaches.length > 0) this.parts.onBreaches(breaches, seq)
  }
}
