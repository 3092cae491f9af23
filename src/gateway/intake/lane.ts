// Requests of one kind in progress, and the connections that wait to begin one. The number in
// progress is what completes in a tenth of a second: more would only wait further in, in order of
// arrival, where no fair scheduling is possible. Free places are assigned round-robin to addresses,
// and within an address to its connections.

import { Pace } from '../../sequencer/pace.ts'
import { Round, type Waiting } from './round.ts'

export type LaneLimits = Readonly<{ min: number; max: number }>

/** Work under way, in time. */
const underWayMs = 100
/** Maximum share of the places for one address, so that the next address finds one free. */
const shareOfOne = 0.75

export class Lane<Line extends Waiting> {
  limit: number
  private readonly limits: LaneLimits
  private readonly pace = new Pace()
  private used = 0
  private readonly usedBy = new Map<string, number>()
  private readonly round = new Round<Line>()
  private readonly mayBegin = (ipKey: string) => this.hasPlace(ipKey)

  constructor(limits: LaneLimits) {
    this.limits = limits
    this.limit = limits.min
  }

  get underWay(): number {
    return this.used
  }

  get isWaitedFor(): boolean {
    return this.round.addresses > 0
  }

  hasPlace(ipKey: string): boolean {
    if (this.used >= this.limit) return false
    return (this.usedBy.get(ipKey) ?? 0) < this.limit * shareOfOne
  }

  /** Begins a request with this number of actions. */
  begin(ipKey: string, actions = 1): void {
    this.used += actions
    this.usedBy.set(ipKey, (this.usedBy.get(ipKey) ?? 0) + actions)
  }

  end(ipKey: string, now: number, actions = 1): void {
    this.used -= actions
    const left = this.usedBy.get(ipKey)! - actions
    if (left === 0) this.usedBy.delete(ipKey)
    else this.usedBy.set(ipKey, left)
    this.pace.finished(actions, now, this.isWaitedFor)
    const { min, max } = this.limits
    this.limit = Math.min(max, Math.max(min, Math.round(this.pace.perMs * underWayMs)))
  }

  add(line: Line): void {
    this.round.add(line)
  }

  /** The connection whose turn it is; undefined if no waiting one may begin. */
  next(): Line | undefined {
    return this.used < this.limit ? this.round.next(this.mayBegin) : undefined
  }

  /** How long the next request of a connection would wait for its turn. Zero while there are places
   *  for it and for those before it: a pace measured during a pause is not updated before a request
   *  waits, and would otherwise refuse every request. */
  waitMs(ipKey: string): number {
    const lines = this.round.linesOf(ipKey)
    const addresses = this.round.addresses + (lines === 0 ? 1 : 0)
    const turns = (lines + 1) * addresses
    return this.used + turns <= this.limit * shareOfOne ? 0 : this.pace.waitMs(turns)
  }
}
