// Maker protection (ORDER-18): when quotes of an account are filled faster than it allowed, they
// go before the next taker comes. What was filled is counted in ten cells of time.

import { broken } from '../../units/invariant.ts'
import type { MmpLimits } from '../commands/commands.ts'

const cellCount = 10

/** Of one account in one market. */
export class Protection {
  readonly limits: MmpLimits
  /** Null: quotes are taken; 0: none before a reset; otherwise none before that time. */
  until: number | null = null
  /** By the number of the cell modulo ten: which one it is, and what it has. */
  readonly numbers = new Float64Array(cellCount).fill(-1)
  readonly lots = new Float64Array(cellCount)
  readonly nets = new Float64Array(cellCount)

  constructor(limits: MmpLimits) {
    this.limits = limits
  }

  /** A fill as maker; true: together with those of the newest ten cells it is too much. */
  add(atMs: number, lots: number, net: number): boolean {
    const { windowMs, maxLots, maxNet } = this.limits
    if (!(lots > 0 && Math.abs(net) <= lots))
      broken('a quote is filled with more than its lots', net)
    const cell = Math.floor(atMs / Math.ceil(windowMs / cellCount))
    const place = cell % cellCount
    if (this.numbers[place] !== cell) {
      this.numbers[place] = cell
      this.lots[place] = 0
      this.nets[place] = 0
    }
    this.lots[place] = this.lots[place]! + lots
    this.nets[place] = this.nets[place]! + net
    let allLots = 0
    let allNet = 0
    for (let at = 0; at < cellCount; at++) {
      if (this.numbers[at]! <= cell - cellCount) continue
      allLots += this.lots[at]!
      allNet += this.nets[at]!
    }
    return (
      (maxLots !== null && allLots >= maxLots) || (maxNet !== null && Math.abs(allNet) >= maxNet)
    )
  }

  empty(): void {
    this.numbers.fill(-1)
    this.lots.fill(0)
    this.nets.fill(0)
  }
}
