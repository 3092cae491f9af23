// A new segment: written under a name of its own, then given the one that counts. Its file is the
// one that is written to later, never opened again by name: under that name there may be another's
// by then, when this process was paused and replaced.

import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { syncFolder, unfinished } from './atomic-file.ts'
import type { DiskFile, OpenFile } from './disk-file.ts'
import { encodeSegmentHead, segmentFile } from './segment.ts'

export type SegmentBeginning = Readonly<{ folder: string; firstSeq: number; before: Buffer }>

export type SegmentOptions = Readonly<{
  openFile: OpenFile
  /** Throws when the folder is no longer ours to write to. */
  prove?: () => void
}>

export async function beginSegment(
  { folder, firstSeq, before }: SegmentBeginning,
  { openFile, prove }: SegmentOptions,
): Promise<DiskFile> {
  const path = segmentFile(folder, firstSeq)
  const temporary = `${path}.${randomUUID()}${unfinished}`
  const file = await openFile(temporary)
  try {
    await file.write([encodeSegmentHead(firstSeq, before)], 0)
    await file.sync()
    // Who takes the folder over removes what is unfinished. If the file was there already, the
    // rename fails; if it was made later, this proof does.
    prove?.()
    await rename(temporary, path)
    await syncFolder(folder)
    return file
  } catch (error) {
    await file.close().catch(() => undefined) // As broken as the write.
    await rm(temporary, { force: true })
    throw error
  }
}
