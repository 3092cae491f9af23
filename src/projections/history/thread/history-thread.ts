// A history thread. `feed` copies the events of a batch and returns; the thread writes them and
// answers reads. Nothing here waits for the disk, and the backlog is counted. A failed thread is
// not restarted; the caller starts a new one.

import { Worker } from 'node:worker_threads'
import { lineWidth } from '../../../core/index.ts'
import type { Batch } from '../../../sequencer/outcome.ts'
import { type Chunk, ChunkWriter } from '../chunk.ts'
import type { CatchUp, FromWorker, ToWorker, WorkerStart } from './thread-messages.ts'
import { type Ask, WaitingReads } from './waiting-reads.ts'
import { WantedCommits } from './wanted-commits.ts'

/** Larger messages to the thread would delay reads. */
const chunkLines = 4_096
const gatherMs = 20

type Drain = Readonly<{ seq: number; resolve(): void }>

export type ThreadOptions = Readonly<{
  /** Time in ms that a read waits for its seq. */
  waitMs?: number | undefined
  /** Called at most once. */
  onFailure(failure: HistoryFailure): void
  /** Called with the seq of the store when it is opened, and after every commit. */
  onStored(seq: number): void
}>

export class HistoryFailure extends Error {
  /** Whether the journal no longer contains entries that the store lacks. */
  readonly isGap: boolean

  constructor(message: string, isGap = false) {
    super(message)
    this.isGap = isGap
  }
}

export class HistoryThread {
  /** Resolves when the thread answers reads. */
  readonly opened: Promise<void>
  private rejectOpened: (failure: HistoryFailure) => void = () => undefined
  private readonly worker: Worker
  private readonly options: ThreadOptions
  private readonly waiting
  private readonly commits = new WantedCommits({
    fed: () => this.fedSeq,
    begin: () => this.commit(),
  })
  private drains: Drain[] = []
  private readonly ended: Promise<void>
  private failure: HistoryFailure | null = null
  private readonly written = new ChunkWriter()
  /** Messages that the thread has not read yet, in order, and the number of their lines that
   *  belong to large commands. */
  private readonly sent: Readonly<{ chunk: Chunk; large: number }>[] = []
  private largeWritten = 0
  private largeSent = 0
  private storedSeq = 0
  private readSeq = 0
  private fedSeq: number
  private linesSent = 0
  private posting: NodeJS.Timeout | null = null
  private closing = false

  /** During a catch-up, the batches after it may be fed immediately. */
  constructor(start: WorkerStart, options: ThreadOptions, catchUp: CatchUp | null = null) {
    const url = new URL('./history-worker.js', import.meta.url)
    this.worker = new Worker(url, { workerData: { start, catchUp } })
    this.options = options
    this.waiting = new WaitingReads({ waitMs: options.waitMs, failure: () => this.failure })
    this.fedSeq = catchUp?.to ?? 0
    this.opened = new Promise((resolve, reject) => {
      this.rejectOpened = reject
      this.worker.on('message', (message: FromWorker) => {
        this.receive(message)
        if (message.kind === 'open') resolve()
      })
    })
    // Prevents an unhandled rejection: callers that do not await `opened` get the failure from
    // `onFailure`.
    this.opened.catch(() => undefined)
    this.worker.on('error', (error) => this.fail(new HistoryFailure(error.message)))
    this.ended = new Promise((resolve) => this.worker.on('exit', () => resolve()))
  }

  feed({ outcomes }: Batch): void {
    if (this.failure !== null) return
    let log = null
    let textBase = 0
    for (const outcome of outcomes) {
      if (outcome.seq <= this.fedSeq) continue
      if (outcome.log !== log) {
        log = outcome.log
        textBase = this.written.addTexts(log.texts)
      }
      this.written.add(outcome, textBase)
      const lines = (outcome.end - outcome.first) / lineWidth
      if (lines > chunkLines) this.largeWritten += lines
      this.fedSeq = outcome.seq
    }
    if (this.written.lines >= chunkLines) this.post()
    else this.postSoon()
    this.commits.goOn()
  }

  /** Sends batches after a short delay, because waking the thread for each batch would cost more
   *  than the batch itself. Reads are not delayed. */
  private postSoon(): void {
    this.posting ??= setTimeout(() => this.post(), gatherMs).unref()
  }

  private post(): void {
    if (this.posting !== null) clearTimeout(this.posting)
    this.posting = null
    if (this.written.isEmpty() || this.failure !== null) return
    const chunk = this.written.take()
    this.linesSent += chunk.lines
    this.largeSent += this.largeWritten
    this.sent.push({ chunk, large: this.largeWritten })
    this.largeWritten = 0
    this.send({ kind: 'feed', chunk })
  }

  private send(message: ToWorker): void {
    this.worker.postMessage(message)
  }

  private receive(message: FromWorker): void {
    switch (message.kind) {
      case 'open':
        this.readSeq = message.seq
        this.fedSeq = Math.max(this.fedSeq, message.seq)
        return this.setStored(message.seq)
      case 'committed':
        return this.setStored(message.seq)
      case 'reading':
        this.linesSent -= message.lines
        return
      case 'fed':
        this.readSeq = message.seq
        this.linesSent -= message.lines
        this.takeBack()
        return this.resolveDrained()
      case 'answer':
      case 'refused':
        return this.waiting.settle(message)
      case 'failed':
        return this.fail(new HistoryFailure(message.message, message.isGap))
      default:
        message satisfies never
    }
  }

  private takeBack(): void {
    const { chunk, large } = this.sent.shift()!
    this.largeSent -= large
    this.written.giveBack(chunk)
  }

  private setStored(seq: number): void {
    this.storedSeq = seq
    this.options.onStored(seq)
    this.commits.stored(seq)
  }

  /** Commits when this seq has been fed, and reports the stored seq. */
  commitTo(seq: number): void {
    if (seq <= this.storedSeq) return this.options.onStored(this.storedSeq)
    this.commits.want(seq)
  }

  private commit(): void {
    this.post()
    if (this.failure === null) this.send({ kind: 'commit' })
  }

  private fail(failure: HistoryFailure): void {
    if (this.failure !== null) return
    this.failure = failure
    this.waiting.rejectAll()
    this.resolveDrained()
    this.rejectOpened(failure)
    this.options.onFailure(failure)
  }

  private resolveDrained(): void {
    const reached = this.failure === null ? this.readSeq : Number.POSITIVE_INFINITY
    const done = this.drains.filter(({ seq }) => seq <= reached)
    this.drains = this.drains.filter(({ seq }) => seq > reached)
    for (const { resolve } of done) resolve()
  }

  readonly ask: Ask = (seq, reads, waitMs) => {
    const { read, answer } = this.waiting.add(seq, reads, waitMs)
    if (read !== null && this.failure === null) {
      this.post()
      this.send({ kind: 'read', ...read })
    } else if (read !== null) this.waiting.rejectBehind(read.id)
    return answer
  }

  seq(): number {
    return this.storedSeq
  }

  /** A failed thread has no backlog. */
  backlog(): number {
    return this.failure !== null ? 0 : this.linesSent + this.written.lines
  }

  /** The part of the backlog that belongs to single commands with very many events, which cannot
   *  be split. The whole command counts until it has been read completely. */
  largeBacklog(): number {
    return this.failure !== null ? 0 : this.largeSent + this.largeWritten
  }

  drained(): Promise<void> {
    this.post()
    const seq = this.fedSeq
    if (seq <= this.readSeq || this.failure !== null) return Promise.resolve()
    return new Promise((resolve) => this.drains.push({ seq, resolve }))
  }

  async close(): Promise<void> {
    await this.drained()
    if (this.closing) return this.ended
    this.closing = true
    if (this.failure === null) this.send({ kind: 'close' })
    else await this.worker.terminate()
    await this.ended
    this.waiting.rejectAll()
  }
}
