// Checks whether a start would succeed with a data folder. It takes the same steps with the same
// files, but locks, truncates and writes nothing, so an exchange may run on the folder meanwhile.

import { readDataFolder, requireGenesis } from '../data-folder.ts'
import { SavedStateFiles } from '../snapshots/saved-state-files.ts'
import { recover } from './recover.ts'

/** Returns the seq that a start would reach; `null` for a new folder. Throws the error that a start
 *  would throw. */
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
