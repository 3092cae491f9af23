// History as seen by the trading thread: fed without waiting, read by queries, and restarted when
// its store fails. The backlog is counted, so that the exchange can slow down its callers before
// memory runs out.

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
    /** The exchange of this history: a store of another exchange is deleted. */
    exchange: string
    /** The newest seq of the journal: a store that has read beyond it is deleted. */
    journalSeq: number
    /** Addresses of the accounts of a new exchange, by id from 1 (fees, insurance, deficit). */
    reserved: readonly string[]
    /** A new store begins after this seq; earlier history was removed. */
    fromSeq?: number
    /** With `fromSeq`: the balances and positions of accounts at that time. */
    opening?: Opening
    /** Time in ms that a read waits for its seq. */
    waitMs?: number
    /** Called with messages for operators: the store failed, or is available again. */
    onWarning?: (text: string) => void
  }>

export type OpenHistory = RemoteHistory &
  Readonly<{
    /** Feeds a durable batch; outcomes that were fed before are skipped. Never waits. */
    feed(batch: Batch): void
    /** The newest seq that is certainly stored. After a start, feeding continues with the next one;
     *  at run time it lags about a second behind what can be read. */
    seq(): number
    /** Lines of events fed that cannot be read yet. */
    backlog(): number
    /** Whether the backlog is so large that no more orders should be accepted. */
    behind(): boolean
    /** Resolves when everything fed so far can be read. Used when a whole journal is fed. */
    drained(): Promise<void>
    /** For processes that read the file (reader/): commits as soon as this seq has been read,
     *  instead of within a second, and notifies the listeners. A reader repeats the call if it is
     *  not notified. */
    commitTo(seq: number): void
    /** Calls the listener with each committed seq from now on. A lower one than before means that
     *  the store was rebuilt. */
    onStored(listener: (seq: number) => void): void
    /** What is wrong with the store; `null` if it can be read. */
    missing(): string | null
    /** Restarts a failing store from now on, from this journal. */
    lastsBy(journal: StoredJournal): void
    close(): Promise<void>
  }>

const backlogMax = 200_000
/** Maximum size of the backlog: 256 MB. */
const linesMax = 4_000_000

/** A single command may add more than the usual limit of the backlog, and all commands would be
 *  refused until it is read. So it raises the limit by twice its size, to leave room for others. */
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
