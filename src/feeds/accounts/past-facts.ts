// Loads the facts of an account that are older than the ones in memory. Facts of a channel are made
// from rows of history, for readers that reconnect after a restart.

import type { BalanceRow, FillRow, TwapRow } from '../../projections/history/history.ts'
import type { FeedContext, PastKind, PastQuery, PastRows } from '../feed-context.ts'
import { windowLimits } from './fact-window.ts'
import type { Fact, FillFact, TwapFact } from './facts.ts'
import type { Watch } from './watch.ts'

/** Facts after `from` and up to `until`. */
export type Missed = Omit<PastQuery, 'limit'>

/** Returns the facts, oldest first; `null` if there are more than the limit, or if history does
 *  not have all of them. */
export type ReadPast = (context: FeedContext, query: Missed) => Promise<readonly Fact[] | null>

/** Facts of an account from history, and the sequence number up to which they reach. */
export type Recalled = Readonly<{
  watch: Watch
  until: number
  sinceMs: number | null
  facts: readonly Fact[]
}>

/** The facts that a reader missed; `null` if it starts with new events. */
export function missedFacts(
  watch: Watch,
  from: number | null,
  recalled: Recalled | null,
): readonly Fact[] | null {
  if (recalled === null) return from === null ? null : watch.facts.after(from)
  const facts = [...recalled.facts, ...watch.facts.after(recalled.until)]
  const { sinceMs } = recalled
  return sinceMs === null ? facts : facts.filter(({ atMs }) => atMs >= sinceMs)
}

const limit = windowLimits.perAccount

/** `factOf` returns null for rows that do not belong to the channel. */
function past<K extends PastKind>(
  kind: K,
  factOf: (context: FeedContext, row: PastRows[K]) => Fact | null,
): ReadPast {
  return async (context, missed) => {
    const rows = await context.history.past[kind]({ ...missed, limit: limit + 1 })
    if (rows === null || rows.length > limit) return null
    const facts: Fact[] = []
    for (const row of rows.toReversed()) {
      const fact = row.seq > missed.until ? null : factOf(context, row)
      if (fact !== null) facts.push(fact)
    }
    return facts
  }
}

export const pastFills = past('fillsAfter', ({ view }, row: FillRow): FillFact => {
  const { account: _, counterparty, ...fill } = row
  return { type: 'fill', ...fill, counterparty: view.accounts.idOf(counterparty) }
})

/** `contentOf` returns null for rows that the channel does not report. */
export function pastTransfers(contentOf: (row: BalanceRow) => unknown): ReadPast {
  return past('ledgerAfter', (_, row) => {
    const content = contentOf(row)
    if (content === null) return null
    const { seq, atMs } = row
    return { type: 'channel', channel: 'accountTransfers', content, seq, atMs }
  })
}

export const pastTwaps = past('twapsAfter', (_, row: TwapRow): TwapFact => {
  const { order: id, initialLots: lots, past: done, filledLots: filled, filledValue: value } = row
  const { seq, atMs, event, status } = row
  const twap = { ...row, id, lots, done, filled, value, updatedAt: atMs }
  return { type: 'twap', twap, event, status, seq, atMs }
})
