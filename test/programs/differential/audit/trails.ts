// The best mark of a trailing stop is the extreme of the marks since it became active (TRIG-11),
// and it fires behind it. Both engines publish it only when it fires; here it is followed mark by
// mark.

import type { Event, EventOf } from '../../../../src/core/events/event-fields.ts'
import { Liveness } from './liveness.ts'

type Trail = {
  readonly market: number
  readonly isAsk: boolean
  readonly distance: number
  readonly ppm: number
  readonly activation: number
  armed: boolean
  /** 0: it is not active. */
  best: number
  /** The way back was far enough: from here on its best mark stands still. */
  queued: boolean
}

export class Trails {
  private readonly liveness = new Liveness()
  private readonly marks: number[] = []
  private readonly trails = new Map<number, Trail>()
  private set: EventOf<'TrailSet'> | null = null
  /** Markets whose newest mark has not been followed yet. */
  private readonly moved = new Set<number>()

  check(event: Event): string | null {
    this.liveness.hear(event)
    switch (event.type) {
      case 'MarkUpdated':
        this.marks[event.market] = event.mark
        this.moved.add(event.market)
        return null
      case 'TrailSet':
        this.set = event
        return null
      case 'StopPlaced':
        return this.place(event)
      case 'StopArmed':
        return this.arm(event)
      case 'StopTriggered':
        return this.fire(event)
      case 'OrderCancelled':
        this.trails.delete(event.order)
        return null
      default:
        return null
    }
  }

  /** A command is over: what it left of a mark is followed. */
  rest(): void {
    for (const market of this.moved) this.follow(market)
    this.moved.clear()
    this.forgetUnsure()
  }

  private place(event: EventOf<'StopPlaced'>): string | null {
    const { order, market, side, armed, extreme } = event
    if (this.set?.order !== order) return null
    const { distance, ppm, activation } = this.set
    const plan = { distance, ppm, activation, isAsk: side === 'ask' }
    const trail: Trail = { ...plan, market, armed, best: 0, queued: false }
    this.trails.set(order, trail)
    return armed ? this.start(trail, extreme) : null
  }

  private arm({ order, extreme }: EventOf<'StopArmed'>): string | null {
    const trail = this.trails.get(order)
    if (trail === undefined || trail.armed) return null
    trail.armed = true
    return this.start(trail, extreme)
  }

  private start(trail: Trail, reported: number): string | null {
    see(trail, this.marks[trail.market]!)
    return trail.best === reported ? null : `a trail begins at ${trail.best}`
  }

  private fire({ order, market, extreme }: EventOf<'StopTriggered'>): string | null {
    if (this.moved.delete(market)) this.follow(market)
    const trail = this.trails.get(order)
    if (trail === undefined) return null
    this.trails.delete(order)
    if (!trail.queued) return 'a trail fires before the way back'
    return trail.best === extreme ? null : `the best mark of a trail is ${trail.best}`
  }

  private follow(market: number): void {
    if (!this.liveness.isLively(market)) return
    const mark = this.marks[market]!
    for (const trail of this.trails.values()) {
      if (trail.market !== market || !trail.armed || trail.queued) continue
      see(trail, mark)
      trail.queued = trail.best !== 0 && isBehind(trail, mark)
    }
  }

  /** A stop that is queued when its market goes to sleep watches again from then on, or keeps its
   *  place: no event says which. */
  private forgetUnsure(): void {
    for (const [order, { market, queued }] of this.trails)
      if (queued && !this.liveness.isLively(market)) this.trails.delete(order)
  }
}

function see(trail: Trail, mark: number): void {
  const { isAsk, activation, best } = trail
  if (best !== 0) trail.best = isAsk ? Math.max(best, mark) : Math.min(best, mark)
  else if (activation === 0 || (isAsk ? mark >= activation : mark <= activation)) trail.best = mark
}

function isBehind({ isAsk, distance, ppm, best }: Trail, mark: number): boolean {
  const away = isAsk ? best - mark : mark - best
  if (distance > 0) return away >= distance
  // The stop is rounded away from the best mark.
  return BigInt(away) * 1_000_000n >= BigInt(best) * BigInt(ppm)
}
