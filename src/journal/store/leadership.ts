// The period in which one process leads, by its own monotonic clock. It is counted from the moment
// at which a renewal was sent, so it ends here before it can end for any observer. After its end
// nothing is sent, and late answers are ignored: the outcome of pending requests is unknown. It
// ends once, for one reason, and never restarts; to lead again, a process takes a new one.

import type { Frame } from '../frame.ts'
import type { FrameStore } from './frame-store.ts'
import { StoreFault } from './store-fault.ts'

export type LeadershipOptions = Readonly<{
  /** Name of the leader, unique for each run of a process. */
  holder: string
  leaseMs: number
  /** Monotonic, also while the process is stopped; the store uses the same clock. */
  now: () => number
}>

/** Number of renewals in the duration of a lease: one that is late or lost does not end it. */
const renewalsInLease = 4
/** Upper limit of the renewal interval, whatever the lease: renewals also report the status of the
 *  store. */
const beatMsMax = 1_000

export class Leadership {
  /** Resolves when the release of the lease is requested. */
  readonly stepDown: Promise<void>
  /** Resolves with the reason when it is over. */
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

  /** `null` while another node leads; the caller retries. */
  static async take(store: FrameStore, options: LeadershipOptions): Promise<Leadership | null> {
    const sentAt = await store.lead(options.holder)
    return sentAt === null ? null : new Leadership(store, sentAt, options)
  }

  /** Whether answers may still be given, including those of reads. */
  get holds(): boolean {
    if (this.fault === null && this.now() >= this.until) this.end(leaseOver(this.leaseMs))
    return this.fault === null
  }

  /** Time in ms until the end of the lease, unless it is renewed. */
  get leftMs(): number {
    return this.holds ? this.until - this.now() : -1
  }

  /** Resolves when the frame is flushed on two machines and the lease still holds. One at a time.
   *  Any failure ends the leadership. */
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
    // The process may have been stopped while the answer was on its way.
    if (!this.holds) throw unknown(this.fault!)
  }

  /** Releases the lease voluntarily: the next leader need not wait. */
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
    // `holds` ends it; a timer that is early by a fraction checks again.
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
