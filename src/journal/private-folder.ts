// Folders and files that only the user of the exchange may read: they contain balances, digests of
// keys and the orders of all accounts.

import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const folderMode = 0o700
export const fileMode = 0o600

/** With the folders above it, unless it exists; `mode` is of each new one. Node's own way never
 *  returns where a folder is refused as if the one above it were missing, as below /proc. */
export function makeFolder(path: string, mode = folderMode): void {
  if (isThere(path)) return
  const above = dirname(path)
  if (above !== path) makeFolder(above, mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process has created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Made when it is not there; one that is there is closed to others with the files in it (a copy
 *  may have opened them), if it is ours to close. */
export function makePrivateFolder(path: string): void {
  makeFolder(path)
  try {
    chmodSync(path, folderMode)
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const file = join(path, entry.name)
      if (entry.isFile()) closeToOthers(file)
    }
  } catch (error) {
    // Another user's, who lets us write there: what we make in it is closed all the same.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}

function closeToOthers(file: string): void {
  const { mode } = statSync(file)
  if ((mode & 0o077) !== 0) chmodSync(file, mode & 0o700)
}
