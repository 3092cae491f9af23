// The ticks of a sandbox whose simulated sources have a cadence. Each price is observed once, at an
// instant of the cadence. A price set by a script holds until the next one.

import type { ExchangeView } from '../../core/index.ts'
import { divFloor } from '../../units/rounding.ts'
import type { Oracle, OracleTick } from './oracle.ts'

export class ObservedTicks {
  private readonly oracle: Oracle
  private readonly cadenceMs: number | null
  /** The last instant of the cadence for which ticks were sent. */
  private sentAtMs = 0

  /** `cadenceMs` is `null` if every price holds until the next one. */
  constructor(oracle: Oracle, cadenceMs: number | null) {
    this.oracle = oracle
    this.cadenceMs = cadenceMs
  }

  ticksAt(view: ExchangeView, now: number): OracleTick[] {
    const { oracle, cadenceMs } = this
    if (cadenceMs === null) return oracle.ticksAt(view, now)
    const observedAtMs = divFloor(now, cadenceMs) * cadenceMs
    if (observedAtMs === this.sentAtMs) return []
    this.sentAtMs = observedAtMs
    return oracle.ticksAt(view, now).map((tick) => {
      const stands = tick.jump || !oracle.isSimulated(tick.market)
      return stands ? tick : { ...tick, observedAtMs }
    })
  }
}
