// Copies a data folder while trading continues. Snapshots, saved states and the durable mark are
// copied before the journal, so that the copy never refers to entries that its journal lacks. A
// frame that was half written when it was copied becomes a torn tail of the copy.

import { existsSync, readdirSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { markFile } from '../journal/durable-mark.ts'
import { folderMode } from '../journal/private-folder.ts'
import { listSegments } from '../journal/segment.ts'
import { listSnapshots } from '../journal/snapshot-files.ts'
import { genesisFile, pathsOf } from './data-folder.ts'
import { keySecretFile } from './key-secret.ts'

/** Returns the files to copy, relative to the folder, in the required order. */
export function filesToCopy(folder: string): readonly string[] {
  const { snapshots, saved, journal } = pathsOf(folder)
  const optional = [keySecretFile(folder), join(folder, 'checkpoints'), markFile(journal)].filter(
    (file) => existsSync(file),
  )
  const savedStates = readdirSync(saved).filter((name) => name.endsWith('.snap'))
  const files = [
    genesisFile(folder),
    ...listSnapshots(snapshots).map(({ file }) => file),
    ...savedStates.map((name) => join(saved, name)),
    ...optional,
    ...listSegments(journal).map(({ file }) => file),
  ]
  return files.map((file) => relative(folder, file))
}

/** Creates the empty folder for a copy; it must not exist. */
export async function makeCopyFolder(target: string): Promise<void> {
  await mkdir(target, { mode: folderMode })
  for (const path of Object.values(pathsOf(target))) await mkdir(path, { mode: folderMode })
}

/** Copies the folder to `target`, which must not exist. Meanwhile nothing may be removed from the
 *  folder. */
export async function backUp(folder: string, target: string): Promise<void> {
  await makeCopyFolder(target)
  for (const name of filesToCopy(folder)) await copyFile(join(folder, name), join(target, name))
}
