// Work that becomes due at a given time: a heap by (time, kind, id). An entry whose subject was
// removed or moved is skipped when it runs. Such entries are removed when they are the majority.

import { broken } from '../../units/invariant.ts'

export const DUE_HEALTH = 0
export const DUE_EPOCH = 1
export const DUE_SCHEDULE = 3
export const DUE_EXPIRY = 4
export const DUE_CHANGE = 5
export const DUE_RELEASE = 6
export const DUE_STEP = 7

export type Due = Readonly<{ at: number; kind: number; id: number }>

export function isBefore(one: Due, other: Due): boolean {
  if (one.at !== other.at) return one.at < other.at
  return one.kind !== other.kind ? one.kind < other.kind : one.id < other.id
}

export class DueQueue {
  entries: Due[] = []

  first(): Due | undefined {
    return this.entries[0]
  }

  push(due: Due): void {
    const { entries } = this
    if (!(due.at >= 0)) broken('work is due at a time that is none', due.at)
    let at = entries.length
    entries.push(due)
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!isBefore(due, entries[above]!)) break
      entries[at] = entries[above]!
      at = above
    }
    entries[at] = due
  }

  keepOnly(isThere: (due: Due) => boolean): void {
    this.entries = this.entries.filter(isThere)
    const { entries } = this
    for (let at = (entries.length >> 1) - 1; at >= 0; at--) this.sink(at, entries[at]!)
  }

  pop(): void {
    const { entries } = this
    const [first] = entries
    const last = entries.pop() ?? broken('work leaves a queue without any', entries.length)
    if (entries.length > 0) this.sink(0, last)
    if (entries.length > 0 && isBefore(entries[0]!, first!))
      broken('due work is out of order, earlier than the first is', entries[0]!.at)
  }

  /** Moves an entry down from this place to where it belongs. */
  private sink(from: number, last: Due): void {
    const { entries } = this
    const count = entries.length
    let at = from
    for (;;) {
      let below = 2 * at + 1
      if (below >= count) break
      if (below + 1 < count && isBefore(entries[below + 1]!, entries[below]!)) below += 1
      if (!isBefore(entries[below]!, last)) break
      entries[at] = entries[below]!
      at = below
    }
    entries[at] = last
  }
}
