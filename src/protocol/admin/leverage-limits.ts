// Maximum leverage of a venue's market, depending on its price sources. Checked at startup and by
// the admin plane; it is not a rule of the exchange. An operator may override it for a market, with
// a reason (setting `leverageOverrides`).

export const singleSourceLeverageMax = 5
export const slowLeverageMax = 20
/** Median latency in ms above which prices are slow. */
export const latencySlowMs = 1_000

type Market = Readonly<{ symbol: string; leverageMax: number; minSources: number }>

/** Why the market may not have its leverage; `null` if it may. `latencyMs` is `null` if unknown. */
export function leverageFault(market: Market, latencyMs: number | null): string | null {
  const { symbol, leverageMax, minSources } = market
  const hint = `to allow it, name ${symbol} in leverageOverrides with a reason, and restart`
  if (minSources < 2 && leverageMax > singleSourceLeverageMax)
    return (
      `max_leverage of ${symbol} is ${leverageMax}, and one source of prices suffices there: the ` +
      `maximum is ${singleSourceLeverageMax} unless min_sources is 2 or more; ${hint}`
    )
  if (latencyMs !== null && latencyMs > latencySlowMs && leverageMax > slowLeverageMax)
    return (
      `max_leverage of ${symbol} is ${leverageMax}, and the median latency of its prices is ` +
      `${latencyMs} ms: the maximum is ${slowLeverageMax} above ${latencySlowMs} ms; ${hint}`
    )
  return null
}
