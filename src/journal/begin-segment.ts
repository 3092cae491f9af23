// Creates a segment under a temporary name and renames it. Later writes use the open file, which is
// never reopened by name: if this process was paused and replaced, the name may belong to a file of
// another process.

import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { syncFolder, unfinished } from './atomic-file.ts'
import type { DiskFile, OpenFile } from './disk-file.ts'
import { encodeSegmentHead, segmentFile } from './segment.ts'

export type SegmentBeginning = Readonly<{ folder: string; firstSeq: number; before: Buffer }>

export type SegmentOptions = Readonly<{
  openFile: OpenFile
  /** Throws if this process no longer holds the folder. */
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
    // A process that takes over the folder removes temporary files. If it did so before the rename,
    // the rename fails. If it does so afterwards, this check fails.
    prove?.()
    await rename(temporary, path)
    await syncFolder(folder)
    return file
  } catch (error) {
    await file.close().catch(() => undefined) // Failed like the write.
    await rm(temporary, { force: true })
    throw error
  }
}
