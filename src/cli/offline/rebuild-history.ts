// Rebuilds the history store of a data folder from its journal. The folder is locked during that,
// because a running exchange maintains the store itself.

import { FolderLock } from '../../journal/lock/folder-lock.ts'
import { listSegments } from '../../journal/segment.ts'
import { listSnapshots } from '../../journal/snapshot-files.ts'
import { HistoryStore } from '../../projections/history/store.ts'
import {
  deleteStore,
  retentionOf,
  storeFile,
  storeOwner,
} from '../../projections/history/store-file.ts'
import { feedStore } from '../../projections/history/thread/catch-up.ts'
import { addressesOf, openingOf } from '../../projections/opening.ts'
import { type DataFolder, readDataFolder } from '../../sequencer/data-folder.ts'
import type { Batch } from '../../sequencer/outcome.ts'
import { recover } from '../../sequencer/replica/recover.ts'
import { SavedStateFiles } from '../../sequencer/snapshots/saved-state-files.ts'
import { botHistory } from '../../sources/bots/bot-accounts.ts'

export type Rebuilt = Readonly<{
  /** Seq after which history begins; 0 unless the journal's beginning was removed. */
  fromSeq: number
  seq: number
  events: number
}>

export type RebuildOptions = Readonly<{
  onProgress(progress: Rebuilt): void
  onWarning(text: string): void
}>

/** Number of events per transaction. */
const commitEvents = 50_000

export async function rebuildHistory(folder: string, options: RebuildOptions): Promise<Rebuilt> {
  const lock = await FolderLock.acquire(folder)
  try {
    return await rebuildLocked(folder, options)
  } finally {
    lock.release()
  }
}

async function rebuildLocked(
  path: string,
  { onProgress, onWarning }: RebuildOptions,
): Promise<Rebuilt> {
  const onFed = (rebuilt: Rebuilt) => onProgress(rebuilt)
  const { store, rebuilt } = await filledStore(path, { file: storeFile(path), onFed, onWarning })
  store.close()
  return rebuilt
}

type Filling = Readonly<{
  /** A file is replaced. */
  file: string
  /** Last entry (default: the newest). */
  to?: number
  onFed?(rebuilt: Rebuilt): void
  onWarning?(text: string): void
}>

/** A store with everything that the journal has. */
export async function filledStore(
  path: string,
  { file, to, onFed, onWarning = () => undefined }: Filling,
): Promise<Readonly<{ store: HistoryStore; rebuilt: Rebuilt }>> {
  const folder = readDataFolder(path)
  const { store, fromSeq } = await newStore(path, folder, file)
  let events = 0
  let uncommitted = 0
  const rebuilt = () => ({ fromSeq, seq: store.seq, events })
  const take = (batch: Batch) => {
    const fed = feedStore(store, batch)
    events += fed
    uncommitted += fed
    if (uncommitted < commitEvents) return
    store.commit()
    uncommitted = 0
    onFed?.(rebuilt())
  }
  try {
    const saved = new SavedStateFiles(folder.saved)
    const last = to === undefined ? {} : { to }
    await recover(folder, { saved, onWarning, ...last, feed: { after: fromSeq, take } })
  } catch (error) {
    store.close()
    throw error
  }
  return { store, rebuilt: rebuilt() }
}

/** Creates a store that is empty, or has the balances at the beginning of the remaining journal. */
async function newStore(path: string, folder: DataFolder, file: string) {
  const { feesAddress, insuranceAddress, deficitAddress } = folder.genesis
  const base = {
    file,
    exchange: storeOwner,
    journalSeq: Number.MAX_SAFE_INTEGER,
    reserved: [feesAddress, insuranceAddress, deficitAddress],
    retention: retentionOf({ churn: botHistory }),
  }
  const replace = () => file !== ':memory:' && deleteStore(path)
  const [oldest] = listSegments(folder.journal)
  if (oldest === undefined || oldest.firstSeq === 1) {
    replace()
    return { store: new HistoryStore(base), fromSeq: 0 }
  }
  const { seq, view } = await oldestView(folder, oldest.firstSeq)
  replace()
  const begun = { ...base, reserved: addressesOf(view), fromSeq: seq, opening: openingOf(view) }
  return { store: new HistoryStore(begun), fromSeq: seq }
}

async function oldestView(folder: DataFolder, firstSeq: number) {
  const saved = new SavedStateFiles(folder.saved)
  const files = listSnapshots(folder.snapshots).filter(({ seq }) => seq >= firstSeq - 1)
  for (const { seq } of [...files].reverse()) {
    const { replica } = await recover(folder, { saved, to: seq })
    if (replica.seq === seq) return { seq, view: replica.view }
  }
  throw new Error(`no snapshot in ${folder.snapshots} is as old as the journal that is left`)
}
