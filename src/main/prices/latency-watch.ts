// Logs the age of a venue's prices: at the start, sources that cannot report a time; later, markets
// whose prices are slow.

import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { ExchangeView } from '../../core/index.ts'
import { leverageFault } from '../../protocol/admin/leverage-limits.ts'
import { latencyWarnMs } from '../../sources/prices/latency.ts'
import type { PriceFeed } from '../../sources/prices/price-feed.ts'
import type { Timers } from '../../sources/timers.ts'

export const watchEveryMs = 60_000

type Sources = Pick<Config, 'priceSources'>

/** Returns markets in which sources with at least half of the weight cannot report the time of a
 *  price. Pushing tokens count as able to report it, because this is not known before they push. */
export function untimedMarkets({ priceSources }: Sources): readonly string[] {
  const markets = new Set(priceSources.flatMap(({ symbols }) => Object.keys(symbols)))
  return [...markets].filter((market) => {
    const sources = priceSources.filter(({ symbols }) => Object.hasOwn(symbols, market))
    const weightOf = (some: typeof sources) => some.reduce((sum, { weight }) => sum + weight, 0)
    const timed = sources.filter(
      ({ kind, time }) => kind !== 'http' || time?.paths[market] !== undefined,
    )
    return 2 * weightOf(timed) <= weightOf(sources)
  })
}

export type LatencyWatchParts = Readonly<{
  config: Sources & Pick<Config, 'leverageOverrides'>
  view: () => ExchangeView
  feed: Pick<PriceFeed, 'latencyOf'>
  log: Logger
  timers: Timers
}>

export class LatencyWatch {
  private readonly parts: LatencyWatchParts
  /** Markets that were slow at the last check. */
  private slow = new Set<string>()
  private clear: () => void = () => undefined

  constructor(parts: LatencyWatchParts) {
    this.parts = parts
  }

  start(): void {
    const { config, log } = this.parts
    for (const market of untimedMarkets(config))
      log.warn(
        { market },
        `most sources of ${market} give no time of their prices: each counts as 500 ms old when ` +
          'it comes (timePath of an http source)',
      )
    this.arm()
  }

  close(): void {
    this.clear()
  }

  private arm(): void {
    this.clear = this.parts.timers.after(watchEveryMs, () => {
      this.check()
      this.arm()
    })
  }

  /** Logs each slow market once, until it recovers. */
  private check(): void {
    const { view, feed, log, config } = this.parts
    const now = new Set<string>()
    for (const { id, params, settled } of view().markets.all()) {
      const latencyMs = settled ? null : feed.latencyOf(id)
      if (latencyMs === null || latencyMs <= latencyWarnMs) continue
      const { symbol: market } = params
      now.add(market)
      if (this.slow.has(market)) continue
      const slow = `prices of ${market} are slow: median latency ${latencyMs} ms in the last minute`
      const fault = leverageFault(params, latencyMs)
      if (fault === null || Object.hasOwn(config.leverageOverrides, market))
        log.warn({ market, latencyMs }, `${slow}, maximum ${latencyWarnMs} ms`)
      else log.error({ market, latencyMs }, `${slow}; ${fault}`)
    }
    this.slow = now
  }
}
