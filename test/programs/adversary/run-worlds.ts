// Worlds one after the other, with a search that learns from each.

import type { Edition } from '../../support/venue/edition.ts'
import type { SourceKind } from './outside/sources.ts'
import { PAYS_FROM, type RingResult } from './referee.ts'
import { type Script, textOf } from './script.ts'
import { Search } from './search.ts'
import { isAstray, isCalm, nextCalm, playWorld } from './world.ts'

export type RunPlan = Readonly<{
  edition: Edition
  seed: number
  worlds: number
  commands: number
  /** Calm worlds alone. */
  calm?: boolean
  sources?: SourceKind | null
  /** Of the one world; null: the search finds them. */
  scripts: readonly Script[] | null
  /** A ring pays: whether to go on. */
  report(found: Found): boolean
  /** Ends with the first world that has a fault. */
  endsAtFault?: boolean
}>

/** A ring that pays, and what repeats it. */
export type Found = Readonly<{
  seed: number
  commands: number
  scripts: readonly Script[]
  sources: SourceKind | null
  result: RingResult
}>

export type Run = Readonly<{
  worlds: number
  commands: number
  found: readonly Found[]
  faults: readonly string[]
  paid: number
  explained: number
  /** The most that a ring gained by forced transfers at a mark that was off. */
  marked: number
  /** The most that one takeover at a last mark moved. */
  lastMark: number
  /** The most that a price under way explained for a ring, by its age in ms. */
  latency: Readonly<Record<number, number>>
  /** What others carried that no gap explains, by what it was. */
  unexplained: Readonly<Record<string, number>>
}>

/** Up to which age prices under way are counted together. */
const ages = [100, 250, 500, 1_000, 2_000, 5_000, Number.MAX_SAFE_INTEGER]

export function runWorlds(plan: RunPlan): Run {
  const { edition, commands, sources = null } = plan
  const searches = [false, true].map((calm) => new Search(plan.seed, calm))
  const found: Found[] = []
  const faults: string[] = []
  const sums = { worlds: 0, commands: 0, paid: 0, explained: 0, marked: 0, lastMark: 0 }
  const unexplained: Record<string, number> = {}
  const latency: Record<number, number> = Object.fromEntries(ages.map((age) => [age, 0]))
  let goesOn = true
  for (let at = 0; at < plan.worlds && goesOn; at++) {
    const seed = plan.calm === true ? nextCalm(plan.seed, at) : plan.seed + at
    const search = searches[isCalm(seed) ? 1 : 0]!
    const scripts = plan.scripts ?? search.next(isAstray(seed))
    const verdict = playWorld({ edition, seed, commands, scripts, sources })
    search.learn(scripts, verdict)
    sums.worlds += 1
    sums.commands += verdict.commands
    sums.paid += verdict.paid
    sums.explained += verdict.explained
    sums.lastMark = Math.max(sums.lastMark, verdict.lastMark)
    for (const { why, amount } of verdict.unexplained)
      unexplained[why] = (unexplained[why] ?? 0) + amount
    const repeat = repeatOf({ seed, commands, scripts, sources })
    faults.push(...verdict.faults.map((fault) => `world ${seed}: ${fault}\n  ${repeat}`))
    if (plan.endsAtFault === true && faults.length > 0) goesOn = false
    for (const result of verdict.rings) {
      sums.marked = Math.max(sums.marked, result.marked)
      const age = ages.find((most) => result.lagMs <= most)!
      latency[age] = Math.max(latency[age]!, result.latency)
      if (result.profit < PAYS_FROM) continue
      const one = { seed, commands, scripts, sources, result }
      found.push(one)
      goesOn = plan.report(one) && goesOn
    }
  }
  return { ...sums, latency, unexplained, found, faults }
}

/** The command that plays a world again. */
export function repeatOf({ seed, commands, scripts, sources }: Omit<Found, 'result'>): string {
  const rings = scripts.map(textOf).join('/')
  const kind = sources === null ? '' : ` --sources ${sources}`
  return `npm run x adversary -- --seed ${seed} --commands ${commands}${kind} --rings ${rings}`
}
