// Takes over a journal from another host, whose process may only be paused. That process still has
// the files open. Files that it may write to are therefore replaced by copies under the same names,
// so that its later writes go to files that are no longer read. Its temporary files are removed
// first, so that a segment in progress never gets its name.

import { existsSync, readFileSync } from 'node:fs'
import { removeUnfinished, writeAtomically } from './atomic-file.ts'
import { markFile } from './durable-mark.ts'
import { listSegments } from './segment.ts'

/** Must be called before the journal is read. */
export async function takeOverJournal(folder: string): Promise<void> {
  removeUnfinished(folder)
  const newest = listSegments(folder).at(-1)
  const files = newest === undefined ? [] : [newest.file]
  for (const file of [...files, markFile(folder)])
    if (existsSync(file)) await writeAtomically(file, [readFileSync(file)])
}
