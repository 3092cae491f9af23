// Files that exist completely or not at all: written under another name, synced, renamed, and the
// folder synced, so that the name survives a power cut as well.

import { readdirSync, rmSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileMode } from './private-folder.ts'

/** Suffix of files that are being written; one found at a start is a leftover. */
export const unfinished = '.tmp'

/** Synced in slices: syncing a large file in one step would delay the journal. */
const sliceBytes = 1_024 * 1_024

export async function writeAtomically(path: string, parts: readonly Uint8Array[]): Promise<void> {
  const temporary = path + unfinished
  const file = await open(temporary, 'w', fileMode)
  try {
    for (const part of parts)
      for (let at = 0; at < part.length; at += sliceBytes) {
        await file.writeFile(part.subarray(at, at + sliceBytes))
        if (at + sliceBytes < part.length) await file.datasync()
      }
    await file.sync()
    await file.close()
    await rename(temporary, path)
  } catch (error) {
    await file.close().catch(() => undefined) // Closed already, or as broken as the write.
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

/** Only for the holder of the lock, because no other process writes such files then. */
export function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) if (name.endsWith(unfinished)) rmSync(join(folder, name))
}

export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, and makes names durable by itself.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
