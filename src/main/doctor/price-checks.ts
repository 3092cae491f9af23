// Compares the price age expected from the settings with the age measured by a running exchange.

import type { Finding } from '../../cli/doctor.ts'
import type { Config } from '../../config.ts'
import { latencySlowMs, slowLeverageMax } from '../../protocol/admin/leverage-limits.ts'
import { latencyWarnMs } from '../../sources/prices/latency.ts'
import { untimedMarkets } from '../prices/latency-watch.ts'

/** Finding about the time of prices; `null` in a sandbox, and if no source is read. */
export function priceTimeFinding(config: Config): Finding | null {
  if (config.mode === 'sandbox' || config.priceSources.length === 0) return null
  const untimed = untimedMarkets(config)
  return {
    what: 'times of prices',
    is: untimed.length === 0 ? 'given by most sources' : `missing for ${untimed.join(', ')}`,
    must:
      'given by most sources of each market (timePath of an http source): a price without one ' +
      'counts as 500 ms old when it comes',
    verdict: untimed.length === 0 ? 'good' : 'warn',
  }
}

type Row = Readonly<{ symbol: string; latency_ms: number | null }>

/** Findings measured by a running exchange with these settings; empty if no exchange answers. */
export async function latencyFindings(config: Config): Promise<readonly Finding[]> {
  if (config.mode === 'sandbox') return []
  const rows = await latenciesOf(config)
  return rows.flatMap(({ symbol, latency_ms: ms }) => (ms === null ? [] : ofMarket(symbol, ms)))
}

export function ofMarket(symbol: string, ms: number): Finding {
  return {
    what: `latency of prices of ${symbol}`,
    is: `${ms} ms (median of the last minute)`,
    must:
      `${latencyWarnMs} ms or less; above ${latencySlowMs} ms a market may have a leverage of ` +
      `${slowLeverageMax} at most`,
    verdict: ms <= latencyWarnMs ? 'good' : 'warn',
  }
}

async function latenciesOf({ adminHost, adminPort, adminTokens }: Config): Promise<readonly Row[]> {
  const token = adminTokens.find(({ scopes }) => scopes.includes('read'))?.token
  if (token === undefined || adminPort === 0) return []
  const at = adminHost === '0.0.0.0' ? '127.0.0.1' : adminHost === '::' ? '::1' : adminHost
  const host = at.includes(':') ? `[${at}]` : at
  try {
    const reply = await fetch(`http://${host}:${adminPort}/prices`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(2_000),
    })
    const body = (await reply.json()) as { data?: { markets?: readonly Row[] } | null }
    return body.data?.markets ?? []
  } catch {
    // No exchange answers there. A separate check examines the ports.
    return []
  }
}
