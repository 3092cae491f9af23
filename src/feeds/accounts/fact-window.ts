// The newest facts of all watched accounts, for readers that reconnect. Limited per account and in
// total; the oldest facts are dropped first. Each account has the sequence number from which its
// facts are complete.

import type { Fact } from './facts.ts'

export const windowLimits = { perAccount: 2_000, inAll: 200_000 } as const

/** The facts of one account. */
export class Facts {
  private kept: Fact[] = []
  private head = 0
  /** All facts after this sequence number are kept. */
  completeAfter: number

  constructor(seq: number) {
    this.completeAfter = seq
  }

  get count(): number {
    return this.kept.length - this.head
  }

  add(fact: Fact): void {
    this.kept.push(fact)
  }

  dropOldest(): void {
    if (this.count === 0) return
    this.completeAfter = Math.max(this.completeAfter, this.kept[this.head]!.seq)
    this.head += 1
    if (this.head < 256 || this.head * 2 < this.kept.length) return
    this.kept = this.kept.slice(this.head)
    this.head = 0
  }

  restart(seq: number): void {
    this.kept = []
    this.head = 0
    this.completeAfter = seq
  }

  after(seq: number): Fact[] {
    let at = this.kept.length
    while (at > this.head && this.kept[at - 1]!.seq > seq) at -= 1
    return this.kept.slice(at)
  }
}

/** Keeps the facts of all accounts, in order. */
export class FactWindow {
  private readonly limits: Readonly<{ perAccount: number; inAll: number }>
  private queue: Facts[] = []
  private head = 0

  constructor(limits: Readonly<{ perAccount: number; inAll: number }> = windowLimits) {
    this.limits = limits
  }

  add(facts: Facts, fact: Fact): void {
    facts.add(fact)
    this.queue.push(facts)
    if (facts.count > this.limits.perAccount) facts.dropOldest()
    // When an account drops a fact because of its own limit, the fact remains counted in the queue.
    // The total limit then drops a fact early, never late.
    if (this.queue.length - this.head <= this.limits.inAll) return
    this.queue[this.head]!.dropOldest()
    this.head += 1
    if (this.head < 1_024 || this.head * 2 < this.queue.length) return
    this.queue = this.queue.slice(this.head)
    this.head = 0
  }
}
