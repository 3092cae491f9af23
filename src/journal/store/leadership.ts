// The period in which one process leads, by its own monotonic clock. The lease is counted from the
// time at which a renewal was sent, so it ends for the leader before it can end for any observer.
// After its end the leader sends nothing and ignores late answers, so the outcome of pending
// requests is unknown. A leadership ends once, for one reason, and never restarts. To lead again, a
// process takes a new one.

import type { Frame } from '../frame.ts'
import type { FrameStore } from './frame-store.ts'
import { StoreFault } from './store-fault.ts'

export type LeadershipOptions = Readonly<{
  /** Name of the leader, unique for each run of a process. */
  holder: string
  leaseMs: number
  /** Monotonic clock that also runs while the process is stopped. The store uses the same clock. */
  now: () => number
}>

/** Number of renewals in the duration of a lease, so that a late or lost renewal does not end
 *  it. */
const renewalsInLease = 4
/** Maximum renewal interval in ms, because renewals also report the status of the store. */
const beatMsMax = 1_000

export class Leadership {
  /** Resolves when the release of the lease is requested. */
  readonly stepDown: Promise<void>
  /** Resolves with the reason when the leadership has ended. */
  readonly ended: Promise<StoreFault>
  private readonly store: FrameStore
  private readonly leaseMs: number
  private readonly now: () => number
  private fault: StoreFault | null = null
  private resolveEnded: (fault: StoreFault) => void = () => undefined
  private resolveStepDown: () => void = () => undefined
  /** Rejects the pending frame. */
  private giveUp: ((fault: StoreFault) => void) | null = null
  private until: number
  private endTimer: NodeJS.Timeout | null = null
  private beatTimer: NodeJS.Timeout | null = null

  private constructor(store: FrameStore, sentAt: number, options: LeadershipOptions) {
    this.store = store
    this.leaseMs = options.leaseMs
    this.now = options.now
    this.until = sentAt + this.leaseMs
    this.ended = new Promise((resolve) => {
      this.resolveEnded = resolve
    })
    this.stepDown = new Promise((resolve) => {
      this.resolveStepDown = resolve
    })
    this.watchEnd()
    this.beatLater()
  }

  /** Takes the lease; returns `null` while another node leads. The caller retries. */
  static async take(store: FrameStore, options: LeadershipOptions): Promise<Leadership | null> {
    const sentAt = await store.lead(options.holder)
    return sentAt === null ? null : new Leadership(store, sentAt, options)
  }

  /** Whether answers may still be given, including those of reads. */
  get holds(): boolean {
    if (this.fault === null && this.now() >= this.until) this.end(leaseOver(this.leaseMs))
    return this.fault === null
  }

  /** Time in ms until the lease ends without a renewal. */
  get leftMs(): number {
    return this.holds ? this.until - this.now() : -1
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
      await Promise.race([this.store.append(frame), cut])
    } catch (error) {
      this.end(asFault(error))
      throw error
    } finally {
      this.giveUp = null
    }
    // The process may have been stopped before the answer arrived.
    if (!this.holds) throw unknown(this.fault!)
  }

  /** Releases the lease voluntarily, so that the next leader need not wait. */
  async resign(): Promise<void> {
    if (this.holds) await this.store.resign()
    this.end(new StoreFault('LEAD_RETURNED', 'the lead was given back'))
  }

  private end(fault: StoreFault): void {
    if (this.fault !== null) return
    this.fault = fault
    if (this.endTimer !== null) clearTimeout(this.endTimer)
    if (this.beatTimer !== null) clearTimeout(this.beatTimer)
    this.giveUp?.(unknown(fault))
    this.store.close()
    this.resolveEnded(fault)
  }

  private watchEnd(): void {
    if (this.endTimer !== null) clearTimeout(this.endTimer)
    // `holds` ends the leadership. If the timer fires slightly early, the check is repeated.
    const check = () => {
      if (this.holds) this.watchEnd()
    }
    this.endTimer = setTimeout(check, Math.max(1, this.until - this.now()))
  }

  private beatLater(): void {
    const ms = Math.min(this.leaseMs / renewalsInLease, beatMsMax)
    this.beatTimer = setTimeout(() => void this.beat(), ms)
  }

  private async beat(): Promise<void> {
    const sentAt = this.now()
    try {
      if (await this.store.renew()) this.resolveStepDown()
    } catch (error) {
      return this.end(asFault(error))
    }
    if (!this.holds) return
    this.until = sentAt + this.leaseMs
    this.watchEnd()
    this.beatLater()
  }
}

function leaseOver(leaseMs: number): StoreFault {
  return new StoreFault(
    'LEAD_LOST',
    `the store has not renewed our lease of ${leaseMs} ms in time: it, its standbys (is a disk ` +
      'of theirs full?), the network or this process stood still',
  )
}

function unknown(cause: StoreFault): StoreFault {
  if (cause.code === 'FATE_UNKNOWN') return cause
  const text = `an append was under way when the lead was lost: ${cause.message}`
  return new StoreFault('FATE_UNKNOWN', text, cause)
}

function asFault(error: unknown): StoreFault {
  if (error instanceof StoreFault) return error
  return new StoreFault('STORE_REFUSED', (error as Error).message, error)
}
