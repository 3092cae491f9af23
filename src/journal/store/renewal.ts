// Renews a lease until it ends, in its own thread. The end of the lease is counted from the time at
// which a renewal was sent, so it ends for the leader before it can end for any observer. While the
// trading thread shows no progress, nothing is renewed: a leader that hangs loses the lead.

import type { LeaseMemory } from './lease-memory.ts'
import { asStoreFault, StoreFault } from './store-fault.ts'

/** Time in ms without progress of the trading thread after which it counts as hung. Only the time
 *  after the lease was taken counts, so that recovery may take longer. */
export const progressMsMax = 10_000

/** Number of renewals in the duration of a lease, so that a late or lost renewal does not end
 *  it. */
const renewalsInLease = 4
/** Maximum renewal interval in ms, because renewals also report the status of the store. */
const beatMsMax = 1_000

export type RenewalParts = Readonly<{
  /** Renews the lease; resolves with `true` if its release was requested. */
  renew(): Promise<boolean>
  /** Fails if the store must not be used any more, although the lease was renewed. */
  check(): Promise<void>
  memory: LeaseMemory
  leaseMs: number
  now: () => number
  onStepDown(): void
  /** Called when nothing is renewed because the trading thread hangs. It may recover. */
  onHang(): void
  /** Called once, when the lease has ended. */
  onEnd(fault: StoreFault): void
}>

export class Renewal {
  private readonly parts: RenewalParts
  private timer: NodeJS.Timeout | null = null
  private stopped = false
  private hangs = false

  /** Continues a lease that was requested at this time. */
  constructor(parts: RenewalParts, sentAt: number) {
    this.parts = parts
    parts.memory.progressAt = parts.now()
    parts.memory.endsAt = sentAt + parts.leaseMs
    this.beatAfter(sentAt)
  }

  /** Ends the renewals, and nothing else. */
  stop(): void {
    this.stopped = true
    if (this.timer !== null) clearTimeout(this.timer)
  }

  /** The interval is counted from the last request: a slow store must not make it longer. */
  private beatAfter(sentAt: number): void {
    const { leaseMs, now } = this.parts
    const ms = sentAt + Math.min(leaseMs / renewalsInLease, beatMsMax) - now()
    this.timer = setTimeout(() => void this.beat(), Math.max(1, ms))
  }

  private async beat(): Promise<void> {
    const { memory, leaseMs, now, renew, check, onStepDown } = this.parts
    if (this.endIfOver()) return
    const sentAt = now()
    if (this.isHung()) return this.beatAfter(sentAt)
    try {
      const shouldStepDown = await renew()
      // A lease that has ended is not continued, because the trading thread may have seen its end.
      if (this.stopped || this.endIfOver()) return
      memory.endsAt = sentAt + leaseMs
      if (shouldStepDown) onStepDown()
      await check()
    } catch (error) {
      return this.end(asStoreFault(error))
    }
    if (!this.stopped) this.beatAfter(sentAt)
  }

  private isHung(): boolean {
    const { memory, now, onHang } = this.parts
    const isHung = now() - memory.progressAt > progressMsMax
    if (isHung && !this.hangs) onHang()
    this.hangs = isHung
    return isHung
  }

  private endIfOver(): boolean {
    const { memory, leaseMs, now } = this.parts
    if (now() < memory.endsAt) return false
    this.end(this.hangs ? leaderHung() : leaseOver(leaseMs))
    return true
  }

  private end(fault: StoreFault): void {
    if (this.stopped) return
    this.stop()
    this.parts.onEnd(fault)
    // Last, so that the reason is known to the thread that reads it.
    this.parts.memory.endsAt = 0
  }
}

export function leaseOver(leaseMs: number): StoreFault {
  return new StoreFault(
    'LEAD_LOST',
    `the store has not renewed our lease of ${leaseMs} ms in time: it, its standbys (is a disk ` +
      'of theirs full?), the network or this process stood still',
  )
}

function leaderHung(): StoreFault {
  return new StoreFault(
    'LEAD_LOST',
    `the trading thread made no progress for ${progressMsMax} ms, so its lease was not renewed`,
  )
}
