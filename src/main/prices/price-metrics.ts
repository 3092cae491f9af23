// Metrics of price sources: the status of each source, and the number of fresh sources per market.

import type { ExchangeView } from '../../core/index.ts'
import type { PricesOfMarket, SourceStatus } from '../../gateway/admin/operator.ts'
import { Counter, Gauge, type Registry } from '../../gateway/packages.ts'
import { freshMsMax } from '../../sources/prices/combined.ts'
import type { VenuePrices } from './venue-prices.ts'

type MetricSpec<Row> = Readonly<{ name: string; help: string; read(row: Row): number | null }>

const gauges: readonly MetricSpec<SourceStatus>[] = [
  {
    name: 'openperp_price_source_connected',
    help: '1 if the source is connected, or its last pushed price is still used',
    read: ({ state, priceAgeMs }) =>
      Number(
        state === 'push' ? priceAgeMs !== null && priceAgeMs <= freshMsMax : state === 'connected',
      ),
  },
  {
    name: 'openperp_price_source_message_age_seconds',
    help: 'Time since the last message from the source; absent before the first',
    read: ({ messageAgeMs }) => (messageAgeMs === null ? null : messageAgeMs / 1_000),
  },
  {
    name: 'openperp_price_source_price_age_seconds',
    help: 'Time since the last accepted price of the source; absent before the first',
    read: ({ priceAgeMs }) => (priceAgeMs === null ? null : priceAgeMs / 1_000),
  },
]

const counters: readonly MetricSpec<SourceStatus>[] = [
  {
    name: 'openperp_price_source_messages_total',
    help: 'Messages received over connections',
    read: ({ messages }) => messages,
  },
  {
    name: 'openperp_price_source_accepted_total',
    help: 'Accepted prices',
    read: ({ accepted }) => accepted,
  },
  {
    name: 'openperp_price_source_refused_total',
    help: 'Invalid prices, and prices of markets that are not listed',
    read: ({ refused }) => refused,
  },
  {
    name: 'openperp_price_source_garbage_total',
    help: 'Malformed or unexpected messages',
    read: ({ garbage }) => garbage,
  },
  {
    name: 'openperp_price_source_thinned_total',
    help: 'Messages skipped because too many arrived',
    read: ({ thinned }) => thinned,
  },
  {
    name: 'openperp_price_source_clock_off_total',
    help: 'Prices whose timestamp was more than 10 s off the clock of this machine',
    read: ({ clockOff }) => clockOff,
  },
  {
    name: 'openperp_price_source_reconnects_total',
    help: 'Lost connections and failed attempts to connect',
    read: ({ reconnects }) => reconnects,
  },
]

const ofMarkets: readonly MetricSpec<PricesOfMarket>[] = [
  {
    name: 'openperp_price_fresh_sources',
    help: 'Number of sources whose price for the market is currently in use',
    read: ({ words }) => words.filter(({ isFresh }) => isFresh).length,
  },
  {
    name: 'openperp_price_needed_sources',
    help: 'Minimum number of fresh sources for a price of the market',
    read: ({ minSources }) => minSources,
  },
  {
    name: 'openperp_oracle_latency_seconds',
    help: 'Median age of the price of the market in the last minute; absent until it is known',
    read: ({ latencyMs }) => (latencyMs === null ? null : latencyMs / 1_000),
  },
  {
    name: 'openperp_price_sources_apart_ratio',
    help: 'Distance of the highest from the lowest price in use; absent if fewer than two are',
    read: ({ apart }) => apart,
  },
  {
    name: 'openperp_price_untimed_sources',
    help: 'Sources that are used now and send no timestamp with the price of the market',
    read: ({ words }) => words.filter(({ isFresh, isTimed }) => isFresh && !isTimed).length,
  },
]

export function addPriceMetrics(
  registry: Registry,
  prices: VenuePrices,
  view: () => ExchangeView,
): void {
  const registers = [registry]
  const labelNames = ['source', 'kind']
  for (const { name, help, read } of gauges)
    new Gauge({
      ...{ name, help, labelNames, registers },
      collect() {
        this.reset()
        for (const row of prices.sources()) {
          const value = read(row)
          if (value !== null) this.set({ source: row.name, kind: row.kind }, value)
        }
      },
    })
  for (const { name, help, read } of counters)
    new Counter({
      ...{ name, help, labelNames, registers },
      collect() {
        this.reset()
        for (const row of prices.sources())
          this.inc({ source: row.name, kind: row.kind }, read(row) ?? 0)
      },
    })
  for (const { name, help, read } of ofMarkets)
    new Gauge({
      ...{ name, help, registers, labelNames: ['market'] },
      collect() {
        this.reset()
        for (const row of prices.markets()) {
          const { symbol } = view().markets.paramsOf(row.market)
          const value = read(row)
          if (value !== null) this.set({ market: symbol }, value)
        }
      },
    })
}
