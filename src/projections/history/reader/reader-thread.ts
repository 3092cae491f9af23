// History for a process that does not write it. A read waits here until its seq is stored, which is
// requested from the writer. Then the thread that has the file open answers it. If the file is
// rebuilt or the thread exits, unanswered reads are repeated until they time out.

import { Worker } from 'node:worker_threads'
import type { ReadRequest } from '../thread/thread-messages.ts'
import { type Ask, WaitingReads } from '../thread/waiting-reads.ts'
import type { FromReader, ToReader } from './reader-messages.ts'
import type { ReaderStart } from './store-reader.ts'

export type ReaderOptions = Readonly<{
  /** Time in milliseconds that a read waits for its seq. */
  waitMs?: number | undefined
  /** Requests from the writer that this seq is stored. */
  want(seq: number): void
  /** Resolves when this process has applied this seq. Answers are not returned earlier, so that
   *  later data of this process is never older. */
  reached(seq: number): Promise<void>
}>

/** Interval between repeated requests. A request or its answer may be lost when a thread exits. */
const wantAgainMs = 50
const restartMs = 500

export class ReaderThread {
  private readonly start: ReaderStart
  private readonly options: ReaderOptions
  private readonly waiting
  /** Ids of the reads that were sent to the thread and have no answer yet. */
  private readonly sent = new Set<number>()
  private worker: Worker
  private exited: Promise<void> = Promise.resolve()
  private storedSeq = 0
  private wantedSeq = 0
  private failure: Error | null = new Error('the store is being opened')
  private wanting: NodeJS.Timeout | null = null
  private restart: NodeJS.Timeout | null = null
  private closing = false
  private tries: (() => void)[] = []

  constructor(start: ReaderStart, options: ReaderOptions) {
    this.start = start
    this.options = options
    this.waiting = new WaitingReads({ waitMs: options.waitMs, failure: () => this.failure })
    this.worker = this.startWorker()
  }

  private startWorker(): Worker {
    const url = new URL('./reader-worker.js', import.meta.url)
    const worker = new Worker(url, { workerData: this.start })
    worker.on('message', (message: FromReader) => this.receive(message))
    worker.on('error', (error) => this.miss(error))
    this.exited = new Promise((resolve) => {
      worker.on('exit', () => {
        this.ended()
        resolve()
      })
    })
    return worker
  }

  /** What is wrong with the store; `null` if it can be read. */
  missing(): string | null {
    return this.failure === null ? null : `history cannot be read: ${this.failure.message}`
  }

  readonly ask: Ask = (seq, reads, waitMs) => {
    const { read, answer } = this.waiting.add(seq, reads, waitMs)
    if (read !== null) this.pass(read)
    return answer
  }

  stored(seq: number): void {
    this.storedSeq = seq
    for (const read of this.waiting.requests()) if (!this.sent.has(read.id)) this.pass(read)
  }

  private pass(read: ReadRequest): void {
    if (this.closing) this.waiting.rejectBehind(read.id)
    else if (read.seq > this.storedSeq) this.want(read.seq)
    else if (this.failure === null) {
      this.sent.add(read.id)
      this.send({ kind: 'read', ...read })
    }
  }

  private want(seq: number): void {
    this.wantLater()
    if (seq <= this.wantedSeq) return
    this.wantedSeq = seq
    this.options.want(seq)
  }

  private wantLater(): void {
    this.wanting ??= setTimeout(() => this.wantAgain(), wantAgainMs).unref()
  }

  private wantAgain(): void {
    this.wanting = null
    this.wantedSeq = 0
    const wanted = Math.max(0, ...this.waiting.requests().map(({ seq }) => seq))
    if (wanted > this.storedSeq) this.want(wanted)
  }

  private send(message: ToReader): void {
    this.worker.postMessage(message)
  }

  private receive(message: FromReader): void {
    switch (message.kind) {
      case 'open':
        this.failure = null
        this.stored(message.seq)
        return this.resolveTried()
      case 'missing':
        this.miss(new Error(message.message))
        return this.resolveTried()
      case 'answer':
        this.storedSeq = Math.max(this.storedSeq, message.seq)
        this.give(message)
        return
      case 'refused':
        this.sent.delete(message.id)
        return this.waiting.settle(message)
      case 'behind':
        // The stored seq belonged to a deleted file. It is requested again, but not immediately,
        // because the writer may not have noticed yet.
        this.storedSeq = Math.min(this.storedSeq, message.seq)
        this.sent.delete(message.id)
        return this.wantLater()
      case 'dropped':
        this.sent.delete(message.id)
        return
      default:
        message satisfies never
    }
  }

  private async give(answer: Extract<FromReader, { kind: 'answer' }>): Promise<void> {
    try {
      await this.options.reached(answer.seq)
      this.waiting.settle(answer)
    } catch {
      // This process has not applied the seq of the answer. The caller retries.
      this.waiting.rejectBehind(answer.id)
    }
    this.sent.delete(answer.id)
  }

  /** Records that the store cannot be read. Reads in progress are repeated when it can. */
  private miss(failure: Error): void {
    this.failure = failure
    this.sent.clear()
  }

  private ended(): void {
    this.miss(this.failure ?? new Error('its thread has ended'))
    this.resolveTried()
    if (this.closing) return
    this.restart = setTimeout(() => {
      this.worker = this.startWorker()
    }, restartMs).unref()
  }

  /** Resolves after the next attempt to open the store. */
  tried(): Promise<void> {
    return new Promise((resolve) => this.tries.push(resolve))
  }

  private resolveTried(): void {
    for (const resolve of this.tries.splice(0)) resolve()
  }

  reopen(): Promise<void> {
    this.miss(new Error('the store is being opened again'))
    this.send({ kind: 'reopen' })
    return this.tried()
  }

  async close(): Promise<void> {
    this.closing = true
    if (this.wanting !== null) clearTimeout(this.wanting)
    if (this.restart !== null) clearTimeout(this.restart)
    this.send({ kind: 'close' })
    await this.exited
    this.waiting.rejectAll()
  }
}
