// Maker protection (ORDER-18): when quotes of an account are filled faster than its limits allow,
// they are cancelled before the next taker arrives. Fills are counted in ten time cells.

import { broken } from '../../units/invariant.ts'
import type { MmpLimits } from '../commands/commands.ts'

const cellCount = 10

/** The protection of one account in one market. */
export class Protection {
  readonly limits: MmpLimits
  /** `null`: quotes are accepted; 0: rejected until a reset; otherwise rejected until that time. */
  until: number | null = null
  /** Indexed by cell number modulo ten: the cell number, and its counts. */
  readonly numbers = new Float64Array(cellCount).fill(-1)
  readonly lots = new Float64Array(cellCount)
  readonly nets = new Float64Array(cellCount)

  constructor(limits: MmpLimits) {
    this.limits = limits
  }

  /** Counts a fill as maker. Returns true if the newest ten cells together exceed a limit. */
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
