// What waits until it is due, in order. Times are microseconds: of the engine if its clock is
// manual, otherwise of the machine.

export type Waiting = Readonly<{
  dueUs: number
  /** Called at the due time. */
  run(): void
  /** Called instead of `run` if a manual clock has stood still for too long, or went back. */
  givenUp: ((why: 'stands' | 'reset') => void) | null
}>

type Entry = Waiting & Readonly<{ since: number }>

export type LabTime = Readonly<{
  isManual: boolean
  /** Engine time in milliseconds. */
  engineNow(): number
}>

/** How long a request waits for a manual clock that stands still. */
const stallMs = 5_000
/** Timers of the machine are late by up to a millisecond; the rest is polled. */
const timerMs = 1.5

export class WaitQueue {
  private readonly time: LabTime
  private entries: Entry[] = []
  private timer: NodeJS.Timeout | null = null
  private polling = false
  private closed = false
  /** The last engine time seen, and the time of the machine at which it was first seen. */
  private seen = 0
  private seenAt = 0

  constructor(time: LabTime) {
    this.time = time
  }

  get size(): number {
    return this.entries.length
  }

  /** Requests and replies that a caller waits for. */
  get callers(): number {
    return this.entries.filter(({ givenUp }) => givenUp !== null).length
  }

  /** The earliest due time; `null` if nothing waits. */
  get nextUs(): number | null {
    return this.entries[0]?.dueUs ?? null
  }

  nowUs(): number {
    const { isManual, engineNow } = this.time
    return isManual ? engineNow() * 1_000 : performance.now() * 1_000
  }

  /** Entries that are due at the same time run in the order in which they were added. */
  add(waiting: Waiting): void {
    if (this.closed) return waiting.run()
    const entry = { ...waiting, since: performance.now() }
    let [low, high] = [0, this.entries.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.entries[middle]!.dueUs <= entry.dueUs) low = middle + 1
      else high = middle
    }
    this.entries.splice(low, 0, entry)
    if (this.time.isManual || low === 0) this.arm()
  }

  /** Runs the next entry. */
  runNext(): void {
    this.entries.shift()?.run()
  }

  /** Drops all entries, because engine time went back. */
  drop(): void {
    for (const entry of this.entries.splice(0)) entry.givenUp?.('reset')
  }

  /** Runs all entries, and later ones immediately. */
  close(): void {
    this.closed = true
    this.disarm()
    while (this.entries.length > 0) this.runNext()
  }

  private arm(): void {
    if (this.time.isManual) {
      this.timer ??= setInterval(() => this.giveUp(), stallMs / 20)
      return
    }
    this.disarm()
    const left = (this.nextUs! - this.nowUs()) / 1_000
    if (left > timerMs) this.timer = setTimeout(() => this.runDue(), left - timerMs)
    else this.poll()
  }

  private disarm(): void {
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = null
  }

  private poll(): void {
    if (this.polling) return
    this.polling = true
    setImmediate(() => {
      this.polling = false
      this.runDue()
    })
  }

  private runDue(): void {
    while (this.entries.length > 0 && this.nextUs! <= this.nowUs()) this.runNext()
    if (this.entries.length > 0 && !this.closed) this.arm()
  }

  private giveUp(): void {
    const now = performance.now()
    const engineNow = this.time.engineNow()
    if (engineNow !== this.seen) this.seenAt = now
    this.seen = engineNow
    const limit = now - stallMs
    const isOver = ({ givenUp, since }: Entry) =>
      givenUp !== null && Math.max(since, this.seenAt) <= limit
    const over = this.entries.filter(isOver)
    if (over.length > 0) this.entries = this.entries.filter((entry) => !isOver(entry))
    for (const entry of over) entry.givenUp!('stands')
    if (this.entries.length === 0) this.disarm()
  }
}
