// Describes what an order waited for, and what released it: the end of its speed bump, or a tick
// whose price was observed after the order arrived (ORDER-3). The continuing order of a triggered
// stop runs again with each such tick (TRIG-3).

import type { Event, EventOf } from '../../../core/index.ts'
import { timeOf } from '../explanation.ts'
import type { Found } from '../past.ts'

type Placed = EventOf<'OrderPlaced'>
type Line = Readonly<{ what: string; rule: string }>

/** Whether the order runs until its position is closed, as the order of a reduce-only market stop
 *  does. */
export function goesOn({ origin, reduceOnly, orderType }: Placed): boolean {
  return origin === 'trigger' && reduceOnly && orderType === 'market'
}

/** The event that placed an order; `null` for a stop, or if the event is no longer in the
 *  journal. */
export function placingOf(life: readonly Found[], id: number): Found | null {
  const isPlacing = ({ events, at }: Found) => {
    const event = events[at]!
    return event.type === 'OrderPlaced' && event.order === id
  }
  return life.find(isPlacing) ?? null
}

/** Describes what a placed order waits for; empty if it runs in the same command. */
export function waitText(placed: Placed): string {
  const more = goesOn(placed) ? '; the rest is retried until the position is closed' : ''
  if (!placed.waiting) return more
  return `, waits at the speed bump and then for a price observed after its arrival${more}`
}

/** Describes why the order runs in this command; `null` if this is not the first event of a run. */
export function runLine(found: Found, life: readonly Found[], id: number): Line | null {
  const placing = placingOf(life, id)
  if (placing === null || found.seq === placing.seq) return null
  const placed = placing.events[placing.at] as Placed
  if (!placed.waiting && !goesOn(placed)) return null
  const runs = life.filter((each) => isRun(each.events[each.at]!, id))
  if (runs.find(({ seq }) => seq === found.seq) !== found) return null
  const isFirst = runs[0] === found && placed.waiting
  const cause = causeOf(found, placed.market)
  return isFirst
    ? { what: `released${cause}`, rule: 'ORDER-3' }
    : { what: `retried${cause}`, rule: 'TRIG-3' }
}

const ranInto: ReadonlySet<EventOf<'OrderCancelled'>['reason']> = new Set([
  'post_only_rejected',
  'self_trade_prevented',
  'margin',
  'open_interest',
] as const)

/** Whether the event is part of an order's run against the book. */
function isRun(event: Event, id: number): boolean {
  if (event.type === 'Traded') return event.takerOrder === id
  if (event.type === 'OrderRested') return true
  return event.type === 'OrderCancelled' && ranInto.has(event.reason)
}

function causeOf({ entry, seq }: Found, market: number): string {
  if (entry.kind !== 'command') return ''
  const { command } = entry
  if (command.type === 'Tick') return ': the speed bump is over'
  if (command.type !== 'OracleTick' || command.market !== market) return ''
  const { observedAtMs } = command
  return observedAtMs === null
    ? ` by the tick of seq ${seq}: the price is in force`
    : ` by the tick of seq ${seq}: the price was observed at ${timeOf(observedAtMs)}`
}
