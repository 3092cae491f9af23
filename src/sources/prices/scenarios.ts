// Named price paths. A path has a few corners in parts per million of the first price, with
// straight lines between them and one price per tick. After a path the simulation continues from
// the last price. The freeze scenario is not a path: the feed stops until the market has been stale
// and cancel-only for a while.

import { limits } from '../../core/index.ts'
import { mulDivFloor, mulDivTrunc } from '../../units/rounding.ts'
import { MICRO_PER_TICK, PPM } from '../../units/units.ts'

export const scenarioNames = ['crash', 'pump', 'wick', 'squeeze', 'freeze'] as const
export type ScenarioName = (typeof scenarioNames)[number]

/** Duration of a freeze. The market is stale after some seconds, cancel-only after 60, and stays so
 *  for half a minute. */
export const freezeMs = 90_000

/** Maximum price of the core. */
const priceMax = limits.oracleTicksMax * MICRO_PER_TICK

/** [tick, distance from the first price in ppm]; ticks rise from 0. */
type Corner = readonly [tick: number, ppm: number]

const corners: Readonly<Record<Exclude<ScenarioName, 'freeze'>, readonly Corner[]>> = {
  crash: [
    [0, 0],
    [8, -15_000],
    [28, -140_000],
    [36, -220_000],
    [60, -180_000],
  ],
  pump: [
    [0, 0],
    [8, 15_000],
    [28, 130_000],
    [36, 200_000],
    [60, 170_000],
  ],
  wick: [
    [0, 0],
    [6, -120_000],
    [9, -120_000],
    [17, -5_000],
  ],
  squeeze: [
    [0, 0],
    [40, 30_000],
    [80, 90_000],
    [100, 180_000],
    [112, 300_000],
    [140, 150_000],
  ],
}

/** The prices of a scenario that starts at this one, in the same unit. */
export function scenarioPath(name: Exclude<ScenarioName, 'freeze'>, price: number): number[] {
  const path: number[] = []
  const [first, ...rest] = corners[name]
  let from = first!
  for (const to of rest) {
    for (let tick = from[0] + 1; tick <= to[0]; tick++) {
      const part = mulDivTrunc(to[1] - from[1], tick - from[0], to[0] - from[0])
      const moved = mulDivFloor(price, PPM + from[1] + part, PPM)
      path.push(Math.max(1, Math.min(priceMax, moved)))
    }
    from = to
  }
  return path
}
