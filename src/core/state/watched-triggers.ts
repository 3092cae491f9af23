// Armed triggers of one market by what they watch: a price and a direction. Those of the last price
// and of the mid are kept apart by their slippage, because each slippage fires within its own
// distance of the mark (TRIG-3): a tick passes over those that may not fire without a look at each.

import { BY_LAST, BY_MARK, type Trigger } from './trigger.ts'
import { TriggerHeap } from './trigger-heap.ts'

export type Watched = Readonly<{ up: TriggerHeap; down: TriggerHeap }>

/** In place of a slippage: the one that the market gives. */
export const DEFAULT_SLIPPAGE = -1

function pair(): Watched {
  return { up: new TriggerHeap(), down: new TriggerHeap() }
}

export class WatchedTriggers {
  readonly byMark = pair()
  private readonly byLast = new Map<number, Watched>()
  private readonly byMid = new Map<number, Watched>()

  heapOf(trigger: Trigger): TriggerHeap {
    const { up, down } = trigger.triggerBy === BY_MARK ? this.byMark : this.ofBook(trigger)
    return trigger.up ? up : down
  }

  /** Of the last price or of the mid. */
  bySlippage(triggerBy: number): Map<number, Watched> {
    return triggerBy === BY_LAST ? this.byLast : this.byMid
  }

  *heaps(): Generator<TriggerHeap> {
    const all = [this.byMark, ...this.byLast.values(), ...this.byMid.values()]
    for (const { up, down } of all) yield* [up, down]
  }

  private ofBook({ triggerBy, slippagePpm }: Trigger): Watched {
    const all = this.bySlippage(triggerBy)
    const key = slippagePpm ?? DEFAULT_SLIPPAGE
    let found = all.get(key)
    if (found === undefined) {
      found = pair()
      all.set(key, found)
    }
    return found
  }
}
