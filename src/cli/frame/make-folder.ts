// Creates a folder with its parents. Node's recursive mkdir never returns for a path below /proc,
// where refusals look like missing parents.

import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { CliError } from './exit-codes.ts'

/** `mode` is that of each new folder. */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    makeMissing(path, mode)
  } catch (error) {
    const { message } = error as Error
    const hint = 'name a folder in a place where you may create one'
    throw new CliError('refused', `${path} cannot be created: ${message}`, { hint, cause: error })
  }
}

function makeMissing(path: string, mode: number): void {
  if (isFolder(path)) return
  const above = dirname(path)
  if (above !== path) makeMissing(above, mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process has created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
