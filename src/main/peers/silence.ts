// Measures for how long another process has not answered a call.

import type { Asking } from '../../sequencer/link/remote-sequencer.ts'

export class Silence {
  /** Time of the oldest unanswered call; `null` if every call was answered. */
  private requestedAt: number | null = null

  /** Sends a call, and returns how long the oldest unanswered call has waited. */
  ms(calls: Asking): number {
    this.requestedAt ??= performance.now()
    const { requestedAt } = this
    calls.ask('here').then(
      () => {
        this.requestedAt = null
      },
      () => undefined,
    )
    return performance.now() - requestedAt
  }
}
