// A hash of all files of a folder, with their names: equal only if no byte was changed.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `except`: names of files to leave out. */
export function folderHash(folder: string, except = /^$/): string {
  const hash = createHash('sha256')
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !except.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  for (const name of names.sort()) hash.update(`${name}\n`).update(readFileSync(name))
  return hash.digest('hex')
}
