// A journal taken over from another host, whose process may only be paused. What that process has
// open are files, not names: the files that are still written to are replaced by copies under the
// same names, so that whatever it writes when it wakes up goes to files that are not read. Its
// unfinished files are removed first: a segment that it was about to begin never gets its name.

import { existsSync, readFileSync } from 'node:fs'
import { removeUnfinished, writeAtomically } from './atomic-file.ts'
import { markFile } from './durable-mark.ts'
import { listSegments } from './segment.ts'

/** Before the journal is read. */
export async function takeOverJournal(folder: string): Promise<void> {
  removeUnfinished(folder)
  const newest = listSegments(folder).at(-1)
  const files = newest === undefined ? [] : [newest.file]
  for (const file of [...files, markFile(folder)])
    if (existsSync(file)) await writeAtomically(file, [readFileSync(file)])
}
