// `openperp admin prices`: the status of each price source, and its price of each market.

import type { AdminReply } from '../../protocol/admin/admin-api.ts'
import { tableOf } from '../frame/screen.ts'

type Reply = AdminReply<'get_prices'>
type Source = Reply['sources'][number]
type Market = Reply['markets'][number]
type Unlisted = Reply['unlisted'][number]

export function pricesLines({ sources, markets, unlisted }: Reply): readonly string[] {
  if (sources.length === 0)
    return ['no source of prices: priceSources, or a token with the scope prices, makes one']
  const ofMarkets = markets.length === 0 ? [] : ['', ...markets.flatMap(marketLines)]
  const waiting = unlisted.length === 0 ? [] : ['', ...unlisted.map(unlistedLine)]
  return [...sourcesTable(sources), ...ofMarkets, ...waiting, ...remarks(sources)]
}

const seconds = (ms: number | null) => (ms === null ? 'never' : `${Math.round(ms / 100) / 10} s`)

function sourcesTable(sources: readonly Source[]): readonly string[] {
  const heads = ['source', 'kind', 'state', 'weight', 'message', 'price']
  const counts = ['accepted', 'refused', 'garbage', 'thinned', 'clock off', 'reconnects']
  const rows = sources.map((row) => [
    ...[row.source, row.kind, row.state, `${row.weight}`],
    ...[seconds(row.message_age_ms), seconds(row.price_age_ms)],
    ...[row.accepted, row.refused, row.garbage, row.thinned, row.clock_off, row.reconnects].map(
      String,
    ),
  ])
  return tableOf([...heads, ...counts], rows)
}

/** `BTC 105000.5, latency 180 ms, 2 fresh, 2 needed: kraken 105000.25, pyth 105000.5, desk 150000
 *  (7 s, old)`. */
function marketLines(market: Market) {
  const { symbol, price, fresh_sources, min_sources, latency_ms, sources } = market
  const words = sources.map(({ source, price: said, age_ms, timed, fresh }) => {
    const notes = [...(fresh ? [] : [`${seconds(age_ms)}, old`]), ...(timed ? [] : ['no time'])]
    return `${source} ${said}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
  })
  const said = words.length === 0 ? 'no source has a price' : words.join(', ')
  const made = price === null ? 'has no price:' : `${price},`
  const latency = latency_ms === null ? '' : `latency ${latency_ms} ms, `
  const count = `${latency}${fresh_sources} fresh, ${min_sources} needed`
  return [`${symbol} ${made} ${count}: ${said}`, ...apartLines(market)]
}

/** Prices that differ by more than this are not combined (docs/rules/prices.md). */
const apartMax = 3
/** Threshold of the alert. */
const apartWarn = 1

function apartLines({ symbol, price, fresh_sources, apart_percent }: Market): readonly string[] {
  const percent = Number(apart_percent ?? 0)
  if (percent <= apartWarn) return []
  const none = price === null && fresh_sources === 2 && percent > apartMax
  const so = none ? `two that are more than ${apartMax} % apart make no price` : 'find out why'
  return [`${symbol}: the sources disagree by ${apart_percent} %: ${so}`]
}

/** `ETH is not listed, so these count as refused: kraken 3500.25, desk 3500.5`. */
function unlistedLine({ symbol, sources }: Unlisted): string {
  const words = sources.map(({ source, price }) => `${source} ${price}`)
  const said = words.length === 0 ? 'no source has a price' : words.join(', ')
  return `${symbol} is not listed, so these count as refused: ${said}`
}

/** `refused BTC: Currency pair not supported`. */
const refusalText = ({ markets, reason }: Source['refusals'][number]) =>
  `refused${markets.length === 0 ? '' : ` ${markets.join(', ')}`}: ${reason}`

function remarks(sources: readonly Source[]): readonly string[] {
  const lines = sources.flatMap(({ source, state, fault, refusals, unlisted }) => [
    ...refusals.map((refusal) => `${source}: ${refusalText(refusal)}`),
    ...(fault !== null && state !== 'connected' ? [`${source}: ${fault}`] : []),
    ...(unlisted.length > 0 ? [`${source}: not listed: ${unlisted.join(', ')}`] : []),
  ])
  return lines.length === 0 ? [] : ['', ...lines]
}
