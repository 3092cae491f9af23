// The raids by hand, each in all its variants, with the maximum that it may bring.

import type { Edition } from '../../../support/venue/edition.ts'
import { sourceKinds } from '../outside/sources.ts'
import { PAYS_FROM } from '../referee.ts'
import { boughtAway, boughtAwayRaid } from './bought-away.ts'
import { cadenceProfit, phases, ways } from './cadence.ts'
import { type CatchingUp, catchingUp, catchingUpRaid } from './catching-up.ts'
import { hedgedMost, hedgedWays } from './hedged.ts'
import { jumpKinds, jumpMoments, jumpMost, jumpRaid } from './jump.ts'
import { peekRaid } from './peek.ts'
import { stallRatio } from './stall.ts'
import { awaysPpm, stopMost, stopRaid } from './stop.ts'
import { honestWaits, waitsWith } from './waits.ts'

export type RaidRow = Readonly<{
  raid: string
  way: string
  /** What each try brought, and the most that one may. */
  found: readonly number[]
  most: number
  unit: 'dollars' | 'ms' | 'sights' | 'times'
}>

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at)

/** Below a dollar is what roundings leave. */
const nothing = { most: PAYS_FROM, unit: 'dollars' } as const

export function* playRaids(edition: Edition): Generator<RaidRow> {
  for (const kind of sourceKinds)
    for (const way of ways) {
      const found = upTo(phases).map((phase) => cadenceProfit(edition, { kind, way, phase }))
      yield { raid: `cadence, ${kind}`, way, found, ...nothing }
    }
  const most = stopMost
  for (const ppm of awaysPpm) {
    const found = [stopRaid(edition, ppm).profit]
    yield { raid: 'a stop of 860,000', way: `bid at −${ppm / 10_000} %`, found, ...nothing, most }
  }
  yield { raid: 'peeking', way: '', found: [peekRaid(edition)], most: 0, unit: 'sights' }
  for (const wait of honestWaits) {
    const waits = waitsWith(edition, wait)
    const mean = waits.reduce((sum, one) => sum + one, 0) / waits.length
    const long = waits[Math.floor(waits.length * 0.95)]!
    const row = { raid: 'honest takers', unit: 'ms' } as const
    yield { ...row, way: `${wait.name}, mean`, found: [mean], most: wait.meanMost }
    yield { ...row, way: `${wait.name}, 95 %`, found: [long], most: wait.longMost }
  }
  for (const way of jumpKinds) {
    const found = upTo(jumpMoments).map((moment) => jumpRaid(edition, way, moment))
    yield { raid: 'a jump of 8 %', way, found, most: jumpMost, unit: 'dollars' }
  }
  for (const one of boughtAway)
    yield { raid: 'bought away', way: one.name, found: [boughtAwayRaid(edition, one)], ...nothing }
  for (const way of hedgedWays) {
    const found = hedgedMost(edition, way)
    yield { raid: 'hedged, 5 %', way, found, ...nothing }
  }
  for (const way of Object.keys(catchingUp) as CatchingUp[])
    yield { raid: 'catching up', way, found: [catchingUpRaid(edition, way)], ...nothing }
}

/** By the clock of this machine. */
export function playStall(edition: Edition): RaidRow {
  return { raid: 'stall', way: '', found: [stallRatio(edition)], most: 3, unit: 'times' }
}

export function isHeld({ found, most, unit }: RaidRow): boolean {
  return found.every((one) => (unit === 'dollars' && most === PAYS_FROM ? one < most : one <= most))
}
