// For how long another process has not answered, though it was asked.

import type { Asking } from '../../sequencer/link/remote-sequencer.ts'

export class Silence {
  /** When it was asked what it has not answered yet. */
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
