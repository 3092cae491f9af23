// Where an `http` source has the time of a price: `timePath`, one JSON pointer for all markets or
// one by market, and `timeUnit`.

import {
  type PriceSourceKind,
  priceSourceKinds,
  type TimeUnit,
  timeUnits,
} from '../protocol/admin/price-source-kinds.ts'
import { ConfigError } from './config-error.ts'

/** By market the JSON pointer of the time. */
export type SourceTime = Readonly<{ paths: Readonly<Record<string, string>>; unit: TimeUnit }>

type Given = Readonly<{
  path: unknown
  unit: unknown
  symbols: Readonly<Record<string, string>>
}>

export function timeOf(at: string, kind: PriceSourceKind, given: Given): SourceTime | null {
  const { path, unit, symbols } = given
  if (path === undefined && unit === undefined) return null
  if (kind !== 'http')
    throw new ConfigError(`${at}.timePath and .timeUnit are for http; ${kind} has its own times`)
  if (path === undefined) throw new ConfigError(`${at}.timeUnit needs ${at}.timePath`)
  const known = timeUnits.find((each) => each === (unit ?? 'ms'))
  if (known === undefined)
    throw new ConfigError(
      `${at}.timeUnit must be one of ${timeUnits.join(', ')}, not ${JSON.stringify(unit)}`,
    )
  return Object.freeze({ paths: pathsOf(`${at}.timePath`, path, symbols), unit: known })
}

function pathsOf(at: string, given: unknown, symbols: Given['symbols']) {
  const markets = Object.keys(symbols)
  if (isPointer(given)) return Object.fromEntries(markets.map((market) => [market, given]))
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  const entries = isObject ? Object.entries(given) : []
  const strange = entries.find(([market, path]) => !markets.includes(market) || !isPointer(path))
  if (entries.length > 0 && strange === undefined)
    return Object.fromEntries(entries as [string, string][])
  throw new ConfigError(
    `${at} must be the JSON pointer of the time, such as "/time", or one for each market of ` +
      `symbols, such as {"${markets[0]}":"/data/0/time"}, not ${JSON.stringify(given)}`,
  )
}

const isPointer = (given: unknown): given is string =>
  typeof given === 'string' && given.length <= 200 && priceSourceKinds.http.symbol.test(given)
