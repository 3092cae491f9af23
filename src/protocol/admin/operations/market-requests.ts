// Requests that list or change a market. The gateway validates them with the limits of the engine.

import { formatDecimal } from '../../../units/decimal.ts'
import {
  type ChangeableName,
  marketParameters,
  parameterNames,
  parameterOf,
} from '../../../words/market-parameters.ts'
import { address, decimal, optional, symbol } from '../../schemas/field-types.ts'
import { parameterSchemas, type Range } from '../../schemas/markets/parameters.ts'
import { type Static, type TSchema, Type } from '../../schemas/typebox.ts'
import { templateNames } from '../market-catalogue.ts'

/** Defaults of a listing, as an operator writes them. */
export const listingDefaults = Object.fromEntries(
  parameterNames.flatMap((name) => {
    const { wire, unit, initial } = parameterOf(name)
    if (initial === undefined) return []
    if (unit === 'ppm') return [[wire, formatDecimal(initial, 4)]]
    return [[wire, unit === 'quote' ? formatDecimal(initial, 6) : initial]]
  }),
)

type RangeOf = (name: ChangeableName) => Range

/** A whole listing, with the current price and the address of the backstop. */
export function listingSchema(rangeOf: RangeOf) {
  const schemas = changeSchemas(rangeOf)
  const mayLack = [...Object.keys(listingDefaults), 'risk_tiers', 'owner_interest_max']
  return Type.Object({
    ...schemas,
    ...Object.fromEntries(mayLack.map((name) => [name, optionally(schemas)[name]!])),
    symbol: Type.String({ minLength: 1, maxLength: 32, pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' }),
    base_asset: Type.String({ minLength: 1, maxLength: 32 }),
    tick_size: decimal(marketParameters.tickSize.about),
    lot_size: decimal(marketParameters.lotSize.about),
    isolated_only: Type.Boolean(),
    oracle: decimal('Initial index price'),
    backstop_address: address(marketParameters.backstopAddress.about),
  })
}
export type ListingBody = Static<ReturnType<typeof listingSchema>>

const optionally = (schemas: Readonly<Record<string, TSchema>>) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, optional(schema)]))

const changeSchemas = (rangeOf: RangeOf) =>
  parameterSchemas((name) => {
    const { wire, about } = parameterOf(name)
    const usual = listingDefaults[wire]
    const description = usual === undefined ? about : `${about} (default: ${usual})`
    return { description, range: rangeOf(name) }
  })

/** Returns the schema of a nullable field without the null alternative. */
const innerOf = (schema: TSchema) =>
  (schema as unknown as { anyOf?: readonly TSchema[] }).anyOf?.[0] ?? schema

/** The request schemas by operation. */
export function marketRequests(rangeOf: RangeOf) {
  const { properties } = listingSchema(rangeOf)
  const change = Type.Object(optionally(changeSchemas(rangeOf)))
  const described = (field: 'oracle' | 'backstop_address', description: string) =>
    optional(Type.String({ ...(properties[field] as object), description }))
  return {
    list_market: Type.Object({
      template: optional(
        Type.Enum([...templateNames], {
          description: 'Name in the catalogue; other fields given here override it',
        }),
      ),
      ...Object.fromEntries(
        Object.entries(properties).map(([name, schema]) => [name, optional(innerOf(schema))]),
      ),
      oracle: described(
        'oracle',
        'Index price to start with (default: the current price of the sources)',
      ),
      backstop_address: described(
        'backstop_address',
        'Of its backstop account (default: an address without a key)',
      ),
    }),
    preview_market_change: Type.Object({ symbol, change }),
    change_market: Type.Object({
      symbol,
      change,
      immediate: optional(
        Type.Boolean({
          description:
            'A raised initial margin takes effect immediately, raised maintenance after 1 hour ' +
            'instead of 24; a change that raises nothing always takes effect immediately',
        }),
      ),
    }),
  }
}
