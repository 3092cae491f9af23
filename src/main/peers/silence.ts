// Measures for how long another process has not answered a call.

import type { Asking } from '../../sequencer/link/remote-sequencer.ts'

export class Silence {
  /** Time of the call that it has not answered yet. */
  private requestedAt: number | null = null

  /** Sends another call, and returns how long the oldest pending one has waited. */
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
