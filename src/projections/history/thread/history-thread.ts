// One history thread: `feed` copies what a batch told and returns; the thread writes it and answers
// reads. Nothing here waits for the disk, and what is on its way is counted. A thread that failed
// stays so; whoever wants history to go on starts another one.

import { Worker } from 'node:worker_threads'
import type { Batch } from '../../../sequencer/outcome.ts'
import { type Chunk, ChunkWriter } from '../chunk.ts'
import { HistoryBehind } from '../history.ts'
import { type ReadArgs, type ReadName, type ReadRow, rowsOf } from '../reads.ts'
import type { Packed } from '../rows/wire-row.ts'
import type { CatchUp, FromWorker, HistoryRead, ToWorker, WorkerStart } from './messages.ts'

/** Larger messages to the thread would make reads wait. */
const chunkLines = 4_096
const gatherMs = 20
/** Reads that may wait at a time. */
const readsMax = 1_000
/** How long they wait who have nothing better to do: a start, or a revert. */
export const longWaitMs = 60_000

export type Answer = Readonly<{ seq: number; packs: readonly Packed[] }>

type Drain = Readonly<{ seq: number; resolve(): void }>

type Waiting = Readonly<{
  resolve(answer: Answer): void
  reject(error: Error): void
  timer: NodeJS.Timeout
}>

export type ThreadOptions = Readonly<{
  /** How long a read waits for its seq. */
  waitMs?: number | undefined
  /** Told once. */
  onFailure(failure: HistoryFailure): void
}>

export class HistoryFailure extends Error {
  /** The journal no longer has what the store lacks. */
  readonly isGap: boolean

  constructor(message: string, isGap = false) {
    super(message)
    this.isGap = isGap
  }
}

export class HistoryThread {
  /** Resolves when reads are answered. */
  readonly opened: Promise<void>
  private rejectOpened: (failure: HistoryFailure) => void = () => undefined
  private readonly worker: Worker
  private readonly options: ThreadOptions
  private readonly waiting = new Map<number, Waiting>()
  private drains: Drain[] = []
  private readonly ended: Promise<void>
  private failure: HistoryFailure | null = null
  private readonly written = new ChunkWriter()
  /** What the thread has not read yet, in order. */
  private readonly sent: Chunk[] = []
  private storedSeq = 0
  private readSeq = 0
  private fedSeq: number
  private linesSent = 0
  private posting: NodeJS.Timeout | null = null
  private closing = false
  private nextRead = 1

  /** With something to catch up with, feeding may go on at once with what comes after it. */
  constructor(start: WorkerStart, options: ThreadOptions, catchUp: CatchUp | null = null) {
    const url = new URL('./history-worker.js', import.meta.url)
    this.worker = new Worker(url, { workerData: { start, catchUp } })
    this.options = options
    this.fedSeq = catchUp?.to ?? 0
    this.opened = new Promise((resolve, reject) => {
      this.rejectOpened = reject
      this.worker.on('message', (message: FromWorker) => {
        this.receive(message)
        if (message.kind === 'open') resolve()
      })
    })
    // Whoever does not wait for it learns of a failure all the same.
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
      this.fedSeq = outcome.seq
    }
    if (this.written.lines >= chunkLines) this.post()
    else this.postSoon()
  }

  /** Batches gather for a while: to wake the thread for each would cost more than the batch. Who
   *  reads does not wait for it. */
  private postSoon(): void {
    this.posting ??= setTimeout(() => this.post(), gatherMs).unref()
  }

  private post(): void {
    if (this.posting !== null) clearTimeout(this.posting)
    this.posting = null
    if (this.written.isEmpty() || this.failure !== null) return
    const chunk = this.written.take()
    this.linesSent += chunk.lines
    this.sent.push(chunk)
    this.send({ kind: 'feed', chunk })
  }

  private send(message: ToWorker): void {
    this.worker.postMessage(message)
  }

  private receive(message: FromWorker): void {
    switch (message.kind) {
      case 'open':
        this.storedSeq = message.seq
        this.readSeq = message.seq
        this.fedSeq = Math.max(this.fedSeq, message.seq)
        return
      case 'committed':
        this.storedSeq = message.seq
        return
      case 'fed':
        this.readSeq = message.seq
        this.linesSent -= message.lines
        this.written.giveBack(this.sent.shift()!)
        return this.tellDrained()
      case 'answer':
        return this.settle(message.id, ({ resolve }) => resolve(message))
      case 'refused':
        return this.settle(message.id, ({ reject }) => reject(new Error(message.message)))
      case 'failed':
        return this.fail(new HistoryFailure(message.message, message.isGap))
      default:
        message satisfies never
    }
  }

  private fail(failure: HistoryFailure): void {
    if (this.failure !== null) return
    this.failure = failure
    for (const id of [...this.waiting.keys()]) this.rejectBehind(id)
    this.tellDrained()
    this.rejectOpened(failure)
    this.options.onFailure(failure)
  }

  private tellDrained(): void {
    const reached = this.failure === null ? this.readSeq : Number.POSITIVE_INFINITY
    const done = this.drains.filter(({ seq }) => seq <= reached)
    this.drains = this.drains.filter(({ seq }) => seq > reached)
    for (const { resolve } of done) resolve()
  }

  private settle(id: number, how: (waiting: Waiting) => void): void {
    const waiting = this.waiting.get(id)
    if (waiting === undefined) return
    this.waiting.delete(id)
    clearTimeout(waiting.timer)
    how(waiting)
  }

  private rejectBehind(id: number): void {
    const why = this.failure === null ? 'history is behind' : 'history has failed'
    const options = this.failure === null ? {} : { cause: this.failure }
    this.settle(id, ({ reject }) => reject(new HistoryBehind(why, options)))
  }

  ask(seq: number, asked: readonly HistoryRead[], waitMs = this.options.waitMs ?? 250) {
    return new Promise<Answer>((resolve, reject) => {
      const id = this.nextRead++
      const timer = setTimeout(() => this.rejectBehind(id), waitMs)
      this.waiting.set(id, { resolve, reject, timer })
      if (this.failure !== null || this.waiting.size > readsMax) return this.rejectBehind(id)
      this.post()
      this.send({ kind: 'read', id, seq, untilMs: Date.now() + waitMs, asked })
    })
  }

  async rows<N extends ReadName>(
    seq: number,
    name: N,
    ...args: ReadArgs<N>
  ): Promise<readonly ReadRow<N>[]> {
    const { packs } = await this.ask(seq, [{ name, args }])
    return rowsOf(name, packs[0]!)
  }

  async rowsAsOf<N extends ReadName>(seq: number, name: N, args: ReadArgs<N>) {
    const answer = await this.ask(seq, [{ name, args }], longWaitMs)
    return { seq: answer.seq, rows: rowsOf(name, answer.packs[0]!) }
  }

  seq(): number {
    return this.storedSeq
  }

  /** A thread that failed has nothing on its way. */
  backlog(): number {
    return this.failure !== null ? 0 : this.linesSent + this.written.lines
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
    for (const id of [...this.waiting.keys()]) this.rejectBehind(id)
  }
}
