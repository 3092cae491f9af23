// The search for a ring that pays: scripts are changed and mixed, what came nearest to paying is
// kept, and known attacks and new chance ones keep coming in.

import { Random } from '../differential/random.ts'
import type { Verdict } from './judge.ts'
import { known } from './known.ts'
import { crossed, drawScript, mutated, type Script } from './script.ts'

type Kept = Readonly<{ script: Script; score: number }>

const keptMax = 24
const attacks = Object.values(known)

export class Search {
  private readonly random: Random
  private kept: Kept[] = []

  constructor(seed: number) {
    this.random = new Random(seed)
  }

  /** Scripts for the rings of the next world. */
  next(): readonly Script[] {
    const { random } = this
    const attack = random.pick(attacks)
    const elite = () => random.any(this.kept)?.script ?? random.pick(attacks)
    return [
      random.chance(0.5) ? attack : mutated(random, attack),
      mutated(random, elite()),
      random.chance(0.5) ? crossed(random, elite(), elite()) : mutated(random, elite()),
      random.chance(0.5) ? drawScript(random) : crossed(random, elite(), random.pick(attacks)),
    ]
  }

  learn(scripts: readonly Script[], { rings }: Verdict): void {
    // Who did nothing has lost nothing, and is no use; whom others had to carry is near.
    for (const { ring, profit, excused, fees } of rings)
      if (fees > 0) this.kept.push({ script: scripts[ring]!, score: profit + excused / 20 })
    this.kept.sort((a, b) => b.score - a.score)
    this.kept = this.kept.slice(0, keptMax)
  }
}
