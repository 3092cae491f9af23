// The queries of history, sent to a store in another thread.

import { dayMinutes, minuteMs, type Recent, tapeLength } from '../../market-statistics.ts'
import { type AllHistory, historyOf } from '../history-of.ts'
import { type HistoryRead, type ReadArgs, type ReadName, type ReadRow, rowsOf } from '../reads.ts'
import { type Ask, longWaitMs } from './waiting-reads.ts'

export type RemoteHistory = Readonly<{
  history: AllHistory
  recent(seq: number, atMs: number): Promise<Recent>
  /** Executes one read and returns the seq of its answer. Waits up to `longWaitMs`. */
  asOf<N extends ReadName>(
    seq: number,
    name: N,
    ...args: ReadArgs<N>
  ): Promise<Readonly<{ seq: number; rows: readonly ReadRow<N>[] }>>
}>

export function remoteHistory(ask: Ask): RemoteHistory {
  return {
    history: historyOf(async (seq, name, ...args) => {
      const { packs } = await ask(seq, [{ name, args }])
      return rowsOf(name, packs[0]!)
    }),
    recent: (seq, atMs) => recentOf(ask, seq, atMs),
    asOf: async (seq, name, ...args) => {
      const answer = await ask(seq, [{ name, args }], longWaitMs)
      return { seq: answer.seq, rows: rowsOf(name, answer.packs[0]!) }
    },
  }
}

/** Reads both as of the same seq, so that later outcomes can be added. */
async function recentOf(ask: Ask, seq: number, atMs: number): Promise<Recent> {
  const since = Math.floor(atMs / minuteMs) - dayMinutes
  const reads: readonly HistoryRead[] = [
    { name: 'recentTrades', args: [tapeLength] },
    { name: 'recentMinutes', args: [since] },
  ]
  const answer = await ask(seq, reads, longWaitMs)
  return {
    seq: answer.seq,
    trades: rowsOf('recentTrades', answer.packs[0]!),
    minutes: rowsOf('recentMinutes', answer.packs[1]!),
  }
}
