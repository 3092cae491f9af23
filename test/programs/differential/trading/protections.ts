// Protected accounts and markets, and those frozen after a trip (ORDER-18), folded from events.

import type { Event } from '../../../../src/core/events/event-fields.ts'

type Maker = Readonly<{ account: number; market: number; until: number }>

const unfrozen = -1

export class Protections {
  private readonly makers = new Map<string, Maker>()

  fold(event: Event): void {
    if (event.type === 'MmpTripped') this.set(event, event.until)
    if (event.type === 'MmpSet' || event.type === 'MmpReset') this.set(event, unfrozen)
    if (event.type === 'MmpRemoved') this.makers.delete(`${event.account}:${event.market}`)
  }

  private set({ account, market }: Omit<Maker, 'until'>, until: number): void {
    this.makers.set(`${account}:${market}`, { account, market, until })
  }

  all(): readonly Maker[] {
    return [...this.makers.values()]
  }

  frozen(atMs: number): readonly Maker[] {
    return this.all().filter(({ until }) => until === 0 || until > atMs)
  }
}
