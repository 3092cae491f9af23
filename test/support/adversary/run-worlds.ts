// Worlds one after the other, with a search that learns from each.

import type { Edition } from '../venue/edition.ts'
import { PAYS_FROM, type RingResult } from './judge.ts'
import { type Script, textOf } from './script.ts'
import { Search } from './search.ts'
import { isCalm, nextCalm, playWorld } from './world.ts'

export type RunPlan = Readonly<{
  edition: Edition
  seed: number
  worlds: number
  commands: number
  /** Calm worlds alone. */
  calm?: boolean
  /** Of the one world; null: the search finds them. */
  scripts: readonly Script[] | null
  /** A ring pays: whether to go on. */
  tell(found: Found): boolean
}>

/** A ring that pays, and what repeats it. */
export type Found = Readonly<{
  seed: number
  commands: number
  scripts: readonly Script[]
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
  /** What others carried that no gap explains, by what it was. */
  unexplained: Readonly<Record<string, number>>
}>

export function runWorlds(plan: RunPlan): Run {
  const { edition, commands } = plan
  const searches = [false, true].map((calm) => new Search(plan.seed, calm))
  const found: Found[] = []
  const faults: string[] = []
  const sums = { worlds: 0, commands: 0, paid: 0, explained: 0, marked: 0, lastMark: 0 }
  const unexplained: Record<string, number> = {}
  let goesOn = true
  for (let at = 0; at < plan.worlds && goesOn; at++) {
    const seed = plan.calm === true ? nextCalm(plan.seed, at) : plan.seed + at
    const search = searches[isCalm(seed) ? 1 : 0]!
    const scripts = plan.scripts ?? search.next()
    const verdict = playWorld({ edition, seed, commands, scripts })
    search.learn(scripts, verdict)
    sums.worlds += 1
    sums.commands += verdict.commands
    sums.paid += verdict.paid
    sums.explained += verdict.explained
    sums.lastMark = Math.max(sums.lastMark, verdict.lastMark)
    for (const { why, amount } of verdict.unexplained)
      unexplained[why] = (unexplained[why] ?? 0) + amount
    const repeat = repeatOf({ seed, commands, scripts })
    faults.push(...verdict.faults.map((fault) => `world ${seed}: ${fault}\n  ${repeat}`))
    for (const result of verdict.rings) {
      sums.marked = Math.max(sums.marked, result.marked)
      if (result.profit < PAYS_FROM) continue
      const one = { seed, commands, scripts, result }
      found.push(one)
      goesOn = plan.tell(one) && goesOn
    }
  }
  return { ...sums, unexplained, found, faults }
}

/** The command that plays a world again. */
export function repeatOf({ seed, commands, scripts }: Omit<Found, 'result'>): string {
  const rings = scripts.map(textOf).join('/')
  return `npm run adversary -- --seed ${seed} --commands ${commands} --rings ${rings}`
}
