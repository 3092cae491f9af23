// A copy of a data folder that trading goes on in. What vouches for history (snapshots, saved
// states, the mark) is copied before history itself, so that in the copy it never vouches for more
// than is there; a frame that was half written when it was copied is a torn tail in the copy.

import { existsSync, readdirSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { markFile } from '../journal/durable-mark.ts'
import { folderMode } from '../journal/private-folder.ts'
import { listSegments } from '../journal/segment.ts'
import { listSnapshots } from '../journal/snapshot-files.ts'
import { genesisFile, pathsOf } from './data-folder.ts'
import { keySecretFile } from './key-secret.ts'

/** The target must not exist, and nothing may be removed from the folder meanwhile. */
export async function backUp(folder: string, target: string): Promise<void> {
  const from = pathsOf(folder)
  const to = pathsOf(target)
  await mkdir(target, { mode: folderMode })
  for (const path of Object.values(to)) await mkdir(path, { mode: folderMode })
  const saved = readdirSync(from.saved).filter((name) => name.endsWith('.snap'))
  await copyFile(genesisFile(folder), genesisFile(target))
  if (existsSync(keySecretFile(folder)))
    await copyFile(keySecretFile(folder), keySecretFile(target))
  for (const { file } of listSnapshots(from.snapshots))
    await copyFile(file, join(to.snapshots, basename(file)))
  for (const name of saved) await copyFile(join(from.saved, name), join(to.saved, name))
  await copyFile(markFile(from.journal), markFile(to.journal))
  for (const { file } of listSegments(from.journal))
    await copyFile(file, join(to.journal, basename(file)))
}
