// The setting `priceSources`: the sources that a venue reads prices from. Each kind has its own
// form of symbols and addresses, so that a mistake is found at the start and not by a stale market.

import {
  type PriceSourceKind,
  priceSourceKindNames,
  priceSourceKinds,
} from '../protocol/admin/price-source-kinds.ts'
import { ConfigError } from './config-error.ts'
import { type SourceTime, timeOf } from './price-source-time.ts'

export type PriceSourceSetting = Readonly<{
  kind: PriceSourceKind
  /** What it is called among all that give prices. */
  name: string
  /** By market: what the source calls it. */
  symbols: Readonly<Record<string, string>>
  /** Weight of its prices among those of others. */
  weight: number
  /** Null: where the kind usually is. */
  url: string | null
  token: string | null
  /** Polling interval of an `http` source. */
  everyMs: number
  /** Where an `http` source has the time of a price; null: it gives none. */
  time: SourceTime | null
}>

const fields = [
  'kind',
  'name',
  'symbols',
  'weight',
  'url',
  'token',
  'everyMs',
  'timePath',
  'timeUnit',
] as const
type Given = Readonly<Partial<Record<(typeof fields)[number], unknown>>>

const sourcesMax = 32
const marketsMax = 64
const weightMax = 1_000
/** A price counts for five seconds, and one answer may be lost. */
const everyMs = { least: 250, most: 2_000, standard: 250 } as const
const marketName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/

/** In a variable or a flag: the same as JSON text. */
export function readPriceSources(from: string, given: unknown): readonly PriceSourceSetting[] {
  const items = typeof given === 'string' ? jsonOf(from, given) : given
  const wanted = 'a list such as [{"kind":"binance","symbols":{"BTC":"BTCUSDT"}}]'
  if (!Array.isArray(items)) throw new ConfigError(`${from} must be ${wanted}`)
  if (items.length > sourcesMax) throw new ConfigError(`${from} must be ${sourcesMax} at most`)
  return items.map((item, index) => sourceOf(`${from}[${index}]`, item))
}

function jsonOf(from: string, text: string): unknown {
  if (text === '') return []
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ConfigError(`${from} must be JSON: ${(error as Error).message}`)
  }
}

function sourceOf(at: string, item: unknown): PriceSourceSetting {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw new ConfigError(`${at} must be an object such as {"kind":"binance","symbols":{…}}`)
  const strange = Object.keys(item).find((name) => !fields.some((field) => field === name))
  if (strange !== undefined)
    throw new ConfigError(`${at} has no field ${strange}; there are ${fields.join(', ')}`)
  const given: Given = item
  const kind = priceSourceKindNames.find((each) => each === given.kind)
  if (kind === undefined)
    throw wrong(`${at}.kind`, `one of ${priceSourceKindNames.join(', ')}`, given.kind)
  const symbols = symbolsOf(`${at}.symbols`, kind, given.symbols)
  return {
    kind,
    name: nameOf(`${at}.name`, given.name ?? kind),
    symbols,
    weight: wholeOf(`${at}.weight`, given.weight ?? 1, { least: 1, most: weightMax }),
    url: urlOf(`${at}.url`, kind, given.url),
    token: tokenOf(`${at}.token`, kind, given.token),
    everyMs: everyMsOf(`${at}.everyMs`, kind, given.everyMs),
    time: timeOf(at, kind, { path: given.timePath, unit: given.timeUnit, symbols }),
  }
}

function nameOf(at: string, given: unknown): string {
  if (typeof given === 'string' && /^[\w.-]{1,64}$/.test(given)) return given
  throw wrong(at, '1 to 64 letters, digits, dots, dashes and underscores', given)
}

function symbolsOf(at: string, kind: PriceSourceKind, given: unknown) {
  const { symbol, example } = priceSourceKinds[kind]
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  const entries = isObject ? Object.entries(given) : []
  if (entries.length === 0 || entries.length > marketsMax)
    throw new ConfigError(
      `${at} must name 1 to ${marketsMax} markets, each with what ${kind} calls it, ` +
        `such as {"BTC":"${example}"}`,
    )
  for (const [market, name] of entries) {
    if (!marketName.test(market))
      throw new ConfigError(`${at}: ${JSON.stringify(market)} is not a market symbol`)
    if (typeof name !== 'string' || name.length > 200 || !symbol.test(name))
      throw wrong(`${at}.${market}`, `what ${kind} calls it, such as ${example}`, name)
  }
  return Object.freeze(Object.fromEntries(entries as [string, string][]))
}

/** What is given may hold a key, so no message has it. */
function urlOf(at: string, kind: PriceSourceKind, given: unknown): string | null {
  if (given === undefined && kind !== 'http') return null
  const { schemes } = priceSourceKinds[kind]
  const isAddress = typeof given === 'string' && URL.canParse(given)
  if (isAddress && schemes.some((scheme) => new URL(given).protocol === scheme)) return given
  const wanted = schemes.map((scheme) => `${scheme}//`).join(' or ')
  const needed = kind === 'http' ? ' (required)' : ''
  throw new ConfigError(`${at} must be an address that begins with ${wanted}${needed}`)
}

function tokenOf(at: string, kind: PriceSourceKind, given: unknown): string | null {
  if (given === undefined) return null
  if (priceSourceKinds[kind].schemes[0] !== 'https:')
    throw new ConfigError(`${at} is for pyth and http; ${kind} needs none`)
  if (typeof given === 'string' && /^[!-~]{1,4096}$/.test(given)) return given
  throw new ConfigError(`${at} must be letters, digits and signs without spaces`)
}

function everyMsOf(at: string, kind: PriceSourceKind, given: unknown): number {
  if (given !== undefined && kind !== 'http')
    throw new ConfigError(`${at} is for http; ${kind} streams its prices`)
  return wholeOf(at, given ?? everyMs.standard, everyMs)
}

type Bounds = Readonly<{ least: number; most: number }>

function wholeOf(at: string, given: unknown, { least, most }: Bounds): number {
  if (Number.isSafeInteger(given) && (given as number) >= least && (given as number) <= most)
    return given as number
  throw wrong(at, `a whole number from ${least} to ${most}`, given)
}

const wrong = (at: string, wanted: string, given: unknown) =>
  new ConfigError(`${at} must be ${wanted}, not ${JSON.stringify(given)}`)
