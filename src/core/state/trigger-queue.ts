// Triggers that were reached and are queued. Triggers reached by one price form a wave. Waves are
// served in order of arrival; within a wave, the trigger nearest to the old price comes first, then
// the smallest id. One price may reach fifty thousand triggers and a command serves only a few, so
// a wave is a heap instead of a sorted list. Triggers that leave early stay in the heap and are
// skipped.

import { broken } from '../../units/invariant.ts'
import type { Waiting } from '../queues/work-queue.ts'
import { GONE, type Trigger } from './trigger.ts'
import type { TriggerHeap } from './trigger-heap.ts'

/** Compares two queued triggers by turn. */
export function byTurn(one: Trigger, other: Trigger): number {
  return one.wave - other.wave || one.distance - other.distance || one.id - other.id
}

export class TriggerQueue {
  size = 0
  private readonly waiting: Waiting
  private waves: TriggerHeap[] = []
  /** The number of the first wave. The following waves have consecutive numbers. */
  private first = 1

  constructor(waiting: Waiting) {
    this.waiting = waiting
  }

  /** Adds a wave, a heap by distance that is not settled yet. Triggers that have left are
   *  skipped. */
  add(wave: TriggerHeap): void {
    const number = this.first + this.waves.length
    let count = 0
    wave.each((trigger, distance) => {
      if (trigger.wave === GONE) return
      trigger.wave = number
      trigger.distance = distance
      count += 1
    })
    wave.settle()
    this.waves.push(wave)
    this.size += count
    this.waiting.count += count
  }

  /** Returns false if the trigger was not queued. */
  delete(trigger: Trigger): boolean {
    if (trigger.wave <= 0) return false
    trigger.wave = 0
    if (!(this.size > 0)) broken('fewer than no triggers wait', this.size - 1)
    this.size -= 1
    this.waiting.count -= 1
    return true
  }

  /** Removes and returns the first trigger. */
  take(): Trigger | undefined {
    while (this.waves.length > 0) {
      const trigger = this.waves[0]!.pop()
      if (trigger === undefined) {
        this.waves.shift()
        this.first += 1
      } else if (trigger.wave === this.first) {
        this.delete(trigger)
        return trigger
      }
    }
    return undefined
  }

  /** Returns all queued triggers in queue order. */
  all(): Trigger[] {
    const waiting: Trigger[] = []
    this.waves.forEach((wave, at) => {
      wave.each((trigger) => {
        if (trigger.wave === this.first + at) waiting.push(trigger)
      })
    })
    return waiting.sort(byTurn)
  }
}
