// Measures for how long another process has not answered a call.

import type { Asking } from '../../sequencer/link/remote-sequencer.ts'

export class Silence {
  /** Time of the call that it has not answered yet. */
  private askedAt: number | null = null

  /** Asks it again. */
  ms(calls: Asking): number {
    this.askedAt ??= performance.now()
    const { askedAt } = this
    calls.ask('here').then(
      () => {
        this.askedAt = null
      },
      () => undefined,
    )
    return performance.now() - askedAt
  }
}
