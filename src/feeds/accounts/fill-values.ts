// Values of the fills of open orders, for their average prices; the core keeps only the lots. Fills
// from before this process started, or before a revert, are loaded from history asynchronously.

import type { FeedContext } from '../feed-context.ts'

const retryMs = 1_000

export class FillValues {
  private readonly context: FeedContext
  private readonly whenLoaded: () => void
  private values = new Map<number, number>()
  /** Values added during a query of history; `null` once it has been answered. */
  private late: { seq: number; order: number; value: number }[] | null = null
  private ended: number[] = []
  private loads = 0

  constructor(context: FeedContext, whenLoaded: () => void) {
    this.context = context
    this.whenLoaded = whenLoaded
  }

  of(order: number): number {
    return this.values.get(order) ?? 0
  }

  add(order: number, value: number, seq: number): void {
    this.values.set(order, (this.values.get(order) ?? 0) + value)
    this.late?.push({ seq, order, value })
  }

  /** Removes the order at the end of its command, because rows of the command may still need it. */
  end(order: number): void {
    this.ended.push(order)
  }

  commandEnded(): void {
    if (this.ended.length === 0) return
    for (const order of this.ended) this.values.delete(order)
    this.ended = []
  }

  /** Resolves when history has answered. */
  async load(): Promise<void> {
    const orders = this.context.view.orders.partlyFilled()
    const load = ++this.loads
    this.values = new Map()
    this.late = null
    if (orders.length === 0) return
    this.late = []
    while (load === this.loads) {
      try {
        const { seq, value } = await this.context.history.filledValues(this.context.seq(), orders)
        if (load === this.loads) this.loaded(seq, orders, value)
        return
      } catch {
        // If history lags behind, retry. Until then averages cover only the fills seen since.
        await new Promise((done) => setTimeout(done, retryMs).unref())
      }
    }
  }

  private loaded(asOf: number, orders: readonly number[], found: readonly number[]): void {
    const late = this.late!
    this.late = null
    const live = this.context.view.orders
    orders.forEach((order, at) => {
      if (!live.isLive(order)) return
      const since = late.filter((each) => each.order === order && each.seq > asOf)
      this.values.set(
        order,
        since.reduce((sum, { value }) => sum + value, found[at] ?? 0),
      )
    })
    this.whenLoaded()
  }
}
