// Of the two orders of a pair one executes (TRIG-14): a pair with a resting leg executes at most
// its size, by the leg and by the order that its stop makes. Editing the leg changes that size.

import type { Event } from '../../../../src/core/events/event-fields.ts'

type Pair = { readonly size: number; filled: number }

export class Pairs {
  /** The newest orders, by id: one of them may be a leg that is linked next. */
  private readonly placed = new Map<number, number>()
  private readonly pairs = new Map<number, Pair>()

  check(event: Event): string | null {
    switch (event.type) {
      case 'OrderPlaced': {
        this.placed.set(event.order, event.size)
        const pair = this.pairs.get(event.parent)
        if (pair === undefined) return null
        // Of an edited leg too: its pair is not followed any more.
        if (event.origin === 'user') this.forget(pair)
        else this.pairs.set(event.order, pair)
        return null
      }
      case 'OcoLinked': {
        const size = this.placed.get(event.first) ?? this.placed.get(event.second)
        if (size === undefined) return null
        const pair = { size, filled: 0 }
        this.pairs.set(event.first, pair)
        this.pairs.set(event.second, pair)
        return null
      }
      case 'Traded':
        return this.add(event.makerOrder, event.lots) ?? this.add(event.takerOrder, event.lots)
      default:
        return null
    }
  }

  /** A command is over: legs are linked by the command that places them. */
  rest(): void {
    this.placed.clear()
  }

  private add(order: number, lots: number): string | null {
    const pair = this.pairs.get(order)
    if (pair === undefined) return null
    pair.filled += lots
    return pair.filled > pair.size ? `a pair of ${pair.size} executed ${pair.filled}` : null
  }

  private forget(pair: Pair): void {
    for (const [order, one] of this.pairs) if (one === pair) this.pairs.delete(order)
  }
}
