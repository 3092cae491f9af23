// A thread for occasional work on the files of the exchange, such as snapshots and explanations. It
// is kept for a while after each job, because most of the cost of a job in a new thread is
// compilation.

import { Worker } from 'node:worker_threads'

const idleMs = 60_000
/** The thread creates and drops one state after the other. With the default young generation it
 *  would hold 32 MB of garbage for its lifetime. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 } as const

/** Runs one job at a time. */
export class IdleThread<Job, Result> {
  private readonly program: URL
  private worker: Worker | null = null
  private idle: NodeJS.Timeout | null = null
  private ending = false

  /** `program`: answers each message with one message. An error ends the thread. */
  constructor(program: URL) {
    this.program = program
  }

  run(job: Job): Promise<Result> {
    if (this.idle !== null) clearTimeout(this.idle)
    const worker = this.started()
    worker.ref()
    return new Promise<Result>((resolve, reject) => {
      const ended = (code: number) => reject(new Error(`the thread ended with ${code}`))
      worker.once('error', reject)
      worker.once('exit', ended)
      worker.once('message', (result: Result) => {
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
    const worker = new Worker(this.program, { resourceLimits })
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
