// Which entry a point of history is, and which points a folder has.

import { eachRecord } from '../../journal/frame.ts'
import { JournalScan } from '../../journal/scan-journal.ts'
import { listSegments } from '../../journal/segment.ts'
import { listSnapshots } from '../../journal/snapshot-files.ts'
import { recordTime } from '../../sequencer/codec.ts'
import type { DataFolder } from '../../sequencer/data-folder.ts'
import { LabFault } from '../lab-fault.ts'
import type { Point } from './point.ts'

type Entry = Readonly<{ seq: number; atMs: number }>

/** The entry at a point; throws if the folder does not have the state after it. */
export function seqAt(folder: DataFolder, point: Point): number {
  const oldest = oldestSeq(folder)
  if ('seq' in point) {
    if (point.seq >= oldest) return point.seq
    throw new LabFault(`entry ${point.seq} is before the start: ${rangeText(folder)}`)
  }
  let last: Entry | null = null
  let isCovered = false
  for (const entry of entries(folder)) {
    isCovered = entry.atMs >= point.atMs
    if (entry.atMs > point.atMs) break
    last = entry
  }
  const found: Entry | null = last
  if (isCovered && found !== null && found.seq >= oldest) return found.seq
  const where = isCovered ? 'before the start' : 'after the end'
  throw new LabFault(`${new Date(point.atMs).toISOString()} is ${where}: ${rangeText(folder)}`)
}

/** The entries at which the state is known, in words. */
export function rangeText(folder: DataFolder): string {
  const oldest = oldestSeq(folder)
  let first: Entry | null = null
  let last: Entry | null = null
  for (const entry of entries(folder)) {
    if (entry.seq >= oldest) first ??= entry
    last = entry
  }
  if (first === null || last === null) return `the state is known at entry ${oldest} only`
  return `entries ${shown(first)} to ${shown(last)} can be named`
}

const shown = ({ seq, atMs }: Entry) => `${seq} (${new Date(atMs).toISOString()})`

/** The first entry at which the state is known. */
export function oldestSeq({ journal, snapshots }: DataFolder): number {
  const first = listSegments(journal)[0]?.firstSeq ?? 1
  return first === 1 ? 1 : (listSnapshots(snapshots).at(-1)?.seq ?? Number.POSITIVE_INFINITY)
}

function* entries({ journal, origin }: DataFolder): Generator<Entry> {
  const after = (listSegments(journal)[0]?.firstSeq ?? 1) - 1
  for (const frame of new JournalScan(journal, { origin, after, seal: null }).frames()) {
    const found: Entry[] = []
    eachRecord(frame, (seq, from) => found.push({ seq, atMs: recordTime(frame.bytes, from) }))
    yield* found
  }
}
