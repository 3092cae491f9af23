// What happened to an account before memory begins: the facts of a channel, made from rows of
// history, for readers that come back after a restart.

import type { BalanceRow, FillRow, TwapRow } from '../../projections/history/history.ts'
import type { FeedContext, PastKind, PastQuery, PastRows } from '../feed-context.ts'
import { windowLimits } from './fact-window.ts'
import type { Fact, FillFact, TwapFact } from './facts.ts'
import type { Watch } from './watch.ts'

/** Facts after `from` and up to `until`. */
export type Missed = Omit<PastQuery, 'limit'>

/** Oldest first; null: there are more than are kept, or history does not have all of them. */
export type ReadPast = (context: FeedContext, query: Missed) => Promise<readonly Fact[] | null>

/** Facts of an account before memory begins, and up to where. */
export type Recalled = Readonly<{
  watch: Watch
  until: number
  sinceMs: number | null
  facts: readonly Fact[]
}>

/** What a reader missed; null: it begins with what happens from now on. */
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

/** `factOf` gives null for a row that is not of the channel. */
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

/** `contentOf` gives null for a row that the channel does not report. */
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
