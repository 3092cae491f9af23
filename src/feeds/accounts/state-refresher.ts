// Refreshes states that change with the marks, such as equity and liquidation prices: each once per
// second, in slices.

import type { Watch } from './watch.ts'
import type { Watches } from './watches.ts'

const refreshMs = 50
const slices = 20

export class StateRefresher {
  private readonly watches: Watches
  private readonly timer: NodeJS.Timeout
  private unrefreshed: Watch[] = []

  /** `run` is called every 50 ms. */
  constructor(watches: Watches, run: () => void) {
    this.watches = watches
    this.timer = setInterval(run, refreshMs).unref()
  }

  refreshSlice(): void {
    if (this.unrefreshed.length === 0) this.unrefreshed = [...this.watches.all()]
    const count = Math.ceil(this.watches.size / slices)
    for (const watch of this.unrefreshed.splice(0, count)) watch.stateChanged()
    this.watches.forget(performance.now())
  }

  refreshAll(): void {
    for (const watch of this.watches.all()) watch.stateChanged()
  }

  close(): void {
    clearInterval(this.timer)
  }
}
