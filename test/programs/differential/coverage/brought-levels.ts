// What became of levels that came with a stop (TRIG-13).

import type { Command } from '../../../../src/core/commands/commands.ts'
import type { Event } from '../../../../src/core/events/event-fields.ts'
import type { State } from '../../../../src/core/state/state.ts'

export const wantedOfLevels = [
  'a stop with levels',
  'levels of a stop go over to its order',
  'levels of a stop armed',
  'levels that ended with a stop',
  'levels that ended with a refused stop',
] as const

export function* levelCircumstances(
  command: Command,
  events: readonly Event[],
  state: State,
): Generator<(typeof wantedOfLevels)[number]> {
  const made = new Set<number>()
  const refused = new Set<number>()
  let last = 0
  for (const event of events) {
    if (event.type === 'StopPlaced' && state.triggers.get(event.parent)?.parent === 0)
      yield 'a stop with levels'
    if (event.type === 'OrderPlaced' && event.origin === 'trigger') {
      made.add(event.order)
      if (state.attached.has(event.order)) yield 'levels of a stop go over to its order'
    }
    if (event.type === 'StopArmed' && made.has(state.triggers.get(event.order)?.parent ?? 0))
      yield 'levels of a stop armed'
    if (event.type === 'StopTriggered') refused.add(event.order)
    if (event.type !== 'OrderCancelled') continue
    if (event.reason !== 'parent_ended') last = event.order
    else if (refused.has(last)) yield 'levels that ended with a refused stop'
    else if (command.type === 'CancelStop') yield 'levels that ended with a stop'
  }
}
