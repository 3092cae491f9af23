// The last day of a market: a ring buffer of its newest trades, and volume and oracle price by
// minute. Minutes without updates cost nothing until the next update or query.

import type { PastBar } from '../sequencer/past-bars.ts'
import type { MinuteRow, TradeRow } from './history/history.ts'

export const tapeLength = 1_000
export const dayMinutes = 1_440
export const minuteMs = 60_000

/** Number of minutes in the ring buffers: from a day ago to the current minute, inclusive. */
const ringMinutes = dayMinutes + 1

export class MarketDay {
  private tape: TradeRow[] = []
  private tapeCount = 0
  /** The newest minute in the ring buffers. */
  private minute = 0
  private readonly volumes = new Float64Array(ringMinutes)
  /** 0 if the minute had no price. */
  private readonly oracles = new Float64Array(ringMinutes)
  /** The newest oracle price that is older than the ring buffers. */
  private olderOracle = 0
  private volumeSum = 0

  copy(): MarketDay {
    const copy = new MarketDay()
    copy.tape = [...this.tape]
    copy.tapeCount = this.tapeCount
    copy.minute = this.minute
    copy.volumes.set(this.volumes)
    copy.oracles.set(this.oracles)
    copy.olderOracle = this.olderOracle
    copy.volumeSum = this.volumeSum
    return copy
  }

  traded(trade: TradeRow, value: number): void {
    this.hadTrade(trade)
    this.moveTo(Math.floor(trade.atMs / minuteMs))
    this.volumes[this.minute % ringMinutes]! += value
    this.volumeSum += value
  }

  priced(oracle: number, atMs: number): void {
    this.moveTo(Math.floor(atMs / minuteMs))
    this.oracles[this.minute % ringMinutes] = oracle
  }

  /** Adds a trade to the tape. Its volume is counted separately. */
  hadTrade(trade: TradeRow): void {
    this.tape[this.tapeCount % tapeLength] = trade
    this.tapeCount += 1
  }

  hadMinute({ minute, volume, oracle }: MinuteRow): void {
    this.moveTo(minute)
    this.volumes[minute % ringMinutes] = volume
    this.volumeSum += volume
    this.oracles[minute % ringMinutes] = oracle
  }

  /** Adds minutes from before the market began, oldest first. They arrive late, or before its
   *  first price. */
  hadPast(bars: readonly PastBar[]): void {
    const newest = bars.at(-1)
    if (newest !== undefined) this.moveTo(newest.start / minuteMs)
    for (const { start, volume, oracle } of bars) {
      const minute = start / minuteMs
      const age = this.minute - minute
      const at = minute % ringMinutes
      if (age > dayMinutes) this.olderOracle = oracle
      else this.oracles[at] = oracle
      if (age >= dayMinutes) continue
      this.volumeSum += volume - this.volumes[at]!
      this.volumes[at] = volume
    }
  }

  /** Advances to this minute. Minutes that leave the ring buffers are subtracted from the sums. */
  private moveTo(minute: number): void {
    if (minute <= this.minute) return
    const first = Math.max(this.minute + 1, minute - dayMinutes)
    if (minute - this.minute >= ringMinutes) this.forgetAll()
    for (let passing = first; passing <= minute; passing++) this.forget(passing % ringMinutes)
    this.minute = minute
    // The minute of a day ago is kept for its price; its volume no longer counts.
    const oldest = (minute - dayMinutes) % ringMinutes
    if (oldest >= 0) this.dropVolume(oldest)
  }

  private dropVolume(at: number): void {
    this.volumeSum -= this.volumes[at]!
    this.volumes[at] = 0
  }

  private forget(at: number): void {
    this.dropVolume(at)
    if (this.oracles[at] !== 0) this.olderOracle = this.oracles[at]!
    this.oracles[at] = 0
  }

  /** Clears all minutes, because they are older than a day. Only the newest price is kept. */
  private forgetAll(): void {
    for (let back = dayMinutes; back >= 0; back--)
      if (this.minute - back >= 0) this.forget((this.minute - back) % ringMinutes)
  }

  /** Newest first. */
  trades(limit: number): TradeRow[] {
    const count = Math.min(limit, this.tapeCount, tapeLength)
    return Array.from(
      { length: count },
      (_, back) => this.tape[(this.tapeCount - 1 - back) % tapeLength]!,
    )
  }

  volume(atMs: number): number {
    this.moveTo(Math.floor(atMs / minuteMs))
    return this.volumeSum
  }

  oracleDayAgo(atMs: number): number {
    this.moveTo(Math.floor(atMs / minuteMs))
    const start = this.minute - dayMinutes
    for (let minute = start; minute <= this.minute; minute++) {
      const oracle = this.oracles[minute % ringMinutes]!
      if (minute === start && oracle === 0 && this.olderOracle !== 0) return this.olderOracle
      if (oracle !== 0) return oracle
    }
    return this.olderOracle
  }
}
