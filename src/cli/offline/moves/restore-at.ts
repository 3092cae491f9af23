// Creates a data folder with the history of a backup and of the journal after it, up to a point.
// The folder gets its name when it is complete, durable and recovered.

import { randomUUID } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, rmdirSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { syncFolder, syncTree, unfinished } from '../../../journal/atomic-file.ts'
import { eachRecord, type Frame, upTo } from '../../../journal/frame.ts'
import { JournalFault } from '../../../journal/journal-fault.ts'
import { JournalScan } from '../../../journal/scan-journal.ts'
import { listSegments } from '../../../journal/segment.ts'
import type { Point } from '../../../lab/fork/point.ts'
import { oldestSeq } from '../../../lab/fork/seq-at.ts'
import { makeCopyFolder } from '../../../sequencer/back-up.ts'
import { recordTime } from '../../../sequencer/codec.ts'
import { type DataFolder, genesisFile, readDataFolder } from '../../../sequencer/data-folder.ts'
import { keySecretFile } from '../../../sequencer/key-secret.ts'
import { CliError } from '../../frame/exit-codes.ts'
import { makeFolder } from '../../frame/make-folder.ts'
import { type Copied, proved, requireFree } from '../copied-folder.ts'
import { SegmentWriter } from './segment-writer.ts'

export type RestoreAt = Readonly<{
  backup: string
  /** A data folder, or its folder of segments; `null`: only the backup. */
  journal: string | null
  /** `null`: the end of the journal. */
  point: Point | null
  target: string
  onProgress: (seq: number) => void
}>

/** `atMs`: time of the last entry. */
export type RestoredAt = Copied & Readonly<{ atMs: number }>

type Entry = Readonly<{ seq: number; atMs: number }>

const progressFrames = 4_096

export async function restoreAt(options: RestoreAt): Promise<RestoredAt> {
  const { target, backup } = options
  requireFree(target)
  const folder = readDataFolder(backup)
  makeFolder(dirname(target))
  const temporary = `${target}.${randomUUID()}${unfinished}`
  try {
    await makeCopyFolder(temporary)
    const last = new Restoring(options, folder, join(temporary, 'journal')).run()
    copyStates(options, last.seq, temporary)
    for (const file of [genesisFile(backup), keySecretFile(backup)])
      if (existsSync(file)) copyFileSync(file, join(temporary, basename(file)))
    const copied = await proved(temporary)
    await syncTree(temporary)
    if (existsSync(target)) rmdirSync(target)
    await rename(temporary, target)
    await syncFolder(dirname(target))
    return { ...copied, atMs: last.atMs }
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

class Restoring {
  private readonly options: RestoreAt
  private readonly folder: DataFolder
  private readonly writer: SegmentWriter
  private last: Entry | null = null
  /** The last entry of the restored history. */
  private reached: Entry | null = null
  private markMissing = false

  constructor(options: RestoreAt, folder: DataFolder, target: string) {
    this.options = options
    this.folder = folder
    this.writer = new SegmentWriter(target)
  }

  /** Writes the journal; returns its last entry. */
  run(): Entry {
    try {
      this.copyFrames()
    } catch (error) {
      throw error instanceof JournalFault ? this.notCovered() : error
    }
    if (this.reached !== null && this.reached.seq >= oldestSeq(this.folder)) return this.reached
    throw this.notCovered()
  }

  private copyFrames(): void {
    const { onProgress } = this.options
    let frames = 0
    for (const frame of this.source()) {
      this.take(frame)
      if (this.reached !== null) break
      if (++frames % progressFrames === 0) onProgress(frame.firstSeq)
    }
    this.reached ??= this.endReached()
    this.writer.close()
  }

  private *source(): Generator<Frame> {
    const { backup, journal } = this.options
    const { origin, journal: segments } = this.folder
    const after = (listSegments(segments)[0]?.firstSeq ?? 1) - 1
    const own = new JournalScan(segments, { origin, after, seal: null })
    yield* own.frames()
    const { seq, seal } = own.end
    this.markMissing = own.end.markMissing
    if (journal === null) return
    const later = new JournalScan(segmentsIn(journal), { origin, after: seq, seal })
    let continued = false
    try {
      for (const frame of later.frames()) {
        continued = true
        yield frame
      }
      this.markMissing = later.end.markMissing
    } catch (error) {
      if (!(error instanceof JournalFault) || continued) throw error
      throw new CliError(
        'refused',
        `the journal in ${journal} does not continue the backup ${backup}, which ends with entry ` +
          `${seq}: ${error.damage?.what ?? error.message}`,
        { cause: error },
      )
    }
  }

  private take(frame: Frame): void {
    let kept = 0
    eachRecord(frame, (seq, from) => {
      const entry = entryAt(frame, seq, from)
      if (this.reached !== null) return
      if (this.isLater(entry)) {
        this.reached = this.last ?? { seq: 0, atMs: 0 }
        return
      }
      this.last = entry
      kept += 1
      const { point } = this.options
      if (point !== null && 'seq' in point && seq === point.seq) this.reached = entry
    })
    if (kept > 0) this.writer.add(upTo(frame, frame.firstSeq + kept - 1))
  }

  private isLater({ seq, atMs }: Entry): boolean {
    const { point } = this.options
    if (point === null) return false
    return 'seq' in point ? seq > point.seq : atMs > point.atMs
  }

  /** The last entry of all, if it is the point. A journal without a mark may have lost its end. */
  private endReached(): Entry | null {
    const { last, markMissing, options } = this
    const { point } = options
    if (last === null) return null
    if (point !== null) return 'atMs' in point && point.atMs === last.atMs ? last : null
    if (!markMissing) return last
    throw new CliError(
      'refused',
      `the journal has no durable.mark, so its end may be missing: it ends with entry ${last.seq}`,
      { hint: `name the last entry that you expect: --at ${last.seq}` },
    )
  }

  private notCovered(): CliError {
    const { folder, options } = this
    const from = oldestSeq(folder)
    let first: Entry | null = null
    let last: Entry | null = null
    let damage = ''
    try {
      for (const frame of this.source())
        eachRecord(frame, (seq, at) => {
          last = entryAt(frame, seq, at)
          if (seq === from) first = last
        })
    } catch (error) {
      if (!(error instanceof JournalFault)) throw error
      damage = `; after it the journal is damaged: ${error.damage?.what ?? error.message}`
    }
    const kind = damage === '' ? 'refused' : 'damaged'
    if (first === null || last === null)
      return new CliError(kind, `the backup ${options.backup} has no entries${damage}`)
    return new CliError(
      kind,
      `that point is not covered: entries ${shown(first)} to ${shown(last)} are${damage}`,
      { facts: { first, last } },
    )
  }
}

const shown = ({ seq, atMs }: Entry) => `${seq} (${new Date(atMs).toISOString()})`

const entryAt = ({ bytes }: Frame, seq: number, from: number): Entry => ({
  ...{ seq, atMs: recordTime(bytes, from) },
})

function segmentsIn(path: string): string {
  const inside = join(path, 'journal')
  return existsSync(inside) ? inside : path
}

/** Copies snapshots and saved states up to this entry. Recovery checks that they are of this
 *  history. */
function copyStates({ backup, journal }: RestoreAt, seq: number, target: string): void {
  const sources = journal === null ? [backup] : [backup, journal]
  for (const source of sources)
    for (const kind of ['snapshots', 'saved']) {
      const folder = join(source, kind)
      if (!existsSync(folder)) continue
      for (const name of readdirSync(folder))
        if (/^\d{16}[\w-]*\.snap$/.test(name) && Number.parseInt(name, 10) <= seq)
          copyFileSync(join(folder, name), join(target, kind, name))
    }
}
