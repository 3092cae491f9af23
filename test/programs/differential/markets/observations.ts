// When the prices of a world were observed: just now, a while ago, too long ago, or without a time
// where they may stand.

import type { Made, Making } from '../making.ts'

/** A tick gets its time; everything else stays as it is. */
export function observed(making: Making, made: Made): Made {
  if (made.type !== 'OracleTick' || made.observedAtMs !== null) return made
  const { random, world, atMs } = making
  const kind = random.weighted(
    world.genesis.pricesMayStand
      ? { none: 94, now: 3, recent: 2, old: 0.7, wrong: 0.3 }
      : { none: 0.5, now: 70, recent: 22, old: 7, wrong: 0.5 },
  )
  const ages = {
    now: 0,
    recent: random.pick([30, 100, 250, 300, 301, 900, 1_000]),
    old: random.pick([1_001, 1_500, 3_000, 5_001, 20_000]),
    wrong: -1,
  }
  return kind === 'none' ? made : { ...made, observedAtMs: atMs - ages[kind] }
}
