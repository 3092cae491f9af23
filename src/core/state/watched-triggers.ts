// Armed triggers of one market by the price and direction that they watch. Triggers of the last
// price and of the mid are also grouped by slippage, because each slippage fires only within its
// own distance from the mark (TRIG-3). A tick thus skips groups that may not fire without scanning
// them.

import { BY_LAST, BY_MARK, type Trigger } from './trigger.ts'
import { TriggerHeap } from './trigger-heap.ts'

export type Watched = Readonly<{ up: TriggerHeap; down: TriggerHeap }>

/** Stands for the default slippage of the market. */
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

  /** Groups of the last price or of the mid. */
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
