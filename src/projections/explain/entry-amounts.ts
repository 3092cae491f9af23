// Common parts of the steps of an order's margin check, cross and isolated.

import type { OrderEntry } from '../../core/index.ts'
import { feeOf } from '../../units/fee.ts'
import { mulPpmCeil, mulPpmFloor } from '../../units/rounding.ts'
import type { Ppm, Quote } from '../../units/units.ts'
import { type Step, step, usd } from './explanation.ts'

/** Numbers recorded with the refusal. */
export type Recorded = Readonly<{ first: number; second: number }>

/** Initial margin (MARGIN-1), with the deductions of lower tiers. */
export function initialOf({ tiers }: OrderEntry, notional: number) {
  let [at, deduction] = [0, 0]
  while (at + 1 < tiers.length && tiers[at + 1]!.fromValue <= notional) {
    const { fromValue, fractionPpm } = tiers[at + 1]!
    deduction += mulPpmFloor(fromValue, fractionPpm - tiers[at]!.fractionPpm)
    at += 1
  }
  const tier = tiers[at]!
  return { tier, deduction, margin: mulPpmCeil(notional, tier.fractionPpm) - deduction }
}

export const feeOn = (value: number, takerPpm: Ppm): number =>
  value > 0 ? feeOf(value as Quote, takerPpm) : 0

export function requiredStep(entry: OrderEntry, required: number, recorded: number): Step {
  const { requirements } = entry.elsewhere
  return step({
    rule: 'MARGIN-4',
    formula: 'required = Σ requirements with the order',
    inputs: {
      'this market': usd(required - requirements),
      'other markets': usd(requirements),
    },
    result: required,
    recorded,
    text: usd,
  })
}
