// The past in a data folder, which a running exchange may be writing.

import { readDataFolder } from '../../sequencer/data-folder.ts'
import { recover, startingPoints } from '../../sequencer/replica/recover.ts'
import { SavedStateFiles } from '../../sequencer/snapshots/saved-state-files.ts'
import type { Past } from './past.ts'

export function folderPast(path: string): Past {
  const folder = readDataFolder(path)
  return {
    stateBefore: (seq) => startingPoints(folder).find((each) => each <= seq) ?? null,
    async replay({ after, to, outcome, before, settled }) {
      const { replica, from } = await recover(folder, {
        saved: new SavedStateFiles(folder.saved),
        ...(to !== null && { to }),
        feed: { after, take: ({ outcomes }) => outcome && outcomes.forEach(outcome) },
        watch: {
          ...(before !== undefined && { before: (seq, { view }) => before(seq, view) }),
          frame: (_, { view }) => settled?.(view),
        },
      })
      return { from, view: replica.view, isUndone: (seq) => replica.isUndone(seq) }
    },
  }
}
