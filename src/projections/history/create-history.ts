// History as used by the trading thread. It is fed without waiting, read by queries, and restarted
// when its store fails. The backlog is counted, so that the exchange can slow down its callers
// before memory runs out.

import type { Batch } from '../../sequencer/outcome.ts'
import { type Keep, retentionOf } from './store-file.ts'
import type { Opening } from './tables/balances.ts'
import type { HistoryThread } from './thread/history-thread.ts'
import { LastingThread, type StoredJournal } from './thread/lasting-thread.ts'
import { type RemoteHistory, remoteHistory } from './thread/remote-history.ts'
import type { WorkerStart } from './thread/thread-messages.ts'

export type HistoryOptions = Keep &
  Readonly<{
    /** Path of the database, or ':memory:'. */
    file: string
    /** Id of the exchange. A store of another exchange is deleted. */
    exchange: string
    /** The newest seq of the journal. A store that is ahead of it is deleted. */
    journalSeq: number
    /** Addresses of the initial accounts of an exchange (fees, insurance, deficit), by id from
     *  1. */
    reserved: readonly string[]
    /** A new store starts after this seq, because the journal no longer has earlier entries. */
    fromSeq?: number
    /** Balances and positions of accounts at `fromSeq`. */
    opening?: Opening
    /** Time in milliseconds that a read waits for its seq. */
    waitMs?: number
    /** Called with messages for operators when the store fails, and when it is available again. */
    onWarning?: (text: string) => void
  }>

export type OpenHistory = RemoteHistory &
  Readonly<{
    /** Feeds a durable batch without waiting. Outcomes that were fed before are skipped. */
    feed(batch: Batch): void
    /** The newest seq that is certainly stored. After a start, feeding continues with the next
     *  seq. At run time it is about a second behind the data that can be read. */
    seq(): number
    /** Number of fed lines of events that cannot be read yet. */
    backlog(): number
    /** Whether the backlog is so large that no more orders should be accepted. */
    behind(): boolean
    /** Resolves when all fed outcomes can be read. Used when a complete journal is fed. */
    drained(): Promise<void>
    /** For processes that read the file (reader/). Commits as soon as this seq has been read,
     *  instead of within a second, and notifies the listeners. A reader that is not notified
     *  repeats the call. */
    commitTo(seq: number): void
    /** Registers a listener for each committed seq. A lower seq than before means that the store
     *  was rebuilt. */
    onStored(listener: (seq: number) => void): void
    /** What is wrong with the store; `null` if it can be read. */
    missing(): string | null
    /** From now on, a failed store is restarted and catches up from this journal. */
    lastsBy(journal: StoredJournal): void
    close(): Promise<void>
  }>

const backlogMax = 200_000
/** Maximum size of the backlog, about 256 MB. */
const linesMax = 4_000_000

/** Whether the backlog is too large. A single command may add more than the limit, and all
 *  commands would then be refused until it is read. Therefore such a command raises the limit by
 *  twice its size. */
function isBehind(thread: HistoryThread): boolean {
  return thread.backlog() > Math.min(linesMax, backlogMax + 2 * thread.largeBacklog())
}

/** Opens the store and starts its thread. */
export async function createHistory(options: HistoryOptions): Promise<OpenHistory> {
  const { file, exchange, journalSeq, reserved, fromSeq = 0, opening } = options
  const retention = retentionOf(options)
  const place = { file, exchange, journalSeq, reserved, fromSeq, retention }
  const start: WorkerStart = { ...place, ...(opening === undefined ? {} : { opening }) }
  const lasting = new LastingThread(start, options)
  await lasting.thread.opened
  return {
    ...remoteHistory((...args) => lasting.thread.ask(...args)),
    feed: (batch) => lasting.thread.feed(batch),
    seq: () => lasting.thread.seq(),
    backlog: () => lasting.thread.backlog(),
    behind: () => isBehind(lasting.thread),
    drained: () => lasting.thread.drained(),
    commitTo: (seq) => lasting.thread.commitTo(seq),
    onStored: (listener) => lasting.onStored(listener),
    missing: () => lasting.missing(),
    lastsBy: (journal) => lasting.lastsBy(journal),
    close: () => lasting.close(),
  }
}
