// A venue's prices: what several sources push per market, combined into one oracle tick every three
// seconds (docs/rules/prices.md). Too few valid sources: no tick, and the market goes stale. A
// price that is none (zero, negative, not a number) is a fault of its source and never a value.

import { type ExchangeView, limits, type MarketId } from '../../core/index.ts'
import { mulDivFloor } from '../../units/rounding.ts'
import { MICRO_PER_TICK, type MicroTicks, PPM } from '../../units/units.ts'
import type { SourceExchange } from '../exchange-port.ts'
import { realTimers, type Timers } from '../timers.ts'

export const tickEveryMs = 3_000
const ageMsMax = 5_000
const distancePpmMax = 30_000
const validMin = 2

/** Prices in millionths of a tick; `atMs` is the wall time at which it came. */
export type Quotation = Readonly<{ price: number; weight: number; atMs: number }>

/** The price of these sources together; null: there is none. */
export function combined(quotations: readonly Quotation[], nowMs: number): number | null {
  const fresh = quotations
    .filter(({ price, atMs }) => isPrice(price) && nowMs - atMs <= ageMsMax)
    .sort((one, other) => one.price - other.price)
  const valid = fresh.filter((_, at) => agreesWithOthers(fresh, at))
  if (valid.length < validMin) return null
  const total = valid.reduce((sum, { weight }) => sum + weight, 0)
  let reached = 0
  for (const { price, weight } of valid) {
    reached += weight
    if (2 * reached >= total) return price
  }
  return null
}

/** Within 3 % of the others' median. Of an even number of others the nearer middle one counts:
 *  with their mean, one wrong source of three would take the two good ones along. */
function agreesWithOthers(sorted: readonly Quotation[], at: number): boolean {
  const { price } = sorted[at]!
  const others = sorted.length - 1
  if (others < 1) return false
  const otherAt = (place: number) => sorted[place < at ? place : place + 1]!.price
  const upper = otherAt(Math.floor(others / 2))
  const lower = otherAt(Math.floor((others - 1) / 2))
  return isNear(price, lower) || isNear(price, upper)
}

function isNear(price: number, median: number): boolean {
  return Math.abs(price - median) <= mulDivFloor(median, distancePpmMax, PPM)
}

/** In millionths of a tick. */
export const oracleMax = limits.oracleTicksMax * MICRO_PER_TICK

export function isPrice(price: unknown): price is number {
  return Number.isSafeInteger(price) && (price as number) >= 1 && (price as number) <= oracleMax
}

type Pushed = Readonly<{ index: Quotation; external: Quotation | null }>
export type PushResult = 'taken' | 'unknown_source' | 'unknown_market' | 'invalid_price'

export type PriceFeedParts = Readonly<{
  exchange: Pick<SourceExchange, 'submit' | 'view'>
  wall: () => number
  /** Weight of each source that may push, by its name. */
  weights: ReadonlyMap<string, number>
  fault: (error: unknown) => void
  timers?: Timers
}>

export class PriceFeed {
  private readonly parts: PriceFeedParts
  private readonly timers: Timers
  /** By market, then source: bounded by the two. */
  private readonly pushed = new Map<number, Map<string, Pushed>>()
  private clear: (() => void) | null = null
  private closed = false

  constructor(parts: PriceFeedParts) {
    for (const [source, weight] of parts.weights)
      if (!Number.isSafeInteger(weight) || weight < 1 || weight > PPM)
        throw new RangeError(`weight of price source ${source}: ${weight}`)
    this.parts = parts
    this.timers = parts.timers ?? realTimers
  }

  /** A source's newest word on a market; an invalid one takes its older word away. */
  push(source: string, market: number, price: number, external: number | null): PushResult {
    const weight = this.parts.weights.get(source)
    if (weight === undefined) return 'unknown_source'
    if (this.parts.exchange.view.markets.get(market) === undefined) return 'unknown_market'
    const ofMarket = this.pushed.get(market) ?? new Map<string, Pushed>()
    this.pushed.set(market, ofMarket)
    if (!isPrice(price) || (external !== null && !isPrice(external))) {
      ofMarket.delete(source)
      return 'invalid_price'
    }
    const atMs = this.parts.wall()
    ofMarket.set(source, {
      index: { price, weight, atMs },
      external: external === null ? null : { price: external, weight, atMs },
    })
    return 'taken'
  }

  start(): void {
    this.clear = this.timers.after(tickEveryMs, () => this.beat())
  }

  close(): void {
    this.closed = true
    this.clear?.()
  }

  /** One tick for every market that has a price now; resolves when they are durable. */
  async tick(): Promise<void> {
    const { exchange } = this.parts
    await Promise.all(this.ticks(exchange.view).map((tick) => exchange.submit(tick)))
  }

  private ticks({ markets }: ExchangeView) {
    const now = this.parts.wall()
    return [...this.pushed]
      .sort(([one], [other]) => one - other)
      .filter(([market]) => markets.get(market)?.settled === false)
      .flatMap(([market, ofMarket]) => {
        const all = [...ofMarket.values()]
        const price = combined(
          all.map(({ index }) => index),
          now,
        )
        if (price === null) return []
        const externals = all.flatMap(({ external }) => (external === null ? [] : [external]))
        const external = combined(externals, now) as MicroTicks | null
        const id = market as MarketId
        return [
          {
            type: 'OracleTick' as const,
            market: id,
            price: price as MicroTicks,
            external,
            jump: false,
          },
        ]
      })
  }

  private beat(): void {
    this.tick().then(
      () => {
        if (!this.closed) this.start()
      },
      (error: unknown) => {
        this.close()
        this.parts.fault(error)
      },
    )
  }
}
