// Schedules flushes of market channels. Immediately while that is cheap; with many readers a flush
// takes long, and then the next one waits four times as long, so that writing never takes more than
// a fifth of the trading thread. Uses machine time.

const restFactor = 4
const restMsMax = 100

export class FlushTimer {
  private readonly run: () => void
  private readonly now: () => number
  private restUntil = 0
  private dueAt = Number.POSITIVE_INFINITY
  private timer: NodeJS.Timeout | null = null
  private immediate: NodeJS.Immediate | null = null
  private stopped = false

  constructor(run: () => void, now: () => number = () => performance.now()) {
    this.run = run
    this.now = now
  }

  /** Runs at this time or soon after; the earliest request counts. */
  schedule(ms: number): void {
    const dueAt = Math.max(ms, this.restUntil)
    if (this.stopped || dueAt >= this.dueAt) return
    this.clear()
    this.dueAt = dueAt
    const wait = dueAt - this.now()
    if (wait <= 0) this.immediate = setImmediate(() => this.fire())
    else this.timer = setTimeout(() => this.fire(), Math.ceil(wait)).unref()
  }

  private fire(): void {
    this.clear()
    const started = this.now()
    this.run()
    const ended = this.now()
    this.restUntil = ended + Math.min(restMsMax, restFactor * (ended - started))
    // Requests made while it ran, before the duration was known.
    if (this.dueAt < this.restUntil) {
      this.clear()
      this.schedule(this.restUntil)
    }
  }

  private clear(): void {
    this.dueAt = Number.POSITIVE_INFINITY
    if (this.timer !== null) clearTimeout(this.timer)
    if (this.immediate !== null) clearImmediate(this.immediate)
    this.timer = null
    this.immediate = null
  }

  stop(): void {
    this.stopped = true
    this.clear()
  }
}
