// The search for a ring that pays: scripts are changed and mixed, what came nearest to paying is
// kept, and known attacks and new chance ones keep coming in.

import { Random } from '../differential/random.ts'
import { knownInCalm } from './known/calm.ts'
import { known } from './known/known.ts'
import { knownLate } from './known/late.ts'
import type { Verdict } from './referee.ts'
import { crossed, drawScript, mutated, type Script } from './script.ts'

type Kept = Readonly<{ script: Script; score: number }>

const keptMax = 24
/** Each pays, or is a fault, if one rule is missing: the first in worlds whose books leave the
 *  index, the others in turn. */
const [astray, ...others] = ['mirage', 'cadence', 'reduces', 'cover'].map(
  (name) => knownLate[name]!,
)

export class Search {
  private readonly random: Random
  private readonly isCalm: boolean
  private readonly attacks: readonly Script[]
  private kept: Kept[] = []
  private worlds = 0

  /** For calm worlds or for the others: what pays in the ones does not in the others. */
  constructor(seed: number, isCalm: boolean) {
    this.random = new Random(seed)
    this.isCalm = isCalm
    this.attacks = Object.values(isCalm ? knownInCalm : known)
  }

  /** Scripts for the rings of the next world. */
  next(isAstray: boolean): readonly Script[] {
    const { random, attacks } = this
    const attack = random.pick(attacks)
    if (this.isCalm) return this.nextInCalm(isAstray)
    const elite = () => random.any(this.kept)?.script ?? random.pick(attacks)
    if (!isAstray) this.worlds += 1
    return [
      isAstray ? astray! : others[this.worlds % others.length]!,
      random.chance(0.5) ? attack : mutated(random, attack),
      mutated(random, elite()),
      random.chance(0.5) ? crossed(random, elite(), elite()) : mutated(random, elite()),
      random.chance(0.5) ? drawScript(random) : crossed(random, elite(), random.pick(attacks)),
    ]
  }

  /** What pays here takes many moves in their order: half of the rings do what is known. */
  private nextInCalm(isAstray: boolean): readonly Script[] {
    const { random, attacks } = this
    const elite = () => random.any(this.kept)?.script ?? random.pick(attacks)
    return [
      isAstray ? knownInCalm.mirage! : random.pick(attacks),
      random.pick(attacks),
      mutated(random, elite()),
      random.chance(0.5)
        ? mutated(random, random.pick(attacks))
        : crossed(random, elite(), elite()),
    ]
  }

  learn(scripts: readonly Script[], { rings }: Verdict): void {
    // A ring that did nothing has lost nothing, and is of no use; one whose debts others paid is
    // near.
    for (const { ring, profit, excused, fees } of rings)
      if (fees > 0) this.kept.push({ script: scripts[ring]!, score: profit + excused / 20 })
    this.kept.sort((a, b) => b.score - a.score)
    this.kept = this.kept.slice(0, keptMax)
  }
}
