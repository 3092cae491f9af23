// A configured source. Quotes of its connection are pushed into the price feed, which treats them
// like prices pushed through the admin plane.

import type { ExchangeView } from '../../core/index.ts'
import { parseNearest } from '../../units/decimal.ts'
import { type Observed, observed } from '../prices/observation.ts'
import type { PushResult } from '../prices/price-feed.ts'
import type { Timers } from '../timers.ts'
import { Connection, type ConnectionHealth, type ConnectionParts } from './connection.ts'
import type { Received } from './thinner.ts'
import type { Ticker } from './ticker.ts'
import type { OpenWire } from './wires/wire.ts'

export type SourceSettings = Readonly<{
  name: string
  /** Kind of the source. */
  kind: string
  /** The source's symbol of each market. */
  symbols: Readonly<Record<string, string>>
  url: string
  token: string | null
  everyMs: number
}>

export type PriceSourceParts = Readonly<{
  ticker: Ticker
  wires: Readonly<Record<Ticker['wire'], OpenWire>>
  feed: Readonly<{
    push(source: string, market: number, price: number, seen: Observed): PushResult
  }>
  exchange: Readonly<{ view: ExchangeView }>
  wall: () => number
  monotonic: () => number
  timers: Timers
  random: () => number
  note: ConnectionParts['note']
}>

/** A refusal by the source, and the markets whose symbols it contains. */
export type Refusal = Readonly<{ markets: readonly string[]; reason: string }>

/** Unknown market id and invalid price, both of which the feed counts. */
const noMarket = 0
const noPrice = 0

export class PriceSource {
  readonly name: string
  readonly kind: string
  private readonly parts: PriceSourceParts
  private readonly connection: Connection
  /** Newest prices of markets that are not listed, at most one per configured market. */
  private readonly unlistedWords = new Map<string, Readonly<{ price: string; atMs: number }>>()
  /** Markets by the source's symbol. */
  private readonly markets = new Map<string, string[]>()

  constructor({ name, kind, symbols, ...settings }: SourceSettings, parts: PriceSourceParts) {
    this.name = name
    this.kind = kind
    this.parts = parts
    for (const [market, symbol] of Object.entries(symbols))
      this.markets.set(symbol, [...(this.markets.get(symbol) ?? []), market])
    const { ticker, wires, wall, monotonic, timers, random, note } = parts
    const named = [...this.markets.keys()]
    const url = ticker.addressOf?.(settings.url, named) ?? settings.url
    this.connection = new Connection({
      ...{ ticker, wall, monotonic, timers, random, note },
      symbols: named,
      address: { ...settings, url },
      open: wires[ticker.wire],
      onQuote: (quote) => this.push(quote),
    })
  }

  get health(): ConnectionHealth {
    return this.connection.health
  }

  get refusals(): readonly Refusal[] {
    const named = [...this.markets]
    return this.health.refusals.map((reason) => {
      const markets = named.filter(([symbol]) => names(reason, symbol)).flatMap(([, each]) => each)
      return { markets, reason }
    })
  }

  /** Configured markets that the exchange does not have. */
  get unlisted(): readonly string[] {
    const { markets } = this.parts.exchange.view
    return [...this.markets.values()].flat().filter((name) => markets.named(name) === undefined)
  }

  /** The source's newest price of a market that the exchange does not have; `null` if there is
   *  none. */
  wordOfUnlisted(market: string): Readonly<{ price: string; atMs: number }> | null {
    return this.unlistedWords.get(market) ?? null
  }

  start(): void {
    this.connection.start()
  }

  close(): void {
    this.connection.close()
  }

  private push({ symbol, price, atMs, receivedMs, receivedAt }: Received): void {
    const { feed, exchange, wall, monotonic } = this.parts
    const seen = observed(atMs, receivedMs, monotonic() - receivedAt)
    for (const market of this.markets.get(symbol) ?? []) {
      const found = exchange.view.markets.named(market)
      const id = found?.id ?? noMarket
      if (found === undefined) this.unlistedWords.set(market, { price, atMs: wall() })
      feed.push(this.name, id, found === undefined ? noPrice : microTicks(found, price), seen)
    }
  }
}

/** Whether the text contains the symbol as a whole word: `WBTC` does not contain `BTC`. */
function names(text: string, symbol: string): boolean {
  const [within, word] = [text.toUpperCase(), symbol.toUpperCase()]
  const isInWord = (at: number) => /[A-Z0-9]/.test(within.charAt(at))
  for (let at = within.indexOf(word); at >= 0; at = within.indexOf(word, at + 1))
    if (!isInWord(at - 1) && !isInWord(at + word.length)) return true
  return false
}

type Priced = Readonly<{
  params: Readonly<{ tickSize: Readonly<{ value: number; scale: number }> }>
}>

/** Price in millionths of a tick, rounded to the nearest. */
function microTicks({ params }: Priced, text: string): number {
  const { value, scale } = params.tickSize
  const parsed = parseNearest(text, { stepValue: value, stepScale: scale + 6 })
  return parsed.ok ? parsed.value : noPrice
}
