// Checkpoints and receipts of the exchange that this process leads. Every ten seconds a checkpoint
// commits the exchange to all of its history. Everything else is derived from the journal when it
// is requested, in a thread of its own.

import type { Receipts } from '../../gateway/exchange.ts'
import type { Checkpoint, Checkpoints, FrameProof } from '../../protocol/schemas/proofs/receipts.ts'
import type { Served } from '../../sequencer/link/calls.ts'
import { Overloaded } from '../../sequencer/not-taken.ts'
import { IdleThread } from '../../sequencer/snapshots/idle-thread.ts'

const checkpointMs = 10_000
/** Maximum number of waiting requests, each of which may read seconds of history. */
const waitingMax = 32

export type OwnedReceipt = NonNullable<Awaited<ReturnType<Receipts['receiptOf']>>>

/** What the thread does, by name. */
export type ReceiptJobs = {
  newest(limit: number): Checkpoints
  checkpoint(seq: number): Checkpoint | null
  frame(seq: number): FrameProof | null
  receipt(seq: number): OwnedReceipt | null
}

type Name = keyof ReceiptJobs
export type ReceiptJob = Readonly<{ root: string; name: Name; args: readonly unknown[] }>

export type ReceiptsParts = Readonly<{
  folder: string
  /** The newest entry that is certainly on this disk. */
  durableSeq: () => number
  isOnDisk: (seq: number) => Promise<boolean>
  /** Whether this node still leads. */
  mayAnswer: () => boolean
  onWarning: (text: string) => void
  everyMs?: number
}>

export class LeadersReceipts implements Receipts {
  private readonly parts: ReceiptsParts
  private readonly thread = new IdleThread<ReceiptJob, unknown>(
    new URL('./receipt-worker.js', import.meta.url),
  )
  private readonly timer: NodeJS.Timeout
  private readonly listeners = new Set<(checkpoint: Checkpoint) => void>()
  private last: Promise<unknown> = Promise.resolve()
  private waiting = 0
  private isMaking = false
  private coveredSeq = 0

  constructor(parts: ReceiptsParts) {
    this.parts = parts
    this.timer = setInterval(() => this.due(), parts.everyMs ?? checkpointMs).unref()
  }

  newest(limit: number): Promise<Checkpoints> {
    return this.run('newest', limit)
  }

  frameOf(seq: number): Promise<FrameProof | null> {
    return this.run('frame', seq)
  }

  async receiptOf(seq: number): Promise<OwnedReceipt | null> {
    return (await this.parts.isOnDisk(seq)) ? this.run('receipt', seq) : null
  }

  onCheckpoint(listener: (checkpoint: Checkpoint) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** The calls that other processes of the exchange may make. */
  served(): Served {
    return {
      newestCheckpoints: (limit: unknown) => this.newest(Number(limit)),
      frameProof: (seq: unknown) => this.frameOf(Number(seq)),
      receipt: (seq: unknown) => this.receiptOf(Number(seq)),
    }
  }

  /** Makes a checkpoint now; `null` if it would cover nothing new. */
  async checkpointNow(): Promise<Checkpoint | null> {
    const made = await this.queued('checkpoint', this.parts.durableSeq())
    if (made === null) return null
    this.coveredSeq = made.seq
    for (const listener of this.listeners) listener(made)
    return made
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.last
    await this.thread.end()
  }

  private due(): void {
    const { durableSeq, mayAnswer, onWarning } = this.parts
    if (this.isMaking || durableSeq() === this.coveredSeq || !mayAnswer()) return
    this.isMaking = true
    this.checkpointNow()
      .catch((error: Error) => onWarning(`no checkpoint: ${error.message}`))
      .finally(() => {
        this.isMaking = false
      })
  }

  private run<N extends Name>(
    name: N,
    ...args: Parameters<ReceiptJobs[N]>
  ): Promise<ReturnType<ReceiptJobs[N]>> {
    if (this.waiting >= waitingMax)
      return Promise.reject(new Overloaded(`${waitingMax} requests for receipts wait`))
    this.waiting += 1
    return this.queued(name, ...args).finally(() => {
      this.waiting -= 1
    })
  }

  private queued<N extends Name>(
    name: N,
    ...args: Parameters<ReceiptJobs[N]>
  ): Promise<ReturnType<ReceiptJobs[N]>> {
    const { folder: root } = this.parts
    const done = this.last.then(
      () => this.thread.run({ root, name, args }) as Promise<ReturnType<ReceiptJobs[N]>>,
    )
    // The caller gets the error. The next job does not depend on this one.
    this.last = done.catch(() => undefined)
    return done
  }
}
