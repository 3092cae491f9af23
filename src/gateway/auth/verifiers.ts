// Checks signatures in separate threads, because a check costs about as much as the rest of a
// request. Checks that arrive in one turn of the event loop are sent together; while all threads
// are busy, further checks are collected. The queue is limited in number, bytes and time. A crashed
// thread affects only its own checks. Urgent checks (of cancels) have priority and a reserved part
// of the queue, but leave a quarter of each batch to other checks.

import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { publicKeySize } from '../../protocol/address.ts'
import { decodeBase58 } from '../../protocol/base58.ts'
import { Pace } from '../../sequencer/pace.ts'
import {
  answerGood,
  type Check,
  type CheckTask,
  checkSize,
  messageSize,
  writeCheck,
} from './check-batch.ts'
import { signatureSize } from './ed25519.ts'

/** The queue of checks is full; the caller may retry. */
export class OverloadedError extends Error {
  readonly code = 'OVERLOADED'
}

/** The thread crashed or the verifiers were closed, so that the validity of the signature is
 *  unknown. */
export class VerifierFailedError extends Error {
  readonly code = 'VERIFIER_FAILED'
}

/** The message is text (signed as UTF-8) or bytes; the signature is base58 text or bytes. */
export type SignatureCheck = Readonly<{
  publicKey: Uint8Array
  message: string | Uint8Array
  signature: string | Uint8Array
}>

export type Verifiers = Readonly<{
  /** Rejects only if the validity is unknown, with OverloadedError or VerifierFailedError. */
  verify(check: SignatureCheck, urgent?: boolean): Promise<boolean>
  close(): Promise<void>
  /** Number of checks that are queued or in progress. */
  pending(): number
}>

export type VerifierOptions = Readonly<{
  /** Number of threads (default: one less than the number of cores, at least one). */
  threads?: number
  pendingMax?: number
  /** Additional queue size for urgent checks. */
  urgentMax?: number
  pendingBytesMax?: number
  /** File of the thread (default: the real one). Tests use one that crashes. */
  worker?: URL
}>

/** A check takes 0.1 ms, so that a full batch keeps a thread busy for 6 ms. */
const batchChecksMax = 64
const batchBytes = 65_536
/** A second batch is queued at each thread, so that it is never idle. A small second batch is sent
 *  only after the first is done. */
const batchesPerThread = 2
const secondBatchMin = 16
/** Maximum share of a batch for urgent checks while other checks wait. */
const urgentShare = 0.75
/** Maximum waiting time. Checks that would wait longer are refused, unless only a few checks are
 *  queued. */
const waitMsMax = 1_000
const fewChecks = 256
const sparesMax = 16
const restartDelayMs = 250

type Waiting = Readonly<{
  check: Check
  bytes: number
  resolve(good: boolean): void
  reject(reason: Error): void
}>

/** A batch: the memory of a thread, and the checks in it. */
type Batch = Readonly<{ checks: readonly Waiting[]; space: SharedArrayBuffer }>

/** `proven`: the thread has replied before, so that its exit is not a failed start. */
type Thread = { worker: Worker; batches: Batch[]; proven: boolean }

export function createVerifiers(options: VerifierOptions = {}): Verifiers {
  const pool = new VerifierPool(options)
  return {
    verify: (check, urgent = false) => pool.verify(check, urgent),
    close: () => pool.close(),
    pending: () => pool.pending,
  }
}

function parseCheck({ publicKey, message, signature }: SignatureCheck): Check | null {
  const bytes = typeof signature === 'string' ? decodeBase58(signature, signatureSize) : signature
  if (bytes?.length !== signatureSize || publicKey.length !== publicKeySize) return null
  return { publicKey, message, signature: bytes }
}

/** Threads do not inherit the flags of the process, because threads refuse some of them, such as
 *  those for programs given as text. */
function threadOptions(): Readonly<{ execArgv?: string[] }> {
  return process.execArgv.some((flag) => flag.startsWith('--input-type')) ? { execArgv: [] } : {}
}

class VerifierPool {
  pending = 0
  private pendingBytes = 0
  private queue: Waiting[] = []
  private urgent: Waiting[] = []
  private readonly pace = new Pace()
  private sending = false
  private closed = false
  private readonly threads: (Thread | null)[] = []
  private readonly spares: SharedArrayBuffer[] = []
  private readonly restarts = new Set<NodeJS.Timeout>()
  private readonly pendingMax: number
  private readonly urgentMax: number
  private readonly pendingBytesMax: number
  private readonly url: URL

  constructor(options: VerifierOptions) {
    this.pendingMax = options.pendingMax ?? 8_192
    this.urgentMax = options.urgentMax ?? 1_024
    this.pendingBytesMax = options.pendingBytesMax ?? 32 * 1_048_576
    this.url = options.worker ?? new URL('./verifier-worker.js', import.meta.url)
    const count = options.threads ?? Math.max(1, availableParallelism() - 1)
    for (let place = 0; place < count; place++) this.start(place)
  }

  verify(requested: SignatureCheck, urgent: boolean): Promise<boolean> {
    if (this.closed) return Promise.reject(new VerifierFailedError('the verifiers are closed'))
    const check = parseCheck(requested)
    if (check === null) return Promise.resolve(false)
    const bytes = checkSize(messageSize(check))
    if (urgent ? this.urgent.length >= this.urgentMax : this.isFull(bytes)) {
      return Promise.reject(new OverloadedError(`${this.pending} signatures wait to be checked`))
    }
    return new Promise((resolve, reject) => {
      this.pending += 1
      this.pendingBytes += bytes
      const queue = urgent ? this.urgent : this.queue
      queue.push({ check, bytes, resolve, reject })
      // A caller now waits for a thread that is not started yet, so that the process must stay
      // alive.
      for (const timer of this.restarts) timer.ref()
      if (this.sending) return
      this.sending = true
      // Runs after all input of this turn has been read, so that requests that arrived together are
      // sent together.
      setImmediate(() => {
        this.sending = false
        this.send()
      })
    })
  }

  private isFull(bytes: number): boolean {
    const { pending } = this
    if (pending >= this.pendingMax) return true
    if (pending > 0 && this.pendingBytes + bytes > this.pendingBytesMax) return true
    return pending > fewChecks && this.pace.waitMs(pending) > waitMsMax
  }

  private get waiting(): number {
    return this.urgent.length + this.queue.length
  }

  private failWaiting(failure: Error): void {
    this.fail(this.urgent.splice(0), failure)
    this.fail(this.queue.splice(0), failure)
  }

  async close(): Promise<void> {
    this.closed = true
    for (const timer of this.restarts) clearTimeout(timer)
    const workers = this.threads.flatMap((thread) => (thread === null ? [] : [thread.worker]))
    await Promise.all(workers.map((worker) => worker.terminate()))
    this.failWaiting(new VerifierFailedError('the verifiers are closed'))
  }

  private start(place: number): void {
    const worker = new Worker(this.url, threadOptions())
    const thread: Thread = { worker, batches: [], proven: false }
    this.threads[place] = thread
    let cause: unknown
    worker.on('message', () => this.answer(thread))
    worker.on('error', (error) => {
      cause = error
    })
    worker.once('exit', () => this.bury(place, thread, cause))
    // An idle thread does not keep the process alive; a busy one does.
    worker.unref()
  }

  private bury(place: number, thread: Thread, cause: unknown): void {
    this.threads[place] = null
    const failure = new VerifierFailedError('a verifier thread ended', { cause })
    for (const { checks } of thread.batches.splice(0)) this.fail(checks, failure)
    if (this.closed) return
    // Without a running thread, the queue would wait for as long as threads fail to start.
    if (this.threads.every((each) => each === null)) this.failWaiting(failure)
    const timer = setTimeout(
      () => {
        this.restarts.delete(timer)
        this.start(place)
        this.send()
      },
      thread.proven ? 0 : restartDelayMs,
    )
    timer.unref()
    this.restarts.add(timer)
  }

  private fail(checks: readonly Waiting[], failure: Error): void {
    for (const each of checks) {
      this.done(each)
      each.reject(failure)
    }
  }

  private done(waiting: Waiting): void {
    this.pending -= 1
    this.pendingBytes -= waiting.bytes
  }

  private answer(thread: Thread): void {
    const { checks, space } = thread.batches.shift()!
    thread.proven = true
    // A thread that is being terminated keeps the process alive, because `close` waits for it.
    if (thread.batches.length === 0 && !this.closed) thread.worker.unref()
    const answers = new Uint8Array(space)
    for (let index = 0; index < checks.length; index++) {
      const waiting = checks[index]!
      this.done(waiting)
      waiting.resolve(answers[index] === answerGood)
    }
    this.pace.finished(checks.length, performance.now(), this.waiting > 0)
    if (space.byteLength === batchBytes && this.spares.length < sparesMax) this.spares.push(space)
    this.send()
  }

  /** Sends queued checks, to the least busy thread first. */
  private send(): void {
    while (this.waiting > 0) {
      const thread = this.leastBusy()
      if (thread === null) break
      const few = this.waiting < secondBatchMin
      if (few && thread.batches.length > 0) break
      const idle = this.threads.filter((each) => each?.batches.length === 0).length
      const share = Math.ceil(this.waiting / Math.max(1, idle))
      this.sendBatch(thread, Math.min(share, batchChecksMax))
    }
  }

  private leastBusy(): Thread | null {
    let best: Thread | null = null
    for (const thread of this.threads) {
      if (thread === null || thread.batches.length >= batchesPerThread) continue
      if (best === null || thread.batches.length < best.batches.length) best = thread
    }
    return best
  }

  /** Removes up to `most` checks from the queues that fit into one buffer; at least one. */
  private take(most: number): readonly Waiting[] {
    const { urgent, queue } = this
    const batch: Waiting[] = []
    let size = 0
    const takeFrom = (waiting: Waiting[], until: number) => {
      let count = 0
      while (batch.length + count < until && count < waiting.length) {
        const { bytes } = waiting[count]!
        if (size > 0 && size + bytes > batchBytes) break
        size += bytes
        count += 1
      }
      batch.push(...waiting.splice(0, count))
    }
    takeFrom(urgent, Math.ceil(most * urgentShare))
    takeFrom(queue, most)
    takeFrom(urgent, most)
    return batch
  }

  private sendBatch(thread: Thread, most: number): void {
    const checks = this.take(most)
    const size = checks.reduce((sum, { bytes }) => sum + bytes, 0)
    const spare = size > batchBytes ? undefined : this.spares.pop()
    const space = spare ?? new SharedArrayBuffer(Math.max(size, batchBytes))
    const buffer = Buffer.from(space)
    let bytes = 0
    for (const { check } of checks) bytes = writeCheck(buffer, bytes, check)
    thread.batches.push({ checks, space })
    thread.worker.ref()
    const task: CheckTask = { space, bytes, count: checks.length }
    thread.worker.postMessage(task)
  }
}
