// Reduces a world in which a ring profits to the few commands that are needed: first it drops whole
// accounts, then stretches of commands, as long as the ring keeps half of its profit.

import type { Edition } from '../../support/venue/edition.ts'
import { Venue } from '../../support/venue/venue.ts'
import { minimised } from '../differential/shrink.ts'
import { Referee } from './referee.ts'
import type { Step } from './world.ts'

/** What the ring gains beyond property 1 by these commands. */
export function profitOf(edition: Edition, steps: readonly Step[], ring: number): number {
  const venue = new Venue(edition)
  const referee = new Referee(venue)
  for (const { atMs, plain } of steps) {
    venue.now = atMs
    if (plain.type === 'World') venue.moveWorld(plain.market, plain.price, plain.isAway)
    else venue.run(plain)
  }
  return referee.verdict().rings.find((one) => one.ring === ring)?.profit ?? 0
}

export function shortened(
  edition: Edition,
  steps: readonly Step[],
  { ring, attempts }: Readonly<{ ring: number; attempts: number }>,
): readonly Step[] {
  const fixed = steps.filter((step) => step.fixed)
  const free = steps.filter((step) => !step.fixed)
  const wanted = profitOf(edition, steps, ring) / 2
  const pays = (list: readonly Step[]) => profitOf(edition, [...fixed, ...list], ring) >= wanted
  const accounts = [...new Set(free.map(accountOf))]
  const needed = minimised(
    [...accounts, -1],
    (list) => (pays(free.filter((step) => list.includes(accountOf(step)))) ? list : null),
    attempts,
  )
  const ofThem = free.filter((step) => needed.includes(accountOf(step)))
  return minimised(ofThem, (list) => (pays(list) ? list : null), attempts)
}

/** 0: of no account. */
function accountOf({ plain }: Step): number {
  return typeof plain.account === 'number' ? plain.account : 0
}
