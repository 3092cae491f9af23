// A plausible price: small bell-shaped steps every 250 ms of engine time, an occasional surge, and
// a slow pull back to its start, so that it stays within the market's bounds for months. It depends
// only on seed and engine time, not on when or how often it is read. It uses integers only.

import { divFloor, mulDivFloor, mulDivTrunc } from '../../units/rounding.ts'
import { PPB } from '../../units/units.ts'
import { bellDeviation, RandomStream } from '../random.ts'

export const stepMs = 250
/** Square root of the number of steps per year. Annual volatility divided by it is the deviation of
 *  a step. */
const yearRoot = 11_232
/** Number of steps of the pull, which halves a distance in about three weeks. */
const pullSteps = 10_368_000
const ratioMin = PPB / 4
const ratioMax = 4 * PPB
/** After a longer gap, such as a night without power, the price continues at its last value. */
const gapSteps = 400
/** A surge begins about every three hours, and lasts some seconds. */
const surgeOneIn = 40_000
const surgeStepsMin = 8
const surgeStepsMore = 16

export type SimulationMemory = Readonly<{
  /** Price that the simulation is pulled to, in millionths of a tick. */
  anchor: number
  /** Price divided by anchor, in parts per billion. */
  ratio: number
  /** Number of steps since 1970. */
  step: number
  surgeLeft: number
  surgePpb: number
  random: string
}>

export class PriceSimulation {
  /** Standard deviation of one step, in parts per billion. */
  private readonly deviation: number
  private random: RandomStream
  private anchor: number
  private ratio = PPB
  private step: number
  private surgeLeft = 0
  private surgePpb = 0

  constructor(seed: string, volatilityPpm: number, price: number, atMs: number) {
    this.deviation = divFloor(volatilityPpm * 1_000, yearRoot)
    this.random = new RandomStream(seed)
    this.anchor = price
    this.step = divFloor(atMs, stepMs)
  }

  /** Price at this time, in millionths of a tick. */
  priceAt(atMs: number): number {
    const step = divFloor(atMs, stepMs)
    if (step - this.step > gapSteps) this.step = step - 1
    for (; this.step < step; this.step++) this.move()
    return Math.max(1, mulDivFloor(this.anchor, this.ratio, PPB))
  }

  /** Continues the simulation around this price. */
  restartFrom(price: number, atMs: number): void {
    this.anchor = price
    this.ratio = PPB
    this.step = divFloor(atMs, stepMs)
    this.surgeLeft = 0
  }

  private move(): void {
    const { random, deviation } = this
    let ppb = mulDivTrunc(random.bell(), deviation, bellDeviation)
    if (this.surgeLeft > 0) {
      this.surgeLeft -= 1
      ppb += this.surgePpb
    } else if (random.oneIn(surgeOneIn)) {
      this.surgeLeft = surgeStepsMin + random.below(surgeStepsMore)
      this.surgePpb = (2 + random.below(4)) * (random.oneIn(2) ? deviation : -deviation)
    }
    const pull = mulDivTrunc(PPB - this.ratio, 1, pullSteps)
    const moved = this.ratio + mulDivTrunc(this.ratio, ppb, PPB) + pull
    this.ratio = Math.max(ratioMin, Math.min(ratioMax, moved))
  }

  save(): SimulationMemory {
    const { anchor, ratio, step, surgeLeft, surgePpb } = this
    return { anchor, ratio, step, surgeLeft, surgePpb, random: this.random.save() }
  }

  restore(memory: SimulationMemory): void {
    this.anchor = memory.anchor
    this.ratio = memory.ratio
    this.step = memory.step
    this.surgeLeft = memory.surgeLeft
    this.surgePpb = memory.surgePpb
    this.random = RandomStream.restored(memory.random)
  }
}
