// Deletes snapshots that newer ones replace, and segments that no kept snapshot needs. Only the
// oldest segments are deleted, so that the remaining ones have no gap.

import { rm } from 'node:fs/promises'
import { listSegments } from './segment.ts'
import { listSnapshots } from './snapshot-files.ts'

export const snapshotsKept = 3
/** Number of additional segments that are kept for later analysis. */
const segmentsSpare = 2

export async function pruneSnapshots(folder: string, kept: number = snapshotsKept): Promise<void> {
  const files = listSnapshots(folder)
  for (const { file } of files.slice(kept)) await rm(file, { force: true })
}

/** Deletes segments, except those with a record after `seq` and two more. */
export async function pruneSegments(folder: string, seq: number): Promise<void> {
  const segments = listSegments(folder)
  const needed = segments.findLastIndex(({ firstSeq }) => firstSeq <= seq + 1)
  for (const { file } of segments.slice(0, Math.max(0, needed - segmentsSpare)))
    await rm(file, { force: true })
}
