// Armed triggers of one market by what they watch: a price and a direction. Those of the last price
// are kept apart by their slippage, because each slippage fires within its own distance of the mark
// (TRIG-3): a tick passes over those that may not fire without a look at each.

import { BY_LAST, type Trigger } from './trigger.ts'
import { TriggerHeap } from './trigger-heap.ts'

export type Watched = Readonly<{ up: TriggerHeap; down: TriggerHeap }>

/** In place of a slippage: the one that the market gives. */
export const DEFAULT_SLIPPAGE = -1

function pair(): Watched {
  return { up: new TriggerHeap(), down: new TriggerHeap() }
}

export class WatchedTriggers {
  private readonly byPrice = [pair(), pair(), pair()] as const
  private readonly bySlippage = new Map<number, Watched>()

  heapOf(trigger: Trigger): TriggerHeap {
    const { up, down } = trigger.triggerBy === BY_LAST ? this.lastOf(trigger) : this.of(trigger)
    return trigger.up ? up : down
  }

  /** Of mark and mid triggers. */
  of({ triggerBy }: Pick<Trigger, 'triggerBy'>): Watched {
    return this.byPrice[triggerBy]!
  }

  /** Of last-price triggers, by slippage. */
  lasts(): Iterable<readonly [number, Watched]> {
    return this.bySlippage
  }

  *heaps(): Generator<TriggerHeap> {
    for (const { up, down } of [...this.byPrice, ...this.bySlippage.values()]) yield* [up, down]
  }

  private lastOf({ slippagePpm }: Trigger): Watched {
    const key = slippagePpm ?? DEFAULT_SLIPPAGE
    let found = this.bySlippage.get(key)
    if (found === undefined) {
      found = pair()
      this.bySlippage.set(key, found)
    }
    return found
  }
}
