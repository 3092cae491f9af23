// The writer of the journal, with one write and one sync per batch. Once `append` has resolved, its
// records survive a power failure. The first failed write or sync stops the journal, without a
// retry: the system may have discarded the dirty pages, so a later successful sync would prove
// nothing.

import { removeUnfinished, syncFolder } from './atomic-file.ts'
import { beginSegment, type SegmentOptions } from './begin-segment.ts'
import { type DiskFile, openDiskFile } from './disk-file.ts'
import { encodeMark, markFile, markOffset } from './durable-mark.ts'
import { sealFrame } from './frame.ts'
import { JournalFault } from './journal-fault.ts'
import { makePrivateFolder } from './private-folder.ts'
import type { JournalEnd } from './scan-journal.ts'
import { segmentHeadLength } from './segment.ts'

export type JournalOptions = SegmentOptions &
  Readonly<{
    segmentBytes: number
    /** Called with the number of bytes added to the disk. */
    onBytes?: (bytes: number) => void
    /** Called with each durable frame, before its `append` resolves. */
    onFrame?: (frame: SealedFrame) => void
  }>

/** A frame as written, in two parts. The body buffer is reused by a later batch. */
export type SealedFrame = Readonly<{
  head: Buffer
  body: Uint8Array
  /** Seq of the frame's last record. */
  seq: number
  seal: Buffer
}>

export const journalDefaults = {
  segmentBytes: 64 * 1_024 * 1_024,
  openFile: openDiskFile,
} as const satisfies JournalOptions

/** Zeros are written this far ahead, because a sync that does not change the length of the file
 *  takes about half as long. */
const aheadBytes = 1_024 * 1_024
const zeros = Buffer.alloc(aheadBytes)
/** Maximum delay of the mark in ms. At most one small write is made per interval. */
const markDelayMs = 20
const markSyncMs = 1_000

export class Journal {
  private readonly folder: string
  private readonly options: JournalOptions
  private readonly mark: DiskFile
  private file: DiskFile
  private offset: number
  /** Length of the file, including padding. */
  private allocated: number
  private lastSeq: number
  private seal: Buffer
  private fault: JournalFault | null = null
  private tail: Promise<void> = Promise.resolve()
  private markTimer: NodeJS.Timeout | null = null
  private markWrite: Promise<void> = Promise.resolve()
  private markTurn = 0
  private markSyncedAt = Number.NEGATIVE_INFINITY

  private constructor(folder: string, end: JournalEnd, parts: Opened) {
    this.folder = folder
    this.options = parts.options
    this.file = parts.file
    this.mark = parts.mark
    this.offset = end.segment === null ? segmentHeadLength : end.offset
    this.allocated = this.offset
    this.lastSeq = end.seq
    this.seal = end.seal
  }

  /** Opens the journal at the end of a scan, and truncates a torn tail. */
  static async open(
    folder: string,
    end: JournalEnd,
    chosen: Partial<JournalOptions> = {},
  ): Promise<Journal> {
    const options = { ...journalDefaults, ...chosen }
    makePrivateFolder(folder)
    removeUnfinished(folder)
    const mark = await options.openFile(markFile(folder))
    if (end.segment === null) await beginMark(folder, mark, end)
    const file =
      end.segment === null
        ? await beginSegment({ folder, firstSeq: 1, before: end.seal }, options)
        : await options.openFile(end.segment.file)
    if (end.segment !== null) await file.truncate(end.offset)
    await file.sync()
    const journal = new Journal(folder, end, { options, file, mark })
    if (end.segment === null) journal.markBegun()
    else await journal.writeMark()
    await syncFolder(folder)
    return journal
  }

  /** Seq of the newest durable record. */
  get seq(): number {
    return this.lastSeq
  }

  /** Seal of the newest durable frame. */
  get lastSeal(): Buffer {
    return this.seal
  }

  /** Appends records; resolves when they are durable, in order of the calls. In the body the length
   *  of each record precedes it, as in a frame. The body must not change before that. */
  append(body: Uint8Array, count: number): Promise<void> {
    const done = this.tail.then(() => this.write(body, count))
    // The caller gets this error. Later calls get their own.
    this.tail = done.catch(() => undefined)
    return done
  }

  /** Resolves when all submitted batches are durable or have failed. */
  async settled(): Promise<void> {
    await this.tail
  }

  async close(): Promise<void> {
    await this.tail
    if (this.markTimer !== null) clearTimeout(this.markTimer)
    this.markTimer = null
    await this.markWrite
    if (this.isHeld()) {
      await this.file.truncate(this.offset)
      await this.file.sync()
      await this.writeMark()
      await this.mark.sync()
    }
    this.fault ??= new JournalFault('JOURNAL_CLOSED', 'the journal is closed')
    await this.file.close()
    await this.mark.close()
  }

  private async write(body: Uint8Array, count: number): Promise<void> {
    if (this.fault !== null) throw this.fault
    if (count === 0) return
    let sealed: ReturnType<typeof sealFrame>
    // If another process has taken over the folder, that fault is reported instead.
    this.requireHeld()
    try {
      const { seal: before } = this
      sealed = sealFrame(body, { count, firstSeq: this.lastSeq + 1, before })
      const end = this.offset + sealed.head.length + body.length
      if (this.offset > segmentHeadLength && end > this.options.segmentBytes) await this.roll()
      await this.writeFrame(sealed.head, body)
      this.seal = sealed.seal
    } catch (cause) {
      // A process that took over the folder has removed our temporary files. If so, report that as
      // the cause.
      this.requireHeld()
      this.fault = new JournalFault(
        'JOURNAL_WRITE_FAILED',
        `the journal in ${this.folder} could not be written: ${(cause as Error).message}`,
        cause,
      )
      throw this.fault
    }
    // If this process was paused meanwhile, the write may have gone to a file that another process
    // uses.
    this.requireHeld()
    this.lastSeq += count
    this.options.onFrame?.({ ...sealed, body, seq: this.lastSeq })
    this.markTimer ??= setTimeout(() => this.markLater(), markDelayMs).unref()
  }

  /** Whether this process holds the folder. Also checked before the final truncation of a journal
   *  that was idle for long. */
  private isHeld(): boolean {
    try {
      if (this.fault === null) this.requireHeld()
    } catch {
      // The error is stored as the fault.
    }
    return this.fault === null
  }

  private requireHeld(): void {
    try {
      this.options.prove?.()
    } catch (lost) {
      this.fault = lost as JournalFault
      throw lost
    }
  }

  private async writeFrame(head: Buffer, body: Uint8Array): Promise<void> {
    const end = this.offset + head.length + body.length
    const room = this.options.segmentBytes - end
    const ahead = end > this.allocated ? Math.max(0, Math.min(aheadBytes, room)) : 0
    const parts = ahead > 0 ? [head, body, zeros.subarray(0, ahead)] : [head, body]
    await this.file.write(parts, this.offset)
    await this.file.sync()
    this.offset = end
    if (end + ahead > this.allocated) {
      this.options.onBytes?.(end + ahead - this.allocated)
      this.allocated = end + ahead
    }
  }

  /** Starts a new segment. The padding of the old segment is removed before the new one gets its
   *  name, because every segment but the last must end with its last frame. */
  private async roll(): Promise<void> {
    await this.file.truncate(this.offset)
    await this.file.sync()
    const { folder, seal: before, lastSeq } = this
    const next = await beginSegment({ folder, firstSeq: lastSeq + 1, before }, this.options)
    await this.file.close()
    this.file = next
    this.offset = segmentHeadLength
    this.allocated = segmentHeadLength
  }

  private markLater(): void {
    this.markTimer = null
    if (this.fault !== null) return
    // A failed write of the mark only delays it. A failing disk is reported by `append`.
    this.markWrite = this.markWrite.then(() => this.writeMark()).catch(() => undefined)
  }

  private markBegun(): void {
    this.markTurn = 1
    this.markSyncedAt = performance.now()
  }

  private async writeMark(): Promise<void> {
    const slot = encodeMark({ seq: this.lastSeq, seal: this.seal })
    await this.mark.write([slot], markOffset(this.markTurn++))
    const now = performance.now()
    if (now - this.markSyncedAt < markSyncMs) return
    this.markSyncedAt = now
    await this.mark.sync()
  }
}

/** Writes the initial mark before the first segment gets its name, because a journal without a mark
 *  is refused. */
async function beginMark(folder: string, mark: DiskFile, end: JournalEnd): Promise<void> {
  await mark.write([encodeMark(end)], markOffset(0))
  await mark.sync()
  await syncFolder(folder)
}

type Opened = Readonly<{ options: JournalOptions; file: DiskFile; mark: DiskFile }>
