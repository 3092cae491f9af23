// Requests of one kind in progress, and the connections that wait to start one. The number in
// progress is limited to what completes within a tenth of a second. Further requests would only
// wait inside the exchange, in order of arrival, without fair scheduling. Free places are assigned
// round-robin to addresses, and within an address to its connections.

import { Pace } from '../../sequencer/pace.ts'
import { Round, type Waiting } from './round.ts'

export type LaneLimits = Readonly<{ min: number; max: number }>

/** Duration of the work that may be in progress. */
const underWayMs = 100
/** Maximum share of the places for one address, so that another address finds a free place. */
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

  /** Starts a request that counts as this number of actions. */
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

  /** The connection whose turn it is; undefined if no waiting connection may start a request. */
  next(): Line | undefined {
    return this.used < this.limit ? this.round.next(this.mayBegin) : undefined
  }

  /** Estimated waiting time of the next request of a connection. Zero while enough places are
   *  free: the pace is only measured while requests wait, so that a value from a pause of the
   *  process would otherwise refuse every request. */
  waitMs(ipKey: string): number {
    const lines = this.round.linesOf(ipKey)
    const addresses = this.round.addresses + (lines === 0 ? 1 : 0)
    const turns = (lines + 1) * addresses
    return this.used + turns <= this.limit * shareOfOne ? 0 : this.pace.waitMs(turns)
  }
}
