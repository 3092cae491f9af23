// Credits spent in the last 60 seconds, per bucket: a row of a typed array with 60 cells of one
// second each. Refused requests cost nothing. Costs and limits are in tenths of a credit.
//
// Memory is bounded and debts are never forgotten: a row is freed only when its last spending is 60
// seconds old. If no row is free, new callers share a few rows, chosen by a hash with a secret
// seed. An attacker with many addresses therefore affects only other new callers, and all of them
// together spend no more than the shared rows allow. Callers that already have a row are not
// affected. Callers with a key have a separate pool (rate-limit.ts).

import { randomInt } from 'node:crypto'

export const windowSeconds = 60

export type Taken = Readonly<{
  ok: boolean
  /** Remaining tenths of the window. */
  remaining: number
  /** Seconds until the oldest spending expires and credits are restored. */
  resetSeconds: number
  /** Seconds until this cost can be paid; 0 if it was paid. */
  retryAfterSeconds: number
}>

export type CreditsOptions = Readonly<{ bucketsMax?: number; sharedBuckets?: number }>

export class Credits {
  private readonly bucketsMax: number
  private readonly shared: number
  private readonly seed = randomInt(2 ** 32)
  private readonly rowOf = new Map<string, number>()
  /** Key of each row. The first rows are shared and have no key. */
  private readonly keyOf: (string | null)[]
  private readonly free: number[] = []
  private cells: Uint32Array
  private spent: Float64Array
  private lastSecond: Float64Array
  private sweepAt: number
  private nowSecond = 0

  constructor({ bucketsMax = 100_000, sharedBuckets = 1_024 }: CreditsOptions = {}) {
    this.bucketsMax = bucketsMax
    this.shared = sharedBuckets
    this.keyOf = new Array<string | null>(sharedBuckets).fill(null)
    this.sweepAt = sharedBuckets
    this.cells = new Uint32Array(sharedBuckets * windowSeconds)
    this.spent = new Float64Array(sharedBuckets)
    this.lastSecond = new Float64Array(sharedBuckets)
  }

  /** Number of buckets with their own row. */
  get size(): number {
    return this.rowOf.size
  }

  take(key: string, limit: number, cost: number, nowMs: number): Taken {
    // If the clock steps back, old cells must not become valid again.
    this.nowSecond = Math.max(this.nowSecond, Math.floor(nowMs / 1000))
    this.sweep(2)
    const row = this.rowOf.get(key) ?? this.newRow(key)
    this.forget(row)
    const spent = this.spent[row]!
    if (spent + cost > limit) {
      return {
        ok: false,
        remaining: Math.max(0, limit - spent),
        resetSeconds: this.secondsUntilFreed(row, 1),
        retryAfterSeconds: this.secondsUntilFreed(row, spent + cost - limit),
      }
    }
    this.cells[row * windowSeconds + (this.nowSecond % windowSeconds)]! += cost
    this.spent[row] = spent + cost
    const remaining = limit - spent - cost
    const resetSeconds = this.secondsUntilFreed(row, 1)
    return { ok: true, remaining, resetSeconds, retryAfterSeconds: 0 }
  }

  /** Adds spending that another process reported, even above the limit. */
  spend(key: string, cost: number, nowMs: number): void {
    this.take(key, Number.POSITIVE_INFINITY, cost, nowMs)
  }

  /** Refunds a recent cost. */
  giveBack(key: string, cost: number): void {
    const row = this.rowOf.get(key) ?? this.sharedRow(key)
    let left = cost
    for (let back = 0; back < windowSeconds && left > 0; back++) {
      const second = this.lastSecond[row]! - back
      const at = row * windowSeconds + ((second + windowSeconds) % windowSeconds)
      const given = Math.min(this.cells[at]!, left)
      this.cells[at]! -= given
      this.spent[row]! -= given
      left -= given
    }
  }

  /** Clears the cells that are older than the window. */
  private forget(row: number): void {
    const first = row * windowSeconds
    const passed = Math.min(this.nowSecond - this.lastSecond[row]!, windowSeconds)
    for (let back = 0; back < passed; back++) {
      const at = first + ((this.nowSecond - back) % windowSeconds)
      this.spent[row]! -= this.cells[at]!
      this.cells[at] = 0
    }
    this.lastSecond[row] = this.nowSecond
  }

  /** Seconds until `amount` of the spending has expired; the whole window if it never will. */
  private secondsUntilFreed(row: number, amount: number): number {
    const first = row * windowSeconds
    let freed = 0
    let cell = this.nowSecond % windowSeconds
    for (let seconds = 1; seconds < windowSeconds; seconds++) {
      cell = cell === windowSeconds - 1 ? 0 : cell + 1
      freed += this.cells[first + cell]!
      if (freed >= amount) return seconds
    }
    return windowSeconds
  }

  private newRow(key: string): number {
    const row = this.ownRow()
    if (row === null) return this.sharedRow(key)
    this.rowOf.set(key, row)
    this.keyOf[row] = key
    this.lastSecond[row] = this.nowSecond
    return row
  }

  private ownRow(): number | null {
    const spare = this.free.pop()
    if (spare !== undefined) return spare
    const row = this.keyOf.length
    if (row < this.shared + this.bucketsMax) {
      this.keyOf.push(null)
      if (row >= this.spent.length) this.grow()
      return row
    }
    this.sweep(64)
    return this.free.pop() ?? null
  }

  private grow(): void {
    const rows = Math.min(this.spent.length * 2 + 64, this.shared + this.bucketsMax)
    const { cells, spent, lastSecond } = this
    this.cells = new Uint32Array(rows * windowSeconds)
    this.spent = new Float64Array(rows)
    this.lastSecond = new Float64Array(rows)
    this.cells.set(cells)
    this.spent.set(spent)
    this.lastSecond.set(lastSecond)
  }

  /** Checks a few rows in rotation, and frees those without spending. */
  private sweep(rows: number): void {
    for (let looked = 0; looked < rows && this.keyOf.length > this.shared; looked++) {
      if (this.sweepAt >= this.keyOf.length) this.sweepAt = this.shared
      const row = this.sweepAt++
      const key = this.keyOf[row]
      if (key === null || key === undefined) continue
      if (this.nowSecond - this.lastSecond[row]! < windowSeconds) continue
      this.forget(row)
      this.rowOf.delete(key)
      this.keyOf[row] = null
      this.free.push(row)
    }
  }

  private sharedRow(key: string): number {
    let hash = this.seed
    for (let at = 0; at < key.length; at++) {
      hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
      hash ^= hash >>> 15
    }
    return (hash >>> 0) % this.shared
  }
}
