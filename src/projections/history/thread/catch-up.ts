// Brings a store up to date with the journal of its exchange, by replaying the missing entries from
// the newest snapshot before them.

import { readDataFolder } from '../../../sequencer/data-folder.ts'
import type { Batch } from '../../../sequencer/outcome.ts'
import { recover } from '../../../sequencer/replica/recover.ts'
import { SavedStateFiles } from '../../../sequencer/snapshots/saved-state-files.ts'
import { ChunkWriter } from '../chunk.ts'
import type { HistoryStore } from '../store.ts'
import { JournalGap } from './journal-gap.ts'
import type { CatchUp } from './thread-messages.ts'

/** Number of events per transaction. */
const commitEvents = 50_000

export async function catchUp(store: HistoryStore, { folder, to }: CatchUp): Promise<void> {
  const data = readDataFolder(folder)
  const after = store.seq
  let uncommitted = 0
  const take = (batch: Batch) => {
    const first = batch.outcomes[0]?.seq ?? 0
    if (first > store.seq + 1)
      throw new JournalGap(`entries ${store.seq + 1} to ${first - 1} are no longer in the journal`)
    uncommitted += feedStore(store, batch)
    if (uncommitted < commitEvents) return
    store.commit()
    uncommitted = 0
  }
  await recover(data, { saved: new SavedStateFiles(data.saved), to, feed: { after, take } })
  store.commit()
}

/** Feeds a batch; returns its number of lines. */
export function feedStore(store: HistoryStore, { outcomes }: Batch): number {
  const [first] = outcomes
  if (first === undefined) return 0
  const writer = new ChunkWriter()
  const base = writer.addTexts(first.log.texts)
  for (const outcome of outcomes) writer.add(outcome, base)
  const chunk = writer.take()
  store.ingest(chunk)
  return chunk.lines
}
