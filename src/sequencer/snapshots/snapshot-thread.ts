// The thread that makes snapshots. It is kept for a while after each snapshot, because most of the
// cost of a snapshot in a new thread is compilation.

import { Worker } from 'node:worker_threads'
import type { SavedFacts } from '../ports.ts'
import type { StateHashes } from './state-hash.ts'

export type SnapshotJob = Readonly<{
  folder: string
  seq: number
  /** Target file; `null` if only the hashes are needed. */
  file: string | null
  /** Facts of a saved state; `null` for a snapshot for recovery, which has its own facts. */
  facts: SavedFacts | null
}>

export type SnapshotResult = Readonly<{
  seq: number
  /** Result of `checkInvariants` for the state. */
  breaches: readonly string[]
  warnings: readonly string[]
  hashes: StateHashes | null
}>

const idleMs = 60_000
/** The thread creates and drops one state after the other. With the default young generation it
 *  would hold 32 MB of garbage for its lifetime. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 } as const

/** Runs one job at a time. */
export class SnapshotThread {
  private worker: Worker | null = null
  private idle: NodeJS.Timeout | null = null
  private ending = false

  run(job: SnapshotJob): Promise<SnapshotResult> {
    if (this.idle !== null) clearTimeout(this.idle)
    const worker = this.started()
    worker.ref()
    return new Promise<SnapshotResult>((resolve, reject) => {
      const ended = (code: number) => reject(new Error(`the snapshot thread ended with ${code}`))
      worker.once('error', reject)
      worker.once('exit', ended)
      worker.once('message', (result: SnapshotResult) => {
        worker.off('error', reject)
        worker.off('exit', ended)
        this.rest(worker)
        resolve(result)
      })
      worker.postMessage(job)
    })
  }

  async end(): Promise<void> {
    this.ending = true
    if (this.idle !== null) clearTimeout(this.idle)
    await this.worker?.terminate()
  }

  private started(): Worker {
    if (this.worker !== null) return this.worker
    const worker = new Worker(new URL('./snapshot-worker.js', import.meta.url), { resourceLimits })
    const forget = () => {
      if (this.worker === worker) this.worker = null
    }
    // After a failure the thread exits by itself, so it must not get the next job.
    worker.on('error', forget)
    worker.once('exit', forget)
    this.worker = worker
    return worker
  }

  /** An idle thread does not keep the process alive. A thread that is being terminated does, so
   *  that the caller of `end` still gets its last message. */
  private rest(worker: Worker): void {
    if (this.ending) return
    worker.unref()
    this.idle = setTimeout(() => worker.terminate(), idleMs).unref()
  }
}
