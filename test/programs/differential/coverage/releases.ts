// How orders that waited for a tick were released or ended, and how fired stops went on.

import type { Command } from '../../../../src/core/commands/commands.ts'
import { rejections } from '../../../../src/core/commands/rejections.ts'
import type { Event } from '../../../../src/core/events/event-fields.ts'

export const wantedOfReleases = [
  'released by a tick',
  'ended after its wait for a tick',
  'ended by a stale market',
  'a fired stop ran again',
  'a fired stop waited behind another',
  ...['expired', 'owner', 'reduce_only', 'market_closed'].map((why) => `a fired stop ended ${why}`),
]

/** Of one world: it remembers which orders wait, and which are of fired stops that go on. */
export class Releases {
  private readonly waiting = new Set<number>()
  private readonly fired = new Map<number, { account: number; market: number }>()

  /** What this command came to. */
  namesOf(command: Command, events: readonly Event[]): readonly string[] {
    const names: string[] = []
    const fresh = new Set<number>()
    let stale = 0
    for (const event of events) {
      if (event.type === 'FeedHealthChanged' && event.health === 'stale') stale = event.market
      if (event.type === 'OrderPlaced') {
        fresh.add(event.order)
        names.push(...this.placed(event))
      }
      if (event.type === 'OrderRested') this.waiting.delete(event.order)
      if (event.type === 'Traded') {
        const { takerOrder: order } = event
        if (this.fired.has(order) && !fresh.has(order)) names.push('a fired stop ran again')
        else if (this.waiting.has(order) && command.type === 'OracleTick')
          names.push('released by a tick')
        this.waiting.delete(order)
        if (event.takerRemaining === 0) this.fired.delete(order)
      }
      if (event.type === 'OrderCancelled') names.push(...this.cancelled(event, stale))
    }
    return names
  }

  private placed(event: Extract<Event, { type: 'OrderPlaced' }>): readonly string[] {
    const { order, account, market, waiting } = event
    if (waiting) this.waiting.add(order)
    if (event.origin !== 'trigger' || !event.reduceOnly || event.orderType !== 'market') return []
    const others = [...this.fired.values()]
    const behind = others.some((one) => one.account === account && one.market === market)
    this.fired.set(order, { account, market })
    return behind ? ['a fired stop waited behind another'] : []
  }

  private *cancelled(
    { order, market, reason, rejection }: Extract<Event, { type: 'OrderCancelled' }>,
    stale: number,
  ): Generator<string> {
    if (this.fired.delete(order)) yield `a fired stop ended ${reason}`
    const waited = this.waiting.delete(order)
    if (!waited || rejection !== rejections.ORACLE_NOT_AVAILABLE.code) return
    yield market === stale ? 'ended by a stale market' : 'ended after its wait for a tick'
  }
}
