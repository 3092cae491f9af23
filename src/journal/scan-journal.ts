// Reads the journal in order and verifies every seal, every link to the previous frame and every
// seq. It distinguishes a torn tail, which was never acknowledged and may be truncated, from
// damage, which is fatal. A tail is torn only if all of these hold:
// - It lies after the durable mark.
// - It is at the end of the last segment.
// - No complete frame follows it. A frame is written only after the previous one is durable, so a
//   complete frame after a broken one proves that the broken one was once complete.

import { readFileSync } from 'node:fs'
import { type DurableMark, markFile, readMark } from './durable-mark.ts'
import { decodeFrame, type Frame, findFrame } from './frame.ts'
import { damaged, type JournalFault } from './journal-fault.ts'
import { listSegments, type Segment, sealBefore, segmentHeadLength } from './segment.ts'

/** The end of verified history. */
export type JournalEnd = Readonly<{
  /** Last segment; `null` if the journal is empty. */
  segment: Segment | null
  offset: number
  seq: number
  seal: Buffer
  /** Bytes of a torn tail after the end. */
  tornBytes: number
  markMissing: boolean
}>

export type ScanOptions = Readonly<{
  /** The seal before the first frame, which ties the journal to one genesis. */
  origin: Buffer
  /** Frames up to this seq are skipped. It is the last seq of a frame, or 0. */
  after: number
  /** Expected seal of the frame that ends with `after`; `null` if unknown. */
  seal: Buffer | null
  /** Stops after the frame that contains this seq. */
  to?: number
}>

export class JournalScan {
  private readonly folder: string
  private readonly options: ScanOptions
  private readonly segments: readonly Segment[]
  private readonly mark: DurableMark | null
  private seq: number
  /** Seal of the last frame read; `null` if unknown. */
  private seal: Buffer | null = null
  private found: JournalEnd | null = null

  constructor(folder: string, options: ScanOptions) {
    this.folder = folder
    this.options = options
    // The mark is read before the files are listed, because the writer may continue meanwhile and
    // the mark must not be ahead of the listed files.
    this.mark = readMark(folder)
    this.segments = listSegments(folder)
    this.seq = options.after
  }

  /** Valid only after all frames have been read, in a scan without `to`. */
  get end(): JournalEnd {
    if (this.found === null) throw new Error('the scan has not reached the end')
    return this.found
  }

  *frames(): Generator<Frame> {
    const { after, to } = this.options
    const first = this.firstSegment()
    if (first < 0) return this.finishEmpty()
    this.seq = this.segments[first]!.firstSeq - 1
    this.seal = this.sealAt(this.seq)
    for (let n = first; n < this.segments.length; n++) {
      const segment = this.segments[n]!
      const bytes = readFileSync(segment.file)
      this.enter(segment, bytes)
      let offset = segmentHeadLength
      for (;;) {
        const frame = decodeFrame(bytes, offset)
        if (frame === undefined) break
        this.follow(segment, frame)
        offset = frame.end
        if (this.seq > after) yield frame
        if (to !== undefined && this.seq >= to) return
      }
      if (n === this.segments.length - 1) this.finish(segment, bytes, offset)
      else if (offset !== bytes.length) throw this.broken(segment, offset, 'a frame is not whole')
    }
  }

  private sealAt(seq: number): Buffer | null {
    if (seq === 0) return this.options.origin
    return seq === this.options.after ? this.options.seal : null
  }

  /** Index of the last segment that can contain the record after `after`. */
  private firstSegment(): number {
    const { after } = this.options
    const first = this.segments.findLastIndex(({ firstSeq }) => firstSeq <= after + 1)
    const oldest = this.segments[0]
    if (first < 0 && oldest !== undefined) {
      const gone = `the segment with seq ${after + 1} is missing`
      throw this.broken(oldest, 0, gone)
    }
    return first
  }

  private enter(segment: Segment, bytes: Buffer): void {
    if (segment.firstSeq !== this.seq + 1)
      throw this.broken(segment, 0, `the segment with seq ${this.seq + 1} is missing`)
    const before = sealBefore(bytes, segment)
    if (before === null) throw this.broken(segment, 0, 'the head of the segment is wrong')
    if (this.seal !== null && !before.equals(this.seal))
      throw this.broken(segment, 0, 'the segment does not follow what was before it')
    this.seal = before
  }

  private follow(segment: Segment, frame: Frame): void {
    const { after, seal } = this.options
    const { start } = frame
    if (!frame.before.equals(this.seal!))
      throw this.broken(segment, start, 'the frame does not follow the one before')
    if (frame.firstSeq !== this.seq + 1 || frame.count < 1)
      throw this.broken(segment, start, `the frame has seq ${frame.firstSeq}, not ${this.seq + 1}`)
    this.seq = frame.firstSeq + frame.count - 1
    this.seal = Buffer.from(frame.seal)
    if (this.seq === after && seal !== null && !this.seal.equals(seal))
      throw this.broken(segment, start, `the snapshot of seq ${after} is of another history`)
    if (this.seq === this.mark?.seq && !this.seal.equals(this.mark.seal))
      throw this.broken(segment, start, 'the durable mark is of another history')
  }

  /** Checks the end of the last segment, which may be padding, a torn tail, or damage. */
  private finish(segment: Segment, bytes: Buffer, offset: number): void {
    const later = findFrame(bytes, offset)
    if (later >= 0) throw this.broken(segment, offset, `a whole frame follows at byte ${later}`)
    const torn = lastByteAfter(bytes, offset) - offset
    this.checkMark(segment, offset)
    this.checkStart(segment, offset)
    const seal = this.seal!
    const markMissing = this.mark === null
    this.found = { segment, offset, seq: this.seq, seal, tornBytes: torn, markMissing }
  }

  private finishEmpty(): void {
    const segment = { file: markFile(this.folder), firstSeq: 1 }
    this.seq = 0
    this.checkMark(segment, 0)
    this.checkStart(segment, 0)
    const seal = this.options.origin
    this.found = { segment: null, offset: 0, seq: 0, seal, tornBytes: 0, markMissing: false }
  }

  private checkMark(segment: Segment, offset: number): void {
    if (this.mark === null || this.mark.seq <= this.seq) return
    const what = `history up to seq ${this.mark.seq} was acknowledged, and is not there`
    throw this.broken(segment, offset, what)
  }

  private checkStart(segment: Segment, offset: number): void {
    if (this.seq >= this.options.after) return
    throw this.broken(segment, offset, `a snapshot of seq ${this.options.after} is newer than it`)
  }

  private broken({ file }: Segment, offset: number, what: string): JournalFault {
    return damaged({ file, offset, lastGoodSeq: this.seq }, what)
  }
}

/** Offset after the last byte that is not padding. */
function lastByteAfter(bytes: Buffer, from: number): number {
  let at = bytes.length
  while (at > from && bytes[at - 1] === 0) at--
  return at
}
