// Waits until history has caught up with the journal, and logs the progress. At a start the port is
// still closed during this time, and a follower falls behind.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { OpenHistory } from '../projections/history/create-history.ts'

const reportEveryMs = 5_000

type Reading = Pick<OpenHistory, 'backlog' | 'drained'>

/** Resolves when history has stored everything fed so far, or has failed. */
export async function waitForHistory(
  history: Reading,
  log: Pick<Logger, 'warn'>,
  everyMs = reportEveryMs,
): Promise<void> {
  const started = performance.now()
  const first = history.backlog()
  let isDrained = false
  const drained = history.drained().then(() => {
    isDrained = true
  })
  const ended = new AbortController()
  for (;;) {
    // Cancelled in `finally`, and not awaited after that.
    const reportDue = sleep(everyMs, null, { signal: ended.signal }).catch(() => undefined)
    await Promise.race([drained, reportDue])
    if (isDrained) return ended.abort()
    log.warn(progressOf(first, history.backlog(), performance.now() - started))
  }
}

function progressOf(first: number, left: number, ms: number): string {
  const read = first - left
  const seconds = Math.ceil((left * ms) / Math.max(1, read) / 1_000)
  const about = read === 0 ? '' : `, about ${seconds} s to go`
  return `waiting for history: ${read} of ${first} lines are read${about}`
}
