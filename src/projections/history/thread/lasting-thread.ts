// The current history thread. When its store fails, for example because the disk is full, another
// thread is started after a while. It opens the same store and catches up from the journal. Trading
// continues meanwhile, and reads are refused with a retry hint. A damaged store is rebuilt.

import { deleteStoreFile } from '../store-file.ts'
import { type HistoryFailure, HistoryThread, type ThreadOptions } from './history-thread.ts'
import type { WorkerStart } from './thread-messages.ts'

/** The journal from which a failed store catches up. */
export type StoredJournal = Readonly<{
  /** The data folder. */
  folder: string
  /** Seq of the newest durable entry. */
  seq(): number
  /** Start of a partial history, if the journal does not contain older entries. */
  beginning(): Pick<WorkerStart, 'fromSeq' | 'reserved' | 'opening'>
}>

export type LastingOptions = Pick<ThreadOptions, 'waitMs'> &
  Readonly<{ onWarning?: (text: string) => void }>

const firstDelayMs = 500
const delayMsMax = 15_000

export class LastingThread {
  thread: HistoryThread
  private start: WorkerStart
  private readonly options: LastingOptions
  private journal: StoredJournal | null = null
  private failure: HistoryFailure | null = null
  private delayMs = firstDelayMs
  private restart: NodeJS.Timeout | null = null
  private readonly storedListeners: ((seq: number) => void)[] = []
  private closing = false

  constructor(start: WorkerStart, options: LastingOptions) {
    this.start = start
    this.options = options
    this.thread = new HistoryThread(start, this.threadOptions())
  }

  lastsBy(journal: StoredJournal): void {
    this.journal = journal
    if (this.failure !== null) this.startSoon()
  }

  missing(): string | null {
    return this.failure === null ? null : `history is being restarted: ${this.failure.message}`
  }

  onStored(listener: (seq: number) => void): void {
    this.storedListeners.push(listener)
  }

  async close(): Promise<void> {
    this.closing = true
    if (this.restart !== null) clearTimeout(this.restart)
    await this.thread.close()
  }

  private threadOptions(): ThreadOptions {
    return {
      waitMs: this.options.waitMs,
      onFailure: (failure) => this.failed(failure),
      onStored: (seq) => {
        for (const listener of this.storedListeners) listener(seq)
      },
    }
  }

  private failed(failure: HistoryFailure): void {
    this.failure = failure
    if (this.closing) return
    this.options.onWarning?.(`the history store failed: ${failure.message}`)
    if (this.journal !== null) this.startSoon()
  }

  private startSoon(): void {
    this.restart ??= setTimeout(() => {
      this.restart = null
      this.startAgain().catch((error: Error) => this.options.onWarning?.(error.message))
    }, this.delayMs).unref()
    this.delayMs = Math.min(2 * this.delayMs, delayMsMax)
  }

  private async startAgain(): Promise<void> {
    // The failed thread must close the file first.
    await this.thread.close()
    if (this.closing) return
    const { folder, seq, beginning } = this.journal!
    const { isGap, message } = this.failure!
    if (isGap) this.start = { ...this.start, ...beginning() }
    if (isGap || isDamage(message)) deleteStoreFile(this.start.file)
    const to = seq()
    // Started in the same turn in which `to` was read, so that no batch is missed between the
    // journal and feeding.
    this.thread = new HistoryThread(this.start, this.threadOptions(), { folder, to })
    const { thread } = this
    thread.opened.then(
      () => this.opened(thread),
      // `failed` handles the error and retries.
      () => undefined,
    )
  }

  private opened(thread: HistoryThread): void {
    if (thread !== this.thread) return
    this.failure = null
    this.delayMs = firstDelayMs
    this.options.onWarning?.(`the history store is whole again, up to entry ${thread.seq()}`)
  }
}

/** Whether the store is damaged. A damaged store remains unreadable, so that it must be rebuilt. */
function isDamage(message: string): boolean {
  return /malformed|not a database|corrupt/i.test(message)
}
