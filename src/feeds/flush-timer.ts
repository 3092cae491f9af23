// Schedules flushes of market channels. A flush runs immediately while flushing is fast. With many
// readers it takes longer, and the next flush is delayed by four times its duration, so that
// writing never takes more than a fifth of the trading thread's time. Uses machine time.

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

  /** Schedules a flush at this time or soon after. The earliest scheduled time is used. */
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
    // Flushes may have been scheduled during this one, before its duration was known.
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
