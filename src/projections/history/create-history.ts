// History as the trading thread sees it: `feed` copies what a batch told and returns; a thread of
// its own writes it and answers reads. Nothing here waits for the disk, and what is on its way is
// counted, so that the exchange can slow down its callers before memory runs out.

import { Worker } from 'node:worker_threads'
import type { Batch } from '../../sequencer/outcome.ts'
import { dayMinutes, minuteMs, type Recent, tapeLength } from '../market-statistics.ts'
import { ChunkWriter } from './chunk.ts'
import { type AllHistory, HistoryBehind } from './history.ts'
import { historyOf } from './history-of.ts'
import type { Asked, FromWorker, ToWorker, WorkerStart } from './messages.ts'
import { type Packed, type PackedRow, unpacked } from './packed.ts'
import { type ReadArgs, type ReadName, type ReadRow, reads } from './reads.ts'
import { type Keep, retentionOf } from './store-file.ts'
import type { Opening } from './tables/balances.ts'

export type HistoryOptions = Keep &
  Readonly<{
    /** Path of the database, or ':memory:'. */
    file: string
    /** Which exchange it is the history of: a store of another one is deleted. */
    exchange: string
    /** The newest seq of the journal: a store that has read beyond it is deleted. */
    journalSeq: number
    /** Addresses of the accounts a new exchange has, by id from 1 (fees, insurance, deficit). */
    reserved: readonly string[]
    /** A new store begins after this seq; earlier history is gone. */
    fromSeq?: number
    /** With `fromSeq`: what accounts had then. */
    opening?: Opening
    /** How long a read waits for its seq. */
    waitMs?: number
    /** The store is broken, and is fed no more. Told once. */
    onFailure?: (error: Error) => void
  }>

export type OpenHistory = Readonly<{
  history: AllHistory
  /** Takes a durable batch; outcomes that were fed before are skipped. Never waits. */
  feed(batch: Batch): void
  /** The newest seq that the store keeps, whatever happens. After a start, feeding has to go on
   *  with the one after it; while it runs, it lags about a second behind what can be read. */
  seq(): number
  /** Events fed that cannot be read yet. */
  backlog(): number
  /** More is on its way than is good: take no more orders until it is less. */
  behind(): boolean
  /** Resolves when everything fed so far can be read. For whoever feeds a whole journal. */
  drained(): Promise<void>
  recent(seq: number, atMs: number): Promise<Recent>
  /** One read, with the seq its answer is true as of; waits for history as long as it takes. */
  asOf<N extends ReadName>(
    seq: number,
    name: N,
    ...args: ReadArgs<N>
  ): Promise<Readonly<{ seq: number; rows: readonly ReadRow<N>[] }>>
  close(): Promise<void>
}>

const backlogMax = 200_000
/** Larger messages to the thread would make reads wait. */
const chunkEvents = 4_096
const gatherMs = 20
/** Reads that may wait at a time. */
const readsMax = 1_000
/** A start, or a revert, has nothing better to do than to wait. */
const recentWaitMs = 60_000

type Answer = Readonly<{ seq: number; packs: readonly Packed[] }>

type Drain = Readonly<{ seq: number; resolve(): void }>

type Waiting = Readonly<{
  resolve(answer: Answer): void
  reject(error: Error): void
  timer: NodeJS.Timeout
}>

class HistoryThread {
  private readonly worker: Worker
  private readonly options: HistoryOptions
  private readonly waiting = new Map<number, Waiting>()
  private drains: Drain[] = []
  private readonly ended: Promise<void>
  private failure: Error | null = null
  private written = new ChunkWriter()
  private storedSeq: number
  private readSeq: number
  private fedSeq: number
  private eventsSent = 0
  private posting: NodeJS.Timeout | null = null
  private closing = false
  private nextRead = 1

  constructor(worker: Worker, seq: number, options: HistoryOptions) {
    this.worker = worker
    this.options = options
    this.storedSeq = seq
    this.readSeq = seq
    this.fedSeq = seq
    worker.on('message', (message: FromWorker) => this.receive(message))
    worker.on('error', (error) => this.fail(error))
    this.ended = new Promise((resolve) => worker.on('exit', () => resolve()))
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
    if (this.written.events >= chunkEvents) this.post()
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
    this.eventsSent += chunk.events
    this.send({ kind: 'feed', chunk }, [chunk.heads, chunk.rows])
  }

  private send(message: ToWorker, arrays: readonly Float64Array[] = []): void {
    const buffers = arrays.map(({ buffer }) => buffer as ArrayBuffer)
    this.worker.postMessage(message, buffers)
  }

  private receive(message: FromWorker): void {
    switch (message.kind) {
      case 'committed':
        this.storedSeq = message.seq
        return
      case 'fed':
        this.readSeq = message.seq
        this.eventsSent -= message.events
        return this.tellDrained()
      case 'answer':
        return this.settle(message.id, ({ resolve }) => resolve(message))
      case 'refused':
        return this.settle(message.id, ({ reject }) => reject(new Error(message.message)))
      case 'failed':
        return this.fail(new Error(message.message))
      default:
        return
    }
  }

  private fail(error: Error): void {
    if (this.failure !== null) return
    this.failure = error
    for (const id of [...this.waiting.keys()]) this.rejectBehind(id)
    this.tellDrained()
    this.options.onFailure?.(error)
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

  ask(seq: number, asked: readonly Asked[], waitMs = this.options.waitMs ?? 250) {
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
    return unpacked(packs[0]!, reads[name].row as (row: PackedRow) => ReadRow<N>)
  }

  async rowsAsOf<N extends ReadName>(seq: number, name: N, args: ReadArgs<N>) {
    const answer = await this.ask(seq, [{ name, args }], recentWaitMs)
    const row = reads[name].row as (row: PackedRow) => ReadRow<N>
    return { seq: answer.seq, rows: unpacked(answer.packs[0]!, row) }
  }

  seq(): number {
    return this.storedSeq
  }

  backlog(): number {
    return this.eventsSent + this.written.events
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

/** Opens the store and starts its thread. */
export async function createHistory(options: HistoryOptions): Promise<OpenHistory> {
  const { file, exchange, journalSeq, reserved, fromSeq = 0, opening } = options
  const retention = retentionOf(options)
  const place = { file, exchange, journalSeq, reserved, fromSeq, retention }
  const start: WorkerStart = { ...place, ...(opening === undefined ? {} : { opening }) }
  const worker = new Worker(new URL('./history-worker.js', import.meta.url), { workerData: start })
  const thread = new HistoryThread(worker, await opened(worker), options)
  return {
    history: historyOf((seq, name, ...args) => thread.rows(seq, name, ...args)),
    feed: (batch) => thread.feed(batch),
    seq: () => thread.seq(),
    backlog: () => thread.backlog(),
    behind: () => thread.backlog() > backlogMax,
    drained: () => thread.drained(),
    recent: (seq, atMs) => recentOf(thread, seq, atMs),
    asOf: (seq, name, ...args) => thread.rowsAsOf(seq, name, args),
    close: () => thread.close(),
  }
}

function opened(worker: Worker): Promise<number> {
  return new Promise((resolve, reject) => {
    worker.once('message', (message: FromWorker) => {
      if (message.kind === 'open') resolve(message.seq)
      else reject(new Error(message.kind === 'failed' ? message.message : message.kind))
    })
    worker.once('error', reject)
  })
}

/** Both at one moment, so that what is fed later can be added to it. */
async function recentOf(thread: HistoryThread, seq: number, atMs: number): Promise<Recent> {
  const since = Math.floor(atMs / minuteMs) - dayMinutes
  const asked: readonly Asked[] = [
    { name: 'recentTrades', args: [tapeLength] },
    { name: 'recentMinutes', args: [since] },
  ]
  const answer = await thread.ask(seq, asked, recentWaitMs)
  return {
    seq: answer.seq,
    trades: unpacked(answer.packs[0]!, reads.recentTrades.row),
    minutes: unpacked(answer.packs[1]!, reads.recentMinutes.row),
  }
}
