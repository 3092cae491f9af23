// Signatures are checked in threads of their own: one costs about as much as everything else in a
// request together. Checks that arrive in one turn of the event loop travel as one buffer; while
// the threads are busy, more gather. What waits is bounded in number and in bytes, and a thread
// that dies takes only its own checks with it.

import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { publicKeySize } from '../../protocol/address.ts'
import { decodeBase58 } from '../../protocol/base58.ts'
import { answerGood, type Check, checkSize, messageSize, writeCheck } from './check-batch.ts'
import { signatureSize } from './ed25519.ts'

/** Too many checks wait already: try again later. */
export class OverloadedError extends Error {
  readonly code = 'OVERLOADED'
}

/** The thread that had the check died, or the verifiers are closed: nothing is known about the
 *  signature. */
export class VerifierFailedError extends Error {
  readonly code = 'VERIFIER_FAILED'
}

/** The signature as base58 text or as bytes; a text to verify is signed as UTF-8. */
export type SignatureCheck = Readonly<{
  publicKey: Uint8Array
  message: string | Uint8Array
  signature: string | Uint8Array
}>

export type Verifiers = Readonly<{
  /** Rejects only when nothing is known: OverloadedError, VerifierFailedError. */
  verify(check: SignatureCheck): Promise<boolean>
  close(): Promise<void>
  /** Checks that wait or are being done. */
  pending(): number
}>

export type VerifierOptions = Readonly<{
  /** Absent: all cores but one, at least one. */
  threads?: number
  pendingMax?: number
  pendingBytesMax?: number
  /** Absent: the real thread; tests put one here that dies. */
  worker?: URL
}>

/** At 0.1 ms a check, a full batch keeps a thread busy for 6 ms. */
const batchChecksMax = 64
const batchBytes = 65_536
/** A second batch waits at the thread, so that it never waits for us; a small one is not worth
 *  waking anybody for, and gathers until the first is done. */
const batchesPerThread = 2
const secondBatchMin = 16
const sparesMax = 16
const restartDelayMs = 250

type Waiting = Readonly<{
  check: Check
  bytes: number
  resolve(good: boolean): void
  reject(reason: Error): void
}>

/** `proven`: it has answered before, so that its end is not a failure to start. */
type Thread = { worker: Worker; batches: (readonly Waiting[])[]; proven: boolean }

export function createVerifiers(options: VerifierOptions = {}): Verifiers {
  const pool = new VerifierPool(options)
  return {
    verify: (check) => pool.verify(check),
    close: () => pool.close(),
    pending: () => pool.pending,
  }
}

function parseCheck({ publicKey, message, signature }: SignatureCheck): Check | null {
  const bytes = typeof signature === 'string' ? decodeBase58(signature, signatureSize) : signature
  if (bytes?.length !== signatureSize || publicKey.length !== publicKeySize) return null
  return { publicKey, message, signature: bytes }
}

/** A thread runs a file, and does not start with a flag for programs that come as text. Elsewhere
 *  it inherits whatever flags there are: given by hand, some of them are refused. */
function threadOptions(): Readonly<{ execArgv?: string[] }> {
  return process.execArgv.some((flag) => flag.startsWith('--input-type')) ? { execArgv: [] } : {}
}

class VerifierPool {
  pending = 0
  private pendingBytes = 0
  private queue: Waiting[] = []
  private sending = false
  private closed = false
  private readonly threads: (Thread | null)[] = []
  private readonly spares: ArrayBuffer[] = []
  private readonly restarts = new Set<NodeJS.Timeout>()
  private readonly pendingMax: number
  private readonly pendingBytesMax: number
  private readonly url: URL

  constructor(options: VerifierOptions) {
    this.pendingMax = options.pendingMax ?? 8_192
    this.pendingBytesMax = options.pendingBytesMax ?? 32 * 1_048_576
    this.url = options.worker ?? new URL('./verifier-worker.js', import.meta.url)
    const count = options.threads ?? Math.max(1, availableParallelism() - 1)
    for (let place = 0; place < count; place++) this.start(place)
  }

  verify(asked: SignatureCheck): Promise<boolean> {
    if (this.closed) return Promise.reject(new VerifierFailedError('the verifiers are closed'))
    const check = parseCheck(asked)
    if (check === null) return Promise.resolve(false)
    const bytes = checkSize(messageSize(check))
    if (
      this.pending >= this.pendingMax ||
      (this.pending > 0 && this.pendingBytes + bytes > this.pendingBytesMax)
    ) {
      return Promise.reject(new OverloadedError(`${this.pending} signatures wait to be checked`))
    }
    return new Promise((resolve, reject) => {
      this.pending += 1
      this.pendingBytes += bytes
      this.queue.push({ check, bytes, resolve, reject })
      // Somebody waits now for a thread that is still to start.
      for (const timer of this.restarts) timer.ref()
      if (this.sending) return
      this.sending = true
      // After the input of this turn is read: requests that arrived together travel together.
      setImmediate(() => {
        this.sending = false
        this.send()
      })
    })
  }

  async close(): Promise<void> {
    this.closed = true
    for (const timer of this.restarts) clearTimeout(timer)
    const workers = this.threads.flatMap((thread) => (thread === null ? [] : [thread.worker]))
    await Promise.all(workers.map((worker) => worker.terminate()))
    this.fail(this.queue.splice(0), new VerifierFailedError('the verifiers are closed'))
  }

  private start(place: number): void {
    const worker = new Worker(this.url, threadOptions())
    const thread: Thread = { worker, batches: [], proven: false }
    this.threads[place] = thread
    let cause: unknown
    worker.on('message', (buffer: ArrayBuffer) => this.answer(thread, buffer))
    worker.on('error', (error) => {
      cause = error
    })
    worker.once('exit', () => this.bury(place, thread, cause))
    // An idle thread does not keep the process alive; one with checks does.
    worker.unref()
  }

  private bury(place: number, thread: Thread, cause: unknown): void {
    this.threads[place] = null
    const failure = new VerifierFailedError('a verifier thread ended', { cause })
    for (const batch of thread.batches.splice(0)) this.fail(batch, failure)
    if (this.closed) return
    // With no thread left, what waits would wait for as long as threads fail to start.
    if (this.threads.every((each) => each === null)) this.fail(this.queue.splice(0), failure)
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

  private answer(thread: Thread, buffer: ArrayBuffer): void {
    const batch = thread.batches.shift()!
    thread.proven = true
    if (thread.batches.length === 0) thread.worker.unref()
    const answers = new Uint8Array(buffer)
    for (let index = 0; index < batch.length; index++) {
      const waiting = batch[index]!
      this.done(waiting)
      waiting.resolve(answers[index] === answerGood)
    }
    if (buffer.byteLength === batchBytes && this.spares.length < sparesMax) this.spares.push(buffer)
    this.send()
  }

  /** Hands the queue out, to the least busy thread first. */
  private send(): void {
    let taken = 0
    while (taken < this.queue.length) {
      const thread = this.leastBusy()
      if (thread === null) break
      const few = this.queue.length - taken < secondBatchMin
      if (few && thread.batches.length > 0) break
      const idle = this.threads.filter((each) => each?.batches.length === 0).length
      const share = Math.ceil((this.queue.length - taken) / Math.max(1, idle))
      taken += this.sendBatch(thread, taken, Math.min(share, batchChecksMax))
    }
    if (taken > 0) this.queue = this.queue.slice(taken)
  }

  private leastBusy(): Thread | null {
    let best: Thread | null = null
    for (const thread of this.threads) {
      if (thread === null || thread.batches.length >= batchesPerThread) continue
      if (best === null || thread.batches.length < best.batches.length) best = thread
    }
    return best
  }

  /** Sends at most `most` checks of the queue from `first` on; gives how many. */
  private sendBatch(thread: Thread, first: number, most: number): number {
    const { queue } = this
    let size = queue[first]!.bytes
    let count = 1
    while (count < most && first + count < queue.length) {
      const { bytes } = queue[first + count]!
      if (size + bytes > batchBytes) break
      size += bytes
      count += 1
    }
    const space = size > batchBytes ? new ArrayBuffer(size) : this.spares.pop()
    const buffer = Buffer.from(space ?? new ArrayBuffer(batchBytes))
    const batch = queue.slice(first, first + count)
    let at = 0
    for (const { check } of batch) at = writeCheck(buffer, at, check)
    thread.batches.push(batch)
    thread.worker.ref()
    thread.worker.postMessage({ buffer: buffer.buffer, count }, [buffer.buffer as ArrayBuffer])
    return count
  }
}
