// Loads steps of orders that are older than the ones in memory from rows of history.

import type { OrderStepRow } from '../../projections/history/history.ts'
import type { FeedContext } from '../feed-context.ts'
import { windowLimits } from './fact-window.ts'
import { commandsOf, hideUnreleased, type OrderFact } from './facts.ts'
import { isFired, pastTrailing } from './order-options.ts'
import type { ReadPast } from './past-facts.ts'

const limit = windowLimits.perAccount

/** Steps and releases. A release is the first event for readers that could not see the order
 *  before. */
export const pastOrders: ReadPast = async (context, missed) => {
  const rows = await context.history.past.orderStepsAfter({ ...missed, limit: limit + 1 })
  if (rows === null) return null
  const releases = rows.filter(({ late }) => late).length
  if (Math.max(releases, rows.length - releases) > limit) return null
  const known = rows.toReversed().filter(({ seq }) => seq <= missed.until)
  const facts = known.map((row) => factOf(context, row))
  for (const command of commandsOf(facts)) hideUnreleased(command)
  return facts
}

function factOf({ view }: FeedContext, row: OrderStepRow): OrderFact {
  const { order: id, late, waiting, unreleased, seq, atMs, value, createdAt } = row
  const { unitValue } = view.markets.get(row.market)!
  const lots = lotsOf(row)
  const isFill = row.event.startsWith('fulfill_')
  const fillPrice = isFill ? (value - (row.valueBefore ?? 0)) / (lots * unitValue) : 0
  const released = late || (waiting !== 'order' && !unreleased)
  const now = late ? ({ filled: 0, status: 'open' } as const) : null
  const triggerBy = row.triggerBy ?? -1
  const options = { triggerBy, trailing: pastTrailing(row), goesOn: isFired(row) }
  return {
    type: 'order',
    order: { ...row, id, ...options, released, ...now },
    value,
    lots,
    fillPrice,
    parentUnreleased: !late && waiting === 'parent',
    late,
    seq,
    atMs: late ? createdAt : atMs,
  }
}

/** Lots placed, filled or cancelled by this step; 0 for the later steps of a stop. */
function lotsOf(row: OrderStepRow): number {
  const { late, event, lots, filled, filledBefore, cancelled, cancelledBefore, stopPrice } = row
  if (late || filledBefore === null) return lots
  if (event.startsWith('fulfill_')) return filled - filledBefore
  return stopPrice === null ? cancelled - cancelledBefore! : 0
}
