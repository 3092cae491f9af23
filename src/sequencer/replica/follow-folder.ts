// Creates a follower from the contents of the leader's own folder, which it only reads.

import { JournalFault } from '../../journal/journal-fault.ts'
import type { ChainEnd } from '../../journal/store/frame-store.ts'
import { readDataFolder } from '../data-folder.ts'
import type { SavedStates } from '../ports.ts'
import { SavedStateFiles } from '../snapshots/saved-state-files.ts'
import { Follower } from './follower.ts'
import { recover } from './recover.ts'

/** Starts at the end of the frame with this seq, and publishes later entries. */
export async function followFolder(folder: string, { seq }: ChainEnd): Promise<Follower> {
  const opened = readDataFolder(folder)
  const saved = savedIn(opened.saved)
  const { replica } = await recover(opened, { saved, to: seq })
  if (replica.seq !== seq)
    throw new JournalFault(
      'JOURNAL_DAMAGED',
      `${folder} holds history up to seq ${replica.seq}, and its leader is at ${seq}`,
    )
  return new Follower(replica, { saved, completeSaved: false, publishAfter: seq })
}

/** The states that the leader had saved at the time of the call. */
function savedIn(folder: string): SavedStates {
  const now = () => new SavedStateFiles(folder)
  return {
    place: folder,
    list: () => now().list(),
    has: (id, seq) => now().has(id, seq),
    load: (id, before) => now().load(id, before),
    save: () => Promise.reject(new Error(`saved states in ${folder} are the leader's to make`)),
    used: () => undefined,
  }
}
