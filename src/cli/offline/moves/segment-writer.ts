// Writes a journal of existing frames into a new folder. Nothing is synced here, because a copy
// counts only when all of it is durable.

import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { encodeMark, markFile } from '../../../journal/durable-mark.ts'
import type { Frame } from '../../../journal/frame.ts'
import { journalDefaults } from '../../../journal/journal.ts'
import { fileMode } from '../../../journal/private-folder.ts'
import { encodeSegmentHead, segmentFile } from '../../../journal/segment.ts'
import { type ChainEnd, endOf } from '../../../journal/store/frame-store.ts'

export class SegmentWriter {
  private readonly folder: string
  private file: number | null = null
  private bytes = 0
  private last: ChainEnd | null = null

  constructor(folder: string) {
    this.folder = folder
  }

  /** The end of the last frame; `null` before the first one. */
  get end(): ChainEnd | null {
    return this.last
  }

  add(frame: Frame): void {
    const { firstSeq, before, bytes, start, end } = frame
    const isFull = this.bytes + end - start > journalDefaults.segmentBytes
    if (this.file === null || isFull) this.begin(firstSeq, before)
    this.write(bytes.subarray(start, end))
    const { seq, seal } = endOf(frame)
    this.last = { seq, seal: Buffer.from(seal) }
  }

  /** Writes the durable mark. */
  close(): void {
    if (this.file !== null) closeSync(this.file)
    this.file = null
    if (this.last !== null)
      writeFileSync(markFile(this.folder), encodeMark(this.last), { mode: fileMode })
  }

  private begin(firstSeq: number, before: Buffer): void {
    if (this.file !== null) closeSync(this.file)
    this.file = openSync(segmentFile(this.folder, firstSeq), 'wx', fileMode)
    this.bytes = 0
    this.write(encodeSegmentHead(firstSeq, before))
  }

  private write(bytes: Uint8Array): void {
    let at = 0
    while (at < bytes.length) at += writeSync(this.file!, bytes, at)
    this.bytes += bytes.length
  }
}
