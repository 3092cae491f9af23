// Writes files that exist completely or not at all. A file is written under a temporary name,
// synced and renamed. Then the folder is synced, so that the new name survives a power failure.

import { readdirSync, rmSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileMode } from './private-folder.ts'

/** Suffix of files that are being written. Such a file is a leftover if found at a start. */
export const unfinished = '.tmp'

/** Files are synced in slices, because syncing a large file in one step would delay the journal. */
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
    await file.close().catch(() => undefined) // Already closed, or failed like the write.
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

/** Removes temporary files. Requires the folder lock, because then no other process writes such
 *  files. */
export function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) if (name.endsWith(unfinished)) rmSync(join(folder, name))
}

export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, but makes names durable by itself.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Syncs a folder with everything in it. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await syncTree(path)
    else await syncFile(path)
  }
  await syncFolder(folder)
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
