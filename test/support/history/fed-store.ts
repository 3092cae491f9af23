// A store in this thread, fed with batches as the history thread would be, and read as the trading
// thread would read it.

import { ChunkWriter } from '../../../src/projections/history/chunk.ts'
import {
  type ReadArgs,
  type ReadName,
  type ReadRow,
  rowsOf,
} from '../../../src/projections/history/reads.ts'
import { HistoryStore, type StoreOptions } from '../../../src/projections/history/store.ts'
import type { Batch } from '../../../src/sequencer/outcome.ts'

export const keepAll = { churn: new Set<string>(), churnRows: 1, trades: 1_000, every: 4_096 }

export class FedStore {
  readonly store: HistoryStore

  constructor(reserved: readonly string[], change: Partial<StoreOptions> = {}) {
    const place = { file: ':memory:', exchange: 'test', journalSeq: Number.MAX_SAFE_INTEGER }
    const small = { stretch: 4, retention: keepAll }
    this.store = new HistoryStore({ ...place, reserved, ...small, ...change })
  }

  /** Several batches to a transaction, as they gather while the thread is busy. */
  feed(batches: readonly Batch[], together = 3): this {
    for (let first = 0; first < batches.length; first += together) {
      const writer = new ChunkWriter()
      for (const { outcomes } of batches.slice(first, first + together)) {
        const base = outcomes[0] === undefined ? 0 : writer.addTexts(outcomes[0].log.texts)
        for (const outcome of outcomes) writer.add(outcome, base)
      }
      this.store.ingest(writer.take())
    }
    return this
  }

  ask<N extends ReadName>(name: N, ...args: ReadArgs<N>): ReadRow<N>[] {
    return rowsOf(name, this.store.read(name, args))
  }

  /** All that it holds, for comparing two stores. */
  everything(addresses: readonly string[]) {
    const all = { market: null, startMs: null, endMs: null, limit: 1e9 }
    const page = { ...all, before: null }
    const minutes = this.ask('recentMinutes', 0)
    const endMs = 1 + 60_000 * minutes.reduce((last, { minute }) => Math.max(last, minute), 0)
    const recent = { startMs: endMs - 3_600_000, endMs, stepMs: 300_000 }
    const span = { startMs: endMs - 86_400_000, endMs, limit: 4_000 }
    const orders = addresses.flatMap((address) => this.ask('orders', address, page))
    return {
      fills: this.ask('positionHistory', { ...all, account: null, offset: 0 }),
      orders,
      orderEvents: orders.map(({ order }) => this.ask('orderEvents', order)),
      trades: this.ask('recentTrades', 1e9),
      minutes,
      liquidations: this.ask('liquidations', page),
      started: addresses.map((address) => this.ask('liquidationStart', address, 1e15).length),
      extremes: [1, 2, 3].map((market) => this.ask('extremes', market, 0)),
      rates: [1, 2, 3, 4, 5].map((market) => this.ask('fundingRates', market, page)),
      payments: addresses.map((address) => this.ask('fundingPayments', address, page)),
      balances: addresses.map((address) => this.ask('balances', address, page)),
      twaps: addresses.flatMap((address) =>
        this.ask('twaps', address, page).map(({ order }) => this.ask('twapSteps', order)),
      ),
      equity: addresses.map((address) => this.ask('equity', address, recent)),
      states: [1, 2, 3].map((market) =>
        this.ask('marketStates', market, { ...span, interval: '30m', before: null }),
      ),
      candles: [1, 2, 3].flatMap((market) =>
        (['1m', '30m', '4h', '1M'] as const).flatMap((interval) =>
          this.ask('candles', market, { kind: 'trade', interval, ...span }),
        ),
      ),
    }
  }
}
