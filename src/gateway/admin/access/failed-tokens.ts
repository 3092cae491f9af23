// Slows down attempts to guess tokens. Wrong tokens are logged, counted, and answered with a
// growing delay. A valid token is never delayed, even from the same address. After a wrong token
// the connection is closed without reading further requests, so that each attempt needs a new
// connection. The number of delayed refusals is limited, and their connections yield to others
// (../../limits/connection-caps.ts), so that they cannot lock out operators.

import type { Logger } from 'pino'
import { limitKeyOf } from '../../limits/ip-address.ts'

/** Number of wrong tokens per address that are answered without delay, to allow for typing
 *  errors. */
const freeFailures = 3
const delay = { firstMs: 250, mostMs: 8_000 } as const
/** The failures of an address are forgotten after this time without another failure. */
const forgottenMs = 600_000
/** Maximum number of remembered addresses. A new address replaces the one whose last failure is
 *  oldest. If even that failure is recent, the new address gets the longest delay. */
const addressesMax = 1_000

/** Maximum number of delayed refusals, per address and in total. Further refusals are not
 *  delayed. */
const waitingPerAddress = 4
const waitingMax = 16

type Failures = { count: number; lastMs: number }

/** A wrong token: the key of its address, and the delay of the reply. */
export type Failure = Readonly<{ key: string; waitMs: number }>
type Waiting = Readonly<{ key: string; answer: () => void }>

export class FailedTokens {
  /** Number of wrong tokens since the start. */
  total = 0
  private readonly log: Logger
  private readonly now: () => number
  /** Sorted by the time of the last failure, oldest first. */
  private readonly byAddress = new Map<string, Failures>()
  private readonly waiting = new Map<NodeJS.Timeout, Waiting>()
  private isClosed = false

  constructor(log: Logger, now: () => number = () => performance.now()) {
    this.log = log
    this.now = now
  }

  get addresses(): number {
    return this.byAddress.size
  }

  /** Number of delayed refusals. */
  get delayed(): number {
    return this.waiting.size
  }

  /** Counts a wrong token. `address` must be canonical. */
  note(address: string, path: string): Failure {
    this.total += 1
    const key = limitKeyOf(address)
    const nowMs = this.now()
    const before = this.byAddress.get(key)
    const isFresh = before !== undefined && nowMs - before.lastMs < forgottenMs
    const isCrowded = before === undefined && this.isFull(nowMs)
    const count = (isFresh ? before.count : 0) + 1
    this.byAddress.delete(key)
    this.byAddress.set(key, { count, lastMs: nowMs })
    this.log.warn({ address, path, failures: count }, 'a wrong admin token was refused')
    return { key, waitMs: isCrowded ? delay.mostMs : waitOf(count) }
  }

  /** Removes the oldest address if the list is full; returns whether its last failure was
   *  recent. */
  private isFull(nowMs: number): boolean {
    if (this.byAddress.size < addressesMax) return false
    const [[key, { lastMs }]] = this.byAddress as unknown as [[string, Failures]]
    this.byAddress.delete(key)
    return nowMs - lastMs < forgottenMs
  }

  /** Calls `answer` after the delay or when the server closes; immediately if too many refusals
   *  are delayed. */
  later({ key, waitMs }: Failure, answer: () => void): void {
    if (waitMs === 0 || this.isClosed || this.isBusyWith(key)) return answer()
    const timer = setTimeout(() => {
      this.waiting.delete(timer)
      answer()
    }, waitMs)
    this.waiting.set(timer, { key, answer })
  }

  private isBusyWith(key: string): boolean {
    if (this.waiting.size >= waitingMax) return true
    let own = 0
    for (const each of this.waiting.values()) if (each.key === key) own += 1
    return own >= waitingPerAddress
  }

  /** Ends all delays, so that the server can stop. */
  close(): void {
    this.isClosed = true
    for (const [timer, { answer }] of this.waiting) {
      clearTimeout(timer)
      answer()
    }
    this.waiting.clear()
  }
}

function waitOf(count: number): number {
  if (count <= freeFailures) return 0
  return Math.min(delay.mostMs, delay.firstMs * 2 ** Math.min(count - freeFailures - 1, 16))
}
