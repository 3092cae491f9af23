// What an entry did, without ids: two histories give the same thing other ids after their first
// difference.

import type { Event } from '../../core/index.ts'
import { kindOf, type Outcome, refusalOf } from '../../sequencer/outcome.ts'

const ids: ReadonlySet<string> = new Set([
  ...['type', 'order', 'account', 'market', 'parent', 'history', 'maker', 'taker', 'makerOrder'],
  ...['takerOrder', 'counterparty', 'first', 'second', 'third', 'algo', 'withdrawal', 'credit'],
  ...['action', 'change', 'from', 'to', 'owner', 'backstop', 'scope'],
])

/** The command's own events and its reactions. Due work before it belongs to no command.
 *  `without`: orders whose events do not count, as does their number. */
export function resultText(
  { log, ownFirst, end }: Outcome,
  without: ReadonlySet<number> | null = null,
): string {
  let text = ''
  for (const event of log.readBetween(ownFirst, end)) {
    if (without !== null && (event.type === 'AllOrdersCancelled' || isOf(event, without))) continue
    text += event.type
    for (const name in event)
      if (!ids.has(name)) text += ` ${event[name as keyof Event] as unknown as string}`
    text += '\n'
  }
  return text
}

/** In one line: refused and why, or the types of its events. */
export function resultLine(outcome: Outcome): string {
  if (kindOf(outcome) !== 'command') return 'done'
  const refusal = refusalOf(outcome)
  if (refusal !== null) return `refused: ${refusal.rejection}`
  const types = outcome.log.readBetween(outcome.ownFirst, outcome.end).map(({ type }) => type)
  const known = [...new Set(types)].map((type) => {
    const count = types.filter((each) => each === type).length
    return count === 1 ? type : `${count} ${type}`
  })
  return known.length === 0 ? 'no effect' : known.join(', ')
}

/** The entry as JSON, without proofs. */
export function commandText({ entry }: Outcome): string {
  if (entry.kind !== 'command') return JSON.stringify({ type: entry.kind, id: entry.id })
  return JSON.stringify(entry.command, (name, value) => (name === 'proof' ? undefined : value))
}

/** Whether the event is of one of these orders or algos. */
export function isOf(event: Event, orders: ReadonlySet<number>): boolean {
  const { order = 0, algo = 0 } = event as { order?: number; algo?: number }
  return orders.has(order) || orders.has(algo)
}
