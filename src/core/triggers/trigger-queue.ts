// Triggers that are reached and wait for their turn, first come, first served. One price may reach
// fifty thousand at once, so each knows its own place, and the queue is a plain list: what leaves
// it before its turn stays in the list and is stepped over.

import type { Waiting } from '../due/work-queue.ts'
import type { Trigger } from './trigger.ts'

/** Passed places that are not worth a copy of the rest. */
const sparePlaces = 1_024

export class TriggerQueue {
  size = 0
  private readonly waiting: Waiting
  private items: Trigger[] = []
  /** The first that was not passed. */
  private first = 0
  /** Places before the first item of the list. */
  private before = 0

  constructor(waiting: Waiting) {
    this.waiting = waiting
  }

  /** They do not wait yet. `order`: which of them is the first, the second and so on. Each trigger
   *  is touched once and in the order of the list, which is that of memory. */
  addAll(triggers: readonly Trigger[], order: ArrayLike<number>): void {
    const { length } = triggers
    const places = new Float64Array(length)
    for (let place = 0; place < length; place++) {
      this.items.push(triggers[order[place]!]!)
      places[order[place]!] = this.before + this.items.length
    }
    for (let at = 0; at < length; at++) triggers[at]!.place = places[at]!
    this.size += length
    this.waiting.count += length
  }

  /** False: it did not wait. */
  delete(trigger: Trigger): boolean {
    if (trigger.place === 0) return false
    trigger.place = 0
    this.size -= 1
    this.waiting.count -= 1
    return true
  }

  /** The first, which leaves the queue. */
  take(): Trigger | undefined {
    if (this.size === 0) return undefined
    for (;;) {
      const trigger = this.items[this.first]!
      this.first += 1
      if (trigger.place !== this.before + this.first) continue
      this.delete(trigger)
      this.forgetPassed()
      return trigger
    }
  }

  /** Those that wait, the first first. */
  all(): Trigger[] {
    return this.items.filter((trigger, at) => trigger.place === this.before + at + 1)
  }

  private forgetPassed(): void {
    if (this.size !== 0 && (this.first < sparePlaces || this.first * 2 < this.items.length)) return
    const passed = this.size === 0 ? this.items.length : this.first
    this.items = this.items.slice(passed)
    this.before += passed
    this.first = 0
  }
}
