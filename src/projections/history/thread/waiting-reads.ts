// Reads that wait for their answer, limited in number and time.

import { HistoryBehind } from '../history.ts'
import type { HistoryRead } from '../reads.ts'
import type { Answer, AnswerMessage, ReadRequest } from './thread-messages.ts'

/** Maximum number of waiting reads. */
const readsMax = 1_000
/** Default time in milliseconds that a read waits for its seq. */
const shortWaitMs = 250
/** Time in milliseconds that a read waits if its caller can wait, as at a start or after a
 *  revert. */
export const longWaitMs = 60_000

export type WaitingOptions = Readonly<{
  /** Time in milliseconds that a read waits for its seq. */
  waitMs?: number | undefined
  /** Why the store cannot be read; `null` if it can. */
  failure(): Error | null
}>

type Waiting = Readonly<{
  read: ReadRequest
  resolve(answer: Answer): void
  reject(error: Error): void
  timer: NodeJS.Timeout
}>

export class WaitingReads {
  private readonly waiting = new Map<number, Waiting>()
  private readonly options: WaitingOptions
  private nextId = 1

  constructor(options: WaitingOptions) {
    this.options = options
  }

  /** Adds a read. If too many are waiting, `read` is null and `answer` rejects. */
  add(
    seq: number,
    reads: readonly HistoryRead[],
    waitMs = this.options.waitMs ?? shortWaitMs,
  ): Readonly<{ read: ReadRequest | null; answer: Promise<Answer> }> {
    const id = this.nextId++
    const read = { id, seq, untilMs: Date.now() + waitMs, reads: reads }
    const answer = new Promise<Answer>((resolve, reject) => {
      const timer = setTimeout(() => this.rejectBehind(id), waitMs)
      this.waiting.set(id, { read, resolve, reject, timer })
    })
    if (this.waiting.size <= readsMax) return { read, answer }
    this.rejectBehind(id)
    return { read: null, answer }
  }

  /** Returns the reads without an answer. */
  requests(): ReadRequest[] {
    return [...this.waiting.values()].map(({ read }) => read)
  }

  settle(message: AnswerMessage): void {
    if (message.kind === 'answer') this.end(message.id, ({ resolve }) => resolve(message))
    else this.end(message.id, ({ reject }) => reject(new Error(message.message)))
  }

  rejectBehind(id: number): void {
    const failure = this.options.failure()
    const why = failure === null ? 'history is behind' : 'history has failed'
    const options = failure === null ? {} : { cause: failure }
    this.end(id, ({ reject }) => reject(new HistoryBehind(why, options)))
  }

  rejectAll(): void {
    for (const id of [...this.waiting.keys()]) this.rejectBehind(id)
  }

  private end(id: number, how: (waiting: Waiting) => void): void {
    const waiting = this.waiting.get(id)
    if (waiting === undefined) return
    this.waiting.delete(id)
    clearTimeout(waiting.timer)
    how(waiting)
  }
}

/** Answers all reads as of one moment, which is `seq` or later. */
export type Ask = (seq: number, reads: readonly HistoryRead[], waitMs?: number) => Promise<Answer>
