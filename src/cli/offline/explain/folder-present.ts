// The newest state in a data folder, with a history up to it: the folder's store if it is that new,
// otherwise one in memory from the journal.

import type { Present } from '../../../projections/explain/pending-order.ts'
import { historyOf } from '../../../projections/history/history-of.ts'
import { StoreReader } from '../../../projections/history/reader/store-reader.ts'
import { type ReadName, rowsOf } from '../../../projections/history/reads.ts'
import type { Packed } from '../../../projections/history/rows/wire-row.ts'
import { storeFile } from '../../../projections/history/store-file.ts'
import { readDataFolder } from '../../../sequencer/data-folder.ts'
import { recover } from '../../../sequencer/replica/recover.ts'
import { SavedStateFiles } from '../../../sequencer/snapshots/saved-state-files.ts'
import { filledStore } from '../rebuild-history.ts'

type Store = Readonly<{
  read(name: ReadName, args: readonly unknown[]): Packed
  close(): void
}>

export async function openPresent(
  path: string,
): Promise<Readonly<{ present: Present; close(): void }>> {
  const folder = readDataFolder(path)
  const { replica } = await recover(folder, { saved: new SavedStateFiles(folder.saved) })
  const { seq, view } = replica
  const store = storeAt(path, seq) ?? (await filledStore(path, { file: ':memory:', to: seq })).store
  const history = historyOf(async (_, name, ...args) => rowsOf(name, store.read(name, args)))
  return { present: { view, seq, history }, close: () => store.close() }
}

/** The folder's store, if it has this seq and no later one; otherwise `null`. */
function storeAt(path: string, seq: number): Store | null {
  try {
    const reader = new StoreReader({ file: storeFile(path) })
    if (reader.inTransaction((stored) => stored) === seq) return reader
    reader.close()
  } catch {
    // There is no store, or none of this version: one is made from the journal.
  }
  return null
}
