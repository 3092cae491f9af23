// The fee tier of an account, and what is left to the next one.

import type { FeeLevel } from '../wire.ts'

export type Tier = FeeLevel & Readonly<{ from: number }>

export type TierProgress = Readonly<{
  tier: Tier | undefined
  next: Tier | undefined
  /** USD to trade until the next tier. */
  left: number
  /** Fraction of the way from this tier to the next. */
  share: number
}>

/** Tiers with the volume from which each applies, in whole USD. */
export function tiersOf(levels: readonly FeeLevel[], volumes: readonly string[]): readonly Tier[] {
  return levels.map((level, at) => ({ ...level, from: Number(volumes[at] ?? Number.NaN) }))
}

/** The tier is that of today; the volume of the 14 days before decides it at midnight UTC. */
export function tierProgress(tiers: readonly Tier[], level: number, volume: number): TierProgress {
  const tier = tiers.find((each) => each.level === level)
  const next = tiers.find((each) => each.level === level + 1)
  if (next === undefined || !(next.from >= 0)) return { tier, next, left: 0, share: 1 }
  const from = tier?.from ?? 0
  const share = (volume - from) / (next.from - from)
  return {
    ...{ tier, next, left: Math.max(0, next.from - volume) },
    share: Math.min(1, Math.max(0, share)),
  }
}
