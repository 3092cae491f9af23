// A venue's prices: the combined feed, pushed prices, and the sources that are polled. Only the
// leader runs them.

import type { Logger } from 'pino'
import type { Config, PriceSourceSetting } from '../../config.ts'
import type {
  PricesBySource,
  PricesOfMarket,
  RefusedPrice,
  SourceStatus,
  UnlistedPrices,
} from '../../gateway/admin/operator.ts'
import type { DisputedPrice } from '../../gateway/exchange.ts'
import { WebSocket } from '../../gateway/packages.ts'
import type { PriceSourceKind } from '../../protocol/admin/price-source-kinds.ts'
import type { SourceExchange } from '../../sources/exchange-port.ts'
import { observed } from '../../sources/prices/observation.ts'
import { PriceFeed, type PushResult, type SourceCount } from '../../sources/prices/price-feed.ts'
import { tickers } from '../../sources/tickers/adapters/all-tickers.ts'
import { httpJsonWith } from '../../sources/tickers/adapters/http-json.ts'
import type { ConnectionParts } from '../../sources/tickers/connection.ts'
import { PriceSource } from '../../sources/tickers/price-source.ts'
import type { Ticker } from '../../sources/tickers/ticker.ts'
import { eventsWire } from '../../sources/tickers/wires/events-wire.ts'
import { pollWire } from '../../sources/tickers/wires/poll-wire.ts'
import { websocketWire } from '../../sources/tickers/wires/websocket-wire.ts'
import { realTimers, type Timers } from '../../sources/timers.ts'
import { LatencyWatch } from './latency-watch.ts'

export type VenuePricesParts = Readonly<{
  config: Pick<Config, 'adminTokens' | 'priceSources' | 'leverageOverrides'>
  exchange: Pick<SourceExchange, 'submit' | 'view'>
  /** Engine time. */
  clock: Readonly<{ now(): number }>
  log: Logger
  fault: (error: unknown) => void
  wall?: () => number
  monotonic?: () => number
  timers?: Timers
  random?: () => number
}>

export class VenuePrices {
  readonly feed: PriceFeed
  private readonly exchange: VenuePricesParts['exchange']
  private readonly wall: () => number
  private readonly reading: readonly PriceSource[]
  private readonly watch: LatencyWatch
  /** Reasons of refused pushes, by token name and symbol. */
  private readonly refusals = new Map<string, Map<string, string>>()
  private disputedNow: readonly DisputedPrice[] = []
  private disputedAt = Number.NEGATIVE_INFINITY

  constructor(parts: VenuePricesParts) {
    const { config, exchange, clock, fault } = parts
    const { wall = Date.now, monotonic = monotonicNow, timers = realTimers } = parts
    this.exchange = exchange
    this.wall = wall
    const pushing = config.adminTokens.filter(({ scopes }) => scopes.includes('prices'))
    const all = [...pushing, ...config.priceSources]
    const weights = new Map(all.map(({ name, weight }) => [name, weight]))
    this.feed = new PriceFeed({
      ...{ exchange, wall, monotonic, weights, fault, timers },
      engineNow: () => clock.now(),
    })
    this.reading = config.priceSources.map((setting) => this.sourceOf(setting, parts))
    const view = () => exchange.view
    this.watch = new LatencyWatch({ config, view, feed: this.feed, log: parts.log, timers })
  }

  /** Called when the exchange has started or this node has become the leader. */
  start(): void {
    this.feed.start()
    this.watch.start()
    for (const source of this.reading) source.start()
  }

  close(): void {
    for (const source of this.reading) source.close()
    this.watch.close()
    this.feed.close()
  }

  /** Adds a price that a token pushed; `observedAtMs` is the source's wall-clock time of the
   *  price. */
  push(source: string, market: number, price: number, observedAtMs: number | null): PushResult {
    const result = this.feed.push(source, market, price, observed(observedAtMs, this.wall()))
    const refused = this.refusals.get(source)
    if (result === 'taken' && refused !== undefined && refused.size > 0)
      refused.delete(this.exchange.view.markets.paramsOf(market).symbol)
    return result
  }

  /** Counts a refused push. Its reason is shown until a price of that market is accepted. */
  refuse(source: string, { symbol, market, reason }: RefusedPrice): void {
    this.feed.refuse(source, market)
    this.remember(source, { symbol, reason })
  }

  /** Stores the newest reason of a source for the market. */
  remember(source: string, { symbol, reason }: Pick<RefusedPrice, 'symbol' | 'reason'>): void {
    const kept = this.refusals.get(source) ?? new Map<string, string>()
    kept.delete(symbol)
    kept.set(symbol, reason)
    if (kept.size > refusalsMax) kept.delete(kept.keys().next().value!)
    this.refusals.set(source, kept)
  }

  bySource(): PricesBySource {
    return { sources: this.sources(), markets: this.markets(), unlisted: this.unlisted() }
  }

  private unlisted(): readonly UnlistedPrices[] {
    const now = this.wall()
    const symbols = new Set(this.reading.flatMap(({ unlisted }) => unlisted))
    return [...symbols].map((symbol) => ({
      symbol,
      words: this.reading.flatMap((source) => {
        const word = source.wordOfUnlisted(symbol)
        if (word === null || !source.unlisted.includes(symbol)) return []
        return { source: source.name, price: word.price, ageMs: now - word.atMs }
      }),
    }))
  }

  sources(): readonly SourceStatus[] {
    const now = this.wall()
    return this.feed.sourceCounts().map((count) => this.statusOf(count, now))
  }

  markets(): readonly PricesOfMarket[] {
    const { markets } = this.exchange.view
    return this.feed.marketWords().map((words) => ({
      ...words,
      apart: apartOf(words.words),
      minSources: markets.paramsOf(words.market).minSources,
    }))
  }

  /** Returns the prices on which the sources disagree now. */
  disputed(): readonly DisputedPrice[] {
    const now = performance.now()
    if (now - this.disputedAt >= disputedMs) {
      this.disputedAt = now
      this.disputedNow = this.markets().flatMap(({ market, price, apart, words }) =>
        apart !== null && apart > apartMax
          ? [{ market, ...rangeOf(words)!, hasPrice: price !== null }]
          : [],
      )
    }
    return this.disputedNow
  }

  /** Returns the status of a source. A token has no connection, so only its pushed prices count. */
  private statusOf(count: SourceCount, now: number): SourceStatus {
    const { source: name, weight, takenAtMs, taken: accepted, refused } = count
    const reading = this.reading.find((each) => each.name === name)
    const health = reading?.health ?? pushed(takenAtMs)
    const { state, heardAtMs, messages, garbage, thinned, clockOff, reconnects, fault } = health
    return {
      name,
      kind: reading?.kind ?? 'push',
      state,
      weight,
      messageAgeMs: heardAtMs === null ? null : now - heardAtMs,
      priceAgeMs: takenAtMs === null ? null : now - takenAtMs,
      messages,
      accepted,
      refused,
      garbage,
      thinned,
      clockOff,
      reconnects,
      fault,
      refusals: reading?.refusals ?? this.refusalsOf(name),
      unlisted: reading?.unlisted ?? [],
    }
  }

  private refusalsOf(source: string): SourceStatus['refusals'] {
    const kept = [...(this.refusals.get(source) ?? [])]
    return kept.map(([symbol, reason]) => ({ markets: [symbol], reason }))
  }

  private sourceOf(setting: PriceSourceSetting, parts: VenuePricesParts): PriceSource {
    const { exchange, log, timers = realTimers, random = Math.random } = parts
    const { wall = Date.now, monotonic = monotonicNow } = parts
    const ticker = tickerOf(setting)
    const wires = {
      websocket: websocketWire(WebSocket),
      events: eventsWire,
      poll: pollWire(timers),
    }
    const settings = { ...setting, url: setting.url ?? ticker.url! }
    const note = noteTo(log, setting.name)
    return new PriceSource(settings, {
      ...{ ticker, wires, exchange, wall, monotonic, timers, random, note },
      feed: this.feed,
    })
  }
}

/** Time in ms for which the disputed prices are cached. */
const disputedMs = 500
const apartMax = 0.01
/** Maximum number of reasons stored per token, to bound memory. */
const refusalsMax = 32

/** Relative distance between the highest and the lowest price in use; `null` for fewer than two. */
function apartOf(words: PricesOfMarket['words']): number | null {
  const range = rangeOf(words)
  return range === null ? null : (range.highest - range.lowest) / range.lowest
}

function rangeOf(words: PricesOfMarket['words']) {
  const counted = words.filter(({ isFresh }) => isFresh).map(({ price }) => price)
  if (counted.length < 2) return null
  return { lowest: Math.min(...counted), highest: Math.max(...counted) }
}

const monotonicNow = () => performance.now()

function tickerOf({ kind, time, symbols }: PriceSourceSetting): Ticker {
  const byKind: Readonly<Record<PriceSourceKind, Ticker>> = tickers
  if (time === null) return byKind[kind]
  const { unit, paths } = time
  const bySymbol = Object.entries(paths).map(([market, path]) => [symbols[market]!, path])
  return httpJsonWith({ unit, paths: Object.fromEntries(bySymbol) })
}

function pushed(heardAtMs: number | null) {
  const none = { messages: 0, garbage: 0, thinned: 0, clockOff: 0, reconnects: 0, fault: null }
  return { ...none, state: 'push', heardAtMs } as const
}

function noteTo(log: Logger, source: string): ConnectionParts['note'] {
  return (what, why) => {
    if (what === 'connected') log.info({ source }, `price source ${source} is connected`)
    else log.warn({ source, why }, `price source ${source}: ${what}: ${why}`)
  }
}
