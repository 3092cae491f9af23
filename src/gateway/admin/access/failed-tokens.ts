// Unknown tokens are logged, counted, and answered with a growing delay, so that tokens cannot be
// guessed. A valid token is never delayed, even from the same address. After a wrong one the
// connection is closed: nothing more that arrives on it is checked, so that each guess costs a
// connection. Only a few refusals wait at a time, and they yield their places
// (../../limits/connection-caps.ts): waiting must not become a way to keep operators out.

import type { Logger } from 'pino'
import { limitKeyOf } from '../../limits/ip-address.ts'

/** Wrong tokens of an address that are answered without delay, to allow for typing errors. */
const freeFailures = 3
const delay = { firstMs: 250, mostMs: 8_000 } as const
/** An address without wrong tokens for this time starts over. */
const forgottenMs = 600_000
/** Maximum number of remembered addresses. The one that was quiet longest is replaced, and while
 *  all of them are recent a new address waits as long as any. */
const addressesMax = 1_000

/** Maximum number of delayed refusals, per address and in total. Others are answered without a
 *  delay. */
const waitingPerAddress = 4
const waitingMax = 16

type Failures = { count: number; lastMs: number }

/** A wrong token: its address, and the delay of its answer. */
export type Failure = Readonly<{ key: string; waitMs: number }>
type Waiting = Readonly<{ key: string; answer: () => void }>

export class FailedTokens {
  /** Since the start. */
  total = 0
  private readonly log: Logger
  private readonly now: () => number
  /** Sorted by the last failure, the oldest first. */
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

  /** Removes the oldest entry; returns whether it was recent. */
  private isFull(nowMs: number): boolean {
    if (this.byAddress.size < addressesMax) return false
    const [[key, { lastMs }]] = this.byAddress as unknown as [[string, Failures]]
    this.byAddress.delete(key)
    return nowMs - lastMs < forgottenMs
  }

  /** Calls back after the wait, when the server closes, or now if too many wait. */
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

  /** Ends all waits, so that the server can stop. */
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
