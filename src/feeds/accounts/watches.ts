// The watched accounts. An account is watched from its first subscription until some time after its
// last reader left, so that a reader that returns soon receives the events that it missed. Watches
// without readers are limited in number and time. If readers may come from other processes, every
// account with events is watched while there is room.

import type { Watch } from './watch.ts'

export const watchLimits = { idleMs: 600_000, idleMax: 5_000 } as const

export class Watches {
  private readonly byAddress = new Map<string, Watch>()
  private readonly byAccount = new Map<number, Watch>()
  /** Sorted by the time at which they became idle. */
  private readonly idle = new Set<Watch>()
  /** Accounts that are no longer watched may have had events up to this sequence number. */
  lostAt = 0
  private readonly limits: Readonly<{ idleMs: number; idleMax: number }>

  constructor(limits: Readonly<{ idleMs: number; idleMax: number }> = watchLimits) {
    this.limits = limits
  }

  get size(): number {
    return this.byAddress.size
  }

  /** Whether one more watch without readers is allowed. */
  get hasRoom(): boolean {
    return this.idle.size < this.limits.idleMax
  }

  of(account: number): Watch | undefined {
    return this.byAccount.get(account)
  }

  ofAddress(address: string): Watch | undefined {
    return this.byAddress.get(address)
  }

  all(): IterableIterator<Watch> {
    return this.byAddress.values()
  }

  add(watch: Watch): void {
    this.byAddress.set(watch.address, watch)
    this.bind(watch)
  }

  /** Must be called when the account id of a watch is known or has changed. */
  bind(watch: Watch): void {
    if (watch.account !== 0) this.byAccount.set(watch.account, watch)
  }

  rebindAll(): void {
    this.byAccount.clear()
    for (const watch of this.byAddress.values()) {
      watch.restart()
      this.bind(watch)
    }
  }

  markRead(watch: Watch): void {
    watch.idleSince = 0
    this.idle.delete(watch)
  }

  markIdle(watch: Watch, nowMs: number): void {
    watch.idleSince = nowMs
    this.idle.add(watch)
    this.forget(nowMs)
  }

  /** Extends the time of watches without readers, because they have new events. */
  keep(watches: Iterable<Watch>, nowMs: number): void {
    for (const watch of watches) {
      if (!this.idle.delete(watch)) continue
      watch.idleSince = nowMs
      this.idle.add(watch)
    }
  }

  /** Drops watches without readers that are too old or too many. */
  forget(nowMs: number): void {
    for (const watch of this.idle) {
      const isOld = nowMs - watch.idleSince >= this.limits.idleMs
      if (!isOld && this.idle.size <= this.limits.idleMax) return
      this.idle.delete(watch)
      this.lostAt = Math.max(this.lostAt, watch.lastSeq)
      this.byAddress.delete(watch.address)
      this.byAccount.delete(watch.account)
    }
  }
}
