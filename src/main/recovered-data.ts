// Opens the data folder and its history store, and synchronizes them. A store ahead of the journal
// (of another exchange, or an older backup) is deleted and rebuilt from the journal; if a sandbox
// no longer has the old journal, history begins with its oldest entry.

import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Genesis } from '../core/index.ts'
import type { FreeBytes } from '../journal/disk-space.ts'
import { FolderLock } from '../journal/lock/folder-lock.ts'
import {
  createHistory,
  type HistoryOptions,
  type OpenHistory,
} from '../projections/history/create-history.ts'
import {
  deleteStore,
  storeFile,
  storeOwner,
  takeOverStore,
} from '../projections/history/store-file.ts'
import { addressesOf, openingOf } from '../projections/opening.ts'
import { requireKnownFormat } from '../sequencer/data-folder.ts'
import type { FolderOptions, OpenedFolder } from '../sequencer/opened-folder.ts'
import type { Batch } from '../sequencer/outcome.ts'
import { botHistory } from '../sources/bots/bot-accounts.ts'
import { snapshotsKept, startId } from '../sources/sandbox-snapshots.ts'
import { waitForHistory } from './wait-for-history.ts'

export type RecoveredData<Data> = Readonly<{ data: Data; history: OpenHistory }>

export type DataNeeds = Readonly<{
  config: Config
  genesis: Genesis
  log: Logger
  onFatal: (error: unknown) => void
  freeBytes?: FreeBytes
}>

/** Opens the folder; in a cluster it resolves when the node knows its role. */
type Open<Data> = (options: FolderOptions) => Promise<Data>

/** The folder as opened by a leader or a follower. */
type Opened = OpenedFolder & Readonly<{ close(options: { snapshot: boolean }): Promise<void> }>

export async function recoverData<Data extends Opened>(
  needs: DataNeeds,
  open: Open<Data>,
): Promise<RecoveredData<Data>> {
  const { config, genesis, log } = needs
  requireKnownFormat(config.data)
  const { feesAddress, insuranceAddress, deficitAddress } = genesis
  const reserved = [feesAddress, insuranceAddress, deficitAddress]
  // The lock is acquired first, because another process may be using the folder.
  const lock = await FolderLock.acquire(config.data)
  const history = await storeOf(needs, reserved, lock).catch((error: unknown) => {
    lock.release()
    throw error
  })
  const feed = new Feed(history, log)
  let data: Data
  try {
    data = await open(folderOptions(needs, feed, lock))
  } catch (error) {
    await history.close()
    throw error
  }
  await waitForHistory(history, log)
  const { seq } = data
  const hasGap = feed.hasGap || feed.reached < seq
  if (feed.reached <= seq && !hasGap) return lasting(needs, data, history)
  await history.close()
  deleteStore(config.data)
  if (hasGap) {
    log.warn(
      `history begins again after entry ${seq}: earlier entries are no longer in the journal`,
    )
    const { reserved: addresses, ...begun } = beginningAt(data)
    return lasting(needs, data, await openHistory(needs, addresses, begun))
  }
  log.warn('the history store was ahead of the journal and is being rebuilt')
  await data.close({ snapshot: false })
  return recoverData(needs, open)
}

async function storeOf(
  needs: DataNeeds,
  reserved: readonly string[],
  { tookOver }: FolderLock,
): Promise<OpenHistory> {
  if (tookOver) await takeOverStore(needs.config.data)
  return openHistory(needs, reserved)
}

/** Returns the initial facts of a store that begins with the newest entry. */
function beginningAt({ seq, view }: OpenedFolder) {
  return { reserved: addressesOf(view), fromSeq: seq, opening: openingOf(view) }
}

function lasting<Data extends Opened>(
  { config }: DataNeeds,
  data: Data,
  history: OpenHistory,
): RecoveredData<Data> {
  history.lastsBy({
    folder: config.data,
    seq: () => data.seq,
    beginning: () => beginningAt(data),
  })
  return { data, history }
}

/** Passes recovered entries to the store, unless there is a gap between them. */
class Feed {
  hasGap = false
  private readonly history: OpenHistory
  private readonly log: Logger
  private last: number

  constructor(history: OpenHistory, log: Logger) {
    this.history = history
    this.log = log
    this.last = history.seq()
  }

  /** The newest entry that the store has read or received. */
  get reached(): number {
    return this.last
  }

  /** Adds a batch. Waits if the backlog is large, because the journal is read faster than history
   *  is written. */
  async take(batch: Batch): Promise<void> {
    const first = batch.outcomes[0]
    if (first === undefined || this.hasGap) return
    this.hasGap = first.seq > this.last + 1
    this.last = batch.outcomes.at(-1)!.seq
    if (this.hasGap) return
    this.history.feed(batch)
    if (this.history.behind()) await waitForHistory(this.history, this.log)
  }
}

function openHistory(
  { config, log }: DataNeeds,
  reserved: readonly string[],
  begun: Pick<HistoryOptions, 'fromSeq' | 'opening'> = {},
): Promise<OpenHistory> {
  return createHistory({
    file: storeFile(config.data),
    exchange: storeOwner,
    journalSeq: Number.MAX_SAFE_INTEGER,
    reserved,
    ...begun,
    churn: botHistory,
    onWarning: (text) => log.warn(text),
  })
}

function folderOptions(needs: DataNeeds, feed: Feed, lock: FolderLock): FolderOptions {
  const { config, genesis, log, onFatal, freeBytes } = needs
  return {
    folder: config.data,
    lock,
    genesis,
    keep: config.mode,
    acceptMissingMark: config.acceptMissingMark,
    onFatal,
    onWarning: (text) => log.warn(text),
    savedStates: { keptMax: snapshotsKept, pinned: startId },
    feed: { after: feed.reached, take: (batch) => feed.take(batch) },
    snapshotEntries: config.snapshotCommands,
    ...(freeBytes !== undefined && { freeBytes }),
  }
}
