// Triggers that are reached and wait for their turn. Those that one price reached are a wave: waves
// are served in order of arrival, in a wave the nearest to the old price first, then the smallest
// id. One price may reach fifty thousand, and a command serves a few of them, so a wave is a heap
// and not sorted. Triggers that leave before their turn stay in it and are skipped.

import { broken } from '../../units/invariant.ts'
import type { Waiting } from '../queues/work-queue.ts'
import { GONE, type Trigger } from './trigger.ts'
import type { TriggerHeap } from './trigger-heap.ts'

/** Who comes first of two that wait. */
export function byTurn(one: Trigger, other: Trigger): number {
  return one.wave - other.wave || one.distance - other.distance || one.id - other.id
}

export class TriggerQueue {
  size = 0
  private readonly waiting: Waiting
  private waves: TriggerHeap[] = []
  /** The number of the first wave; the others follow it one by one. */
  private first = 1

  constructor(waiting: Waiting) {
    this.waiting = waiting
  }

  /** A wave by distance, not settled yet. Triggers that have left are skipped. */
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

  /** False: it did not wait. */
  delete(trigger: Trigger): boolean {
    if (trigger.wave <= 0) return false
    trigger.wave = 0
    if (!(this.size > 0)) broken('fewer than no triggers wait', this.size - 1)
    this.size -= 1
    this.waiting.count -= 1
    return true
  }

  /** The first, which leaves the queue. */
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

  /** Those that wait, the first first. */
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
