// Copies a data folder while trading continues. Snapshots, saved states and the mark are copied
// before the journal, so that in the copy they never refer to history that it lacks; a frame that
// was half written when it was copied is a torn tail in the copy.

import { existsSync, readdirSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { markFile } from '../journal/durable-mark.ts'
import { folderMode } from '../journal/private-folder.ts'
import { listSegments } from '../journal/segment.ts'
import { listSnapshots } from '../journal/snapshot-files.ts'
import { genesisFile, pathsOf } from './data-folder.ts'
import { keySecretFile } from './key-secret.ts'

/** The contents of a copy, in the order in which they have to be copied; names within the
 *  folder. */
export function filesToCopy(folder: string): readonly string[] {
  const { snapshots, saved, journal } = pathsOf(folder)
  const optional = [keySecretFile(folder), markFile(journal)].filter((file) => existsSync(file))
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

/** An empty folder that a copy goes into; it must not exist. */
export async function makeCopyFolder(target: string): Promise<void> {
  await mkdir(target, { mode: folderMode })
  for (const path of Object.values(pathsOf(target))) await mkdir(path, { mode: folderMode })
}

/** The target must not exist, and nothing may be removed from the folder meanwhile. */
export async function backUp(folder: string, target: string): Promise<void> {
  await makeCopyFolder(target)
  for (const name of filesToCopy(folder)) await copyFile(join(folder, name), join(target, name))
}
