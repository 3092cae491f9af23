// A request for a listing: in full, or by a template of the catalogue with differences. The current
// price and the address of the backstop are optional.

import type { MarketParams } from '../../core/index.ts'
import { leverageFault } from '../../protocol/admin/leverage-limits.ts'
import {
  type MarketTemplate,
  marketCatalogue,
  reasonOf,
  templateNamed,
} from '../../protocol/admin/market-catalogue.ts'
import type { ListingBody } from '../../protocol/admin/operations/market-requests.ts'
import { formatGrid, parseNearest } from '../../units/decimal.ts'
import { divFloor } from '../../units/rounding.ts'
import { apiError } from '../api-error.ts'
import { closedCheckOf } from '../operations/body-check.ts'
import { listingBody } from '../parameters/market-fields.ts'
import { refusal } from '../refusal.ts'
import type { AdminAnswers, AdminCall } from './admin-operation.ts'

type Written = Readonly<Record<string, unknown>>

/** Completes a listing. Throws an error that names the first missing field. */
export async function wholeListing(call: AdminCall<Written>): Promise<ListingBody> {
  const { template, reason: _, ...requested } = call.request
  const given = Object.fromEntries(Object.entries(requested).filter(([, value]) => value !== null))
  const named = typeof template === 'string' ? templateNamed(template)?.listing : undefined
  const merged: Written = { ...named, ...given }
  const check = closedCheckOf(listingBody)
  // Reports any other missing field before a price is looked up.
  check({ oracle: '1', backstop_address: '1', ...merged }, '')
  const label = `backstop of ${merged.symbol}`
  const whole = {
    ...merged,
    oracle: merged.oracle ?? (await priceOf(call, merged as ListingBody)),
    backstop_address: merged.backstop_address ?? call.operator.ownerlessAddress(label),
  }
  check(whole, '')
  return whole as ListingBody
}

/** Maximum age of a source's price, as for listed markets (PRICE-1). */
const freshMs = 5_000
const micro = { stepValue: 1, stepScale: 6 }
const howToSay =
  'give the price to start with (openperp admin market list … --oracle <price in USD>)'

/** The median of the current prices of the configured sources. */
async function priceOf(call: AdminCall<Written>, body: ListingBody): Promise<string> {
  const missing = (why: string) =>
    apiError('MALFORMED_REQUEST', `oracle is required: ${why}; ${howToSay}`)
  if (call.exchange.sandbox !== null) throw missing('a sandbox has no sources of prices')
  const { unlisted } = await call.operator.prices()
  const words = unlisted.find(({ symbol }) => symbol === body.symbol)?.words ?? []
  const prices = words
    .filter(({ ageMs }) => ageMs <= freshMs)
    .flatMap(({ price }) => {
      const parsed = parseNearest(price, micro)
      return parsed.ok && parsed.value > 0 ? parsed.value : []
    })
    .sort((one, other) => one - other)
  const needed = body.min_sources ?? 2
  if (prices.length < needed)
    throw missing(`${prices.length} sources say a price of ${body.symbol} now, of ${needed} needed`)
  const [least, most] = [prices[0]!, prices.at(-1)!]
  if (prices.length === 2 && (most - least) * 100 > 3 * least)
    throw missing(`the two sources of ${body.symbol} are more than 3 % apart`)
  // With two prices their midpoint is used, as for listed markets.
  const middle = prices.length === 2 ? divFloor(least + most, 2) : prices[(prices.length - 1) >> 1]!
  return formatGrid(middle, micro)
}

/** Throws if the price sources of a venue's market do not allow its leverage. `market`: `null` if
 *  it is not listed yet; the latency of its prices is unknown then. */
export async function requireLeverage(
  { exchange, operator }: Pick<AdminCall<unknown>, 'exchange' | 'operator'>,
  params: MarketParams,
  market: number | null,
): Promise<void> {
  if (exchange.sandbox !== null || operator.leverageOverride(params.symbol) !== null) return
  const { markets } = market === null ? { markets: [] } : await operator.prices()
  const latencyMs = markets.find((each) => each.market === market)?.latencyMs ?? null
  const fault = leverageFault(params, latencyMs)
  if (fault !== null) throw refusal('INVALID_PARAMETER', 'rules', fault)
}

function templateWire({ name, group, about, listing, sources }: MarketTemplate) {
  const reasons = Object.keys(listing).flatMap((field) => {
    const why = reasonOf(group, field)
    return why === '' ? [] : [[field, why] as const]
  })
  const wire = { template: name, group, about, reasons: Object.fromEntries(reasons) }
  return { ...wire, listing: { ...listing }, sources: { ...sources } as Record<string, string> }
}

export const listingAnswers = {
  get_market_templates: () => marketCatalogue.map(templateWire),
} satisfies Partial<AdminAnswers>
