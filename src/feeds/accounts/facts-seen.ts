// Filters the facts of a command, or of a list, by what the reader may see.

import { isSeen, type Sight, seenEvent, withSeenLinks } from '../../projections/sight.ts'
import type { Fact } from './facts.ts'

export function factsSeen<F extends Fact>(facts: readonly F[], sight: Sight): readonly F[] {
  if (sight === 'all') return facts.filter((fact) => fact.type !== 'order' || !fact.late)
  const legs = sight === 'resting' ? legsIn(facts) : null
  return facts.flatMap((fact) => {
    if (fact.type !== 'order') return [fact]
    const { order, parentUnreleased } = fact
    const isHidden = legs?.has(order.id) === true
    if (isHidden || !isSeen(sight, { ...order, unreleased: !order.released })) return []
    const linked = withSeenLinks(sight, order, () => parentUnreleased)
    const event = seenEvent(sight, order.event)
    return linked === order && event === order.event
      ? [fact]
      : [{ ...fact, order: { ...linked, event } }]
  })
}

/** Orders that became legs of an OCO later in the same command. */
function legsIn(facts: readonly Fact[]): ReadonlySet<number> {
  const legs = facts.filter((fact) => fact.type === 'order' && fact.order.oco !== null)
  return new Set(legs.map((fact) => (fact.type === 'order' ? fact.order.id : 0)))
}
