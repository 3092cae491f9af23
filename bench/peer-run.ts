// The same flow through `nodejs-order-book`, a book without accounts, margin, fees or events. Every
// doubtful choice is made in its favour: its ids are made into text beforehand, its self-trade
// prevention and its journal are off, and only a few fields of its replies are read.

import { OrderBook, type Processed } from 'nodejs-order-book'
import { CANCEL, type Flow, IOC, MODIFY } from './flow.ts'

export class PeerRun {
  /** Lots traded so far; equal to the engine's over the same records. */
  lots = 0
  checksum = 0
  private readonly book = new OrderBook()
  private readonly flow: Flow
  private readonly ids: readonly string[]

  constructor(flow: Flow, ids: readonly string[]) {
    this.flow = flow
    this.ids = ids
    this.run(0, flow.prefill)
  }

  run(from: number, to: number): void {
    const { type } = this.flow
    for (let i = from; i < to; i++) {
      if (type[i] === CANCEL) this.cancel(i)
      else if (type[i] === MODIFY) {
        this.cancel(i)
        this.place(i, 'GTC')
      } else this.place(i, type[i] === IOC ? 'IOC' : 'GTC')
    }
  }

  private cancel(i: number): void {
    const cancelled = this.book.cancel(this.ids[this.flow.order[i] as number] as string)
    if (cancelled === undefined) throw new Error(`peer: no order for record ${i}`)
    this.checksum = (this.checksum + cancelled.order.size) | 0
  }

  private place(i: number, timeInForce: 'GTC' | 'IOC'): void {
    const { flow } = this
    const size = flow.size[i] as number
    const processed: Processed = this.book.limit({
      id: this.ids[flow.order[i] as number] as string,
      side: flow.side[i] === 0 ? 'buy' : 'sell',
      size,
      price: flow.price[i] as number,
      timeInForce,
    })
    if (processed.err !== null) throw new Error(`peer: record ${i}: ${String(processed.err)}`)
    this.lots += size - processed.quantityLeft
    for (const order of processed.done) this.checksum = (this.checksum + order.size) | 0
    if (processed.partial !== null) {
      this.checksum = (this.checksum + processed.partialQuantityProcessed) | 0
    }
  }
}

/** Ids as text, made outside the measured time. */
export function peerIds(flow: Flow): readonly string[] {
  return Array.from({ length: flow.idEnd }, (_, id) => `${id}`)
}
