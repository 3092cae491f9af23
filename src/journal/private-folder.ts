// Folders and files that only the user of the exchange may read, because they contain balances,
// digests of keys and the orders of all accounts.

import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const folderMode = 0o700
export const fileMode = 0o600

/** Creates the folder with its parents, each with `mode`, unless it exists. Node's recursive mkdir
 *  is not used, because it never returns for a path below /proc, where refusals look like missing
 *  parents. */
export function makeFolder(path: string, mode = folderMode): void {
  if (isThere(path)) return
  const above = dirname(path)
  if (above !== path) makeFolder(above, mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process has created the folder meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Creates the folder if needed. If this user owns an existing folder, it is made private together
 *  with its files, because a copy may have widened their permissions. */
export function makePrivateFolder(path: string): void {
  makeFolder(path)
  try {
    chmodSync(path, folderMode)
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const file = join(path, entry.name)
      if (entry.isFile()) closeToOthers(file)
    }
  } catch (error) {
    // A folder of another user in which we may write. Our files in it are made private all the
    // same.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}

function closeToOthers(file: string): void {
  const { mode } = statSync(file)
  if ((mode & 0o077) !== 0) chmodSync(file, mode & 0o700)
}
