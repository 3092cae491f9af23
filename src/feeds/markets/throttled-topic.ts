// A topic that shows a state, and does so at most once in a while.

import type { Sight } from '../sight.ts'
import type { Told } from '../topic.ts'
import { MarketTopic } from './market-topic.ts'

export abstract class ThrottledTopic extends MarketTopic {
  private readonly periodMs: number
  protected dirty = false

  constructor(key: string, sight: Sight, market: number | null, periodMs: number) {
    super(key, sight, market)
    this.periodMs = periodMs
  }

  /** What changed since it last spoke; null: nothing after all. */
  protected abstract news(): Told | null

  override batchEnded(): boolean {
    return this.dirty || this.hasPending
  }

  override collect(nowMs: number): boolean {
    if (!this.dirty) return false
    if (nowMs < this.nextAt) return true
    this.dirty = false
    this.nextAt = nowMs + this.periodMs
    const told = this.news()
    if (told !== null) this.tell(told)
    return false
  }

  override reverted(): void {
    super.reverted()
    this.dirty = false
  }
}
