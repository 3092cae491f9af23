// Checks whether a start would open a data folder: the same steps over the same files, with nothing
// locked, truncated or written. An exchange may run on the folder meanwhile.

import { readDataFolder, requireGenesis } from '../data-folder.ts'
import { SavedStateFiles } from '../snapshots/saved-state-files.ts'
import { recover } from './recover.ts'

/** The seq that a start would reach; `null` for a new folder. Throws the error of such a start. */
export async function reachableSeq(
  folder: string,
  acceptMissingMark: boolean,
): Promise<number | null> {
  if (!requireGenesis(folder)) return null
  const opened = readDataFolder(folder)
  const { replica } = await recover(opened, {
    saved: new SavedStateFiles(opened.saved),
    requireMark: !acceptMissingMark,
  })
  return replica.seq
}
