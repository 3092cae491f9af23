// Market parameters in the units of operators: decimals for prices, sizes and dollars, percent for
// fractions.

import {
  type ChangeableName,
  changeableNames,
  type marketParameters,
  type ParameterUnit,
  parameterOf,
  type RiskPath,
} from '../../../words/market-parameters.ts'
import { decimal } from '../field-types.ts'
import { type Static, type TSchema, Type } from '../typebox.ts'

export type Range = Readonly<{ minimum?: number; maximum?: number }>

const tiers = (description: string, { maximum: maxItems }: Range) =>
  Type.Array(
    Type.Object({
      from_value: decimal(
        'Notional in USD from which the tier applies; increasing from tier to tier',
      ),
      max_leverage: Type.Integer({
        minimum: 1,
        description:
          'Maximum leverage of the part above from_value; decreasing from tier to tier, ' +
          'below max_leverage of the market',
      }),
    }),
    maxItems === undefined ? { description } : { description, maxItems },
  )
const whole = (description: string, range: Range) => Type.Integer({ ...range, description })

type SchemaOf<U extends ParameterUnit> = U extends 'tiers'
  ? ReturnType<typeof tiers>
  : U extends 'whole'
    ? ReturnType<typeof whole>
    : ReturnType<typeof decimal>

type Rows = typeof marketParameters
export type ParameterSchemas = {
  [N in ChangeableName as Rows[N]['wire']]: SchemaOf<Rows[N]['unit']>
}

type Written = Readonly<{ description: string; range: Range }>

/** The schemas by wire name; `about` returns the description of each. */
export function parameterSchemas(about: (name: ChangeableName) => Written): ParameterSchemas {
  const schemas = changeableNames.map((name): [string, TSchema] => {
    const { wire, unit } = parameterOf(name)
    const { description, range } = about(name)
    if (unit === 'tiers') return [wire, tiers(description, range)]
    return [wire, unit === 'whole' ? whole(description, range) : decimal(description)]
  })
  return Object.fromEntries(schemas) as unknown as ParameterSchemas
}

/** An announced change, with the names and units of the operator's POST /markets/change. */
export const marketChange = Type.Partial(
  Type.Object(parameterSchemas((name) => ({ description: parameterOf(name).about, range: {} }))),
)

type Nested<P extends string> = P extends `${infer Head}.${infer Rest}`
  ? { [K in Head]: Nested<Rest> }
  : { [K in P]: unknown }
type All<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer A) => void
  ? A
  : never

/** Builds the schema of /info/risk. A missing parameter does not compile. */
export function showingParameters<T extends TSchema>(
  schema: T & (Static<T> extends All<Nested<RiskPath>> ? unknown : never),
): T {
  return schema
}
