// The queries of history, for a store in this thread or in another one.

import { type ReadArgs, type ReadName, type ReadRow, readNames } from './reads.ts'

/** Answers a read when the store has reached `seq`. */
export type Rows = <N extends ReadName>(
  seq: number,
  name: N,
  ...args: ReadArgs<N>
) => Promise<readonly ReadRow<N>[]>

/** Reads that return one value, or `null` if there is none. */
const single = [
  ...(['orderOfClientId', 'beginning', 'extremes', 'tradedAt', 'liquidationStart'] as const),
]
type Single = (typeof single)[number]

/** Every read first waits until history has reached `seq`. After the wait (default: 250 ms) it
 *  rejects with HistoryBehind. */
export type AllHistory = {
  readonly [N in ReadName]: (
    seq: number,
    ...args: ReadArgs<N>
  ) => Promise<N extends Single ? ReadRow<N> | null : readonly ReadRow<N>[]>
}

export function historyOf(rows: Rows): AllHistory {
  const ask =
    (name: ReadName) =>
    async (seq: number, ...args: readonly unknown[]) => {
      const found = await rows(seq, name, ...(args as never))
      return (single as readonly ReadName[]).includes(name) ? (found[0] ?? null) : found
    }
  return Object.fromEntries(readNames.map((name) => [name, ask(name)])) as unknown as AllHistory
}
