// Searches for a plot that takes more than a policy allows: plots are changed, and those that came
// nearest to the sum are kept.

import type { Edition } from '../../../support/venue/edition.ts'
import { Random } from '../../differential/random.ts'
import { playStolen, type Stolen, takesTooMuch } from './stolen-world.ts'
import { drawPlot, knownPlots, mutatedPlot, type Plot, textOf } from './theft.ts'

export type SearchPlan = Readonly<{
  edition: Edition
  seed: number
  searches: number
  turns: number
}>

export type Searched = Readonly<{
  searches: number
  commands: number
  /** The most of its sum that a key took where prices stood still. */
  nearest: number
  /** What repeats those that took more. */
  tooMuch: readonly string[]
}>

const keptMax = 24

export function searchThefts({ edition, seed, searches, turns }: SearchPlan): Searched {
  const random = new Random(seed)
  const known = Object.values(knownPlots)
  let kept: Readonly<{ plot: Plot; score: number }>[] = []
  const tooMuch: string[] = []
  let [commands, nearest] = [0, 0]
  for (let at = 0; at < searches; at++) {
    const elite = () => random.any(kept)?.plot ?? random.pick(known)
    const plot =
      at < known.length
        ? known[at]!
        : random.chance(0.2)
          ? drawPlot(random)
          : mutatedPlot(random, random.chance(0.3) ? random.pick(known) : elite())
    const stolen = playStolen({ edition, seed: seed + at, turns, plot })
    commands += stolen.commands
    if (stolen.moved === 0) nearest = Math.max(nearest, partOf(stolen))
    if (takesTooMuch(stolen)) tooMuch.push(`--seed ${seed + at} --plot ${textOf(plot)}`)
    kept.push({ plot, score: partOf(stolen) })
    kept = kept.sort((one, other) => other.score - one.score).slice(0, keptMax)
  }
  return { searches, commands, nearest, tooMuch }
}

const partOf = ({ lost, sum, moved }: Stolen) => lost / (sum + moved)
