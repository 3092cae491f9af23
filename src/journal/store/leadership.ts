// The period in which one process leads, by its own monotonic clock. The lease is renewed by
// another thread, and its end is read here before anything is acknowledged. After its end the
// leader sends nothing and ignores late answers, so the outcome of pending requests is unknown. A
// leadership ends once, for one reason, and never restarts. To lead again, a process takes a new
// one.

import type { Frame } from '../frame.ts'
import type { FrameStore, Lease } from './frame-store.ts'
import { leaseOver } from './renewal.ts'
import { asStoreFault, StoreFault } from './store-fault.ts'

export type LeadershipOptions = Readonly<{
  /** Name of the leader, unique for each run of a process. */
  holder: string
  leaseMs: number
  /** Clock of the machine, by which the lease is renewed. The store uses the same clock. */
  now: () => number
}>

/** Interval in ms at which an idle leader shows progress. */
export const progressEveryMs = 500

export class Leadership {
  /** Resolves when the release of the lease is requested. */
  readonly stepDown: Promise<void>
  /** Resolves with the reason when the leadership has ended. */
  readonly ended: Promise<StoreFault>
  private readonly store: FrameStore
  private readonly lease: Lease
  private readonly leaseMs: number
  private readonly now: () => number
  private fault: StoreFault | null = null
  private resolveEnded: (fault: StoreFault) => void = () => undefined
  /** Rejects the pending frame. */
  private giveUp: ((fault: StoreFault) => void) | null = null
  /** Number of operations without which the leader cannot continue. */
  private pending = 0
  private endTimer: NodeJS.Timeout | null = null
  private readonly progressTimer: NodeJS.Timeout

  private constructor(store: FrameStore, lease: Lease, { leaseMs, now }: LeadershipOptions) {
    this.store = store
    this.lease = lease
    this.leaseMs = leaseMs
    this.now = now
    this.stepDown = lease.stepDown
    this.ended = new Promise((resolve) => {
      this.resolveEnded = resolve
    })
    void lease.ended.then((fault) => this.end(fault))
    // An operation that never completes is not progress, even if the event loop runs.
    const idle = () => this.pending === 0 && this.showProgress()
    this.progressTimer = setInterval(idle, progressEveryMs)
    this.watchEnd()
  }

  /** Takes the lease; returns `null` while another node leads, or if this node, whose history ends
   *  with `seq`, is too far behind. The caller retries. */
  static async take(
    store: FrameStore,
    seq: number,
    options: LeadershipOptions,
  ): Promise<Leadership | null> {
    const lease = await store.lead(options.holder, seq)
    return lease === null ? null : new Leadership(store, lease, options)
  }

  /** Whether answers may still be given, including those of reads. */
  get holds(): boolean {
    if (this.fault === null && this.now() >= this.lease.endsAt)
      this.end(this.lease.fault ?? leaseOver(this.leaseMs))
    return this.fault === null
  }

  /** Time in ms until the lease ends without a renewal. */
  get leftMs(): number {
    return this.holds ? this.lease.endsAt - this.now() : -1
  }

  /** Called between long steps of this thread, which would otherwise appear to hang. */
  showProgress(): void {
    this.lease.showProgress()
  }

  /** Waits for an operation without which the leader cannot continue. If it takes too long, the
   *  lease is not renewed. */
  async during<T>(operation: Promise<T>): Promise<T> {
    this.pending += 1
    try {
      return await operation
    } finally {
      this.pending -= 1
      this.showProgress()
    }
  }

  /** Appends a frame; resolves when it is flushed on two machines and the lease still holds. One
   *  call at a time. Any failure ends the leadership. */
  async append(frame: Frame): Promise<void> {
    if (!this.holds) throw this.fault
    if (this.giveUp !== null) throw new Error('a frame is under way')
    const cut = new Promise<never>((_, reject) => {
      this.giveUp = reject
    })
    try {
      await this.during(Promise.race([this.store.append(frame), cut]))
    } catch (error) {
      this.end(asStoreFault(error))
      throw error
    } finally {
      this.giveUp = null
    }
    // The process may have been stopped before the answer arrived.
    if (!this.holds) throw unknown(this.fault!)
  }

  /** Releases the lease voluntarily, so that the next leader need not wait. Nothing is answered any
   *  more when it is released. */
  async resign(): Promise<void> {
    if (!this.holds) return
    const fault = new StoreFault('LEAD_RETURNED', 'the lead was given back')
    this.fault = fault
    try {
      await this.store.resign()
    } finally {
      this.finish(fault)
    }
  }

  private end(fault: StoreFault): void {
    if (this.fault !== null) return
    this.fault = fault
    this.giveUp?.(unknown(fault))
    this.finish(fault)
  }

  private finish(fault: StoreFault): void {
    if (this.endTimer !== null) clearTimeout(this.endTimer)
    clearInterval(this.progressTimer)
    this.store.close()
    this.resolveEnded(fault)
  }

  private watchEnd(): void {
    // `holds` ends the leadership. If the lease was renewed meanwhile, the check is repeated.
    const check = () => {
      if (this.holds) this.watchEnd()
    }
    this.endTimer = setTimeout(check, Math.max(1, this.lease.endsAt - this.now()))
  }
}

function unknown(cause: StoreFault): StoreFault {
  if (cause.code === 'FATE_UNKNOWN') return cause
  const text = `an append was under way when the lead was lost: ${cause.message}`
  return new StoreFault('FATE_UNKNOWN', text, cause)
}
