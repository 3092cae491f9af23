// What a market decides about its liquidations (LIQ-9): values that can be met, and some that
// cannot.

import { marketDefaults } from '../../../../src/core/commands/market-params.ts'
import type { Random } from '../random.ts'

const {
  liquidationFeePartPpm,
  liquidationFeePpmMax,
  liquidationConcessionPpm,
  liquidationDryMax,
  liquidationStepMax,
} = marketDefaults

export function liquidationParams(wealth: number, random: Random) {
  return {
    liquidationFeePartPpm: random.pick([liquidationFeePartPpm, 0, 333_333, 500_000]),
    liquidationFeePpmMax: random.pick([liquidationFeePpmMax, 0, 1_001, 250_000]),
    liquidationConcessionPpm: random.pick([liquidationConcessionPpm, 0, 77_777, 1_000_000]),
    liquidationDryMax: random.pick([liquidationDryMax, 1, 2, 100]),
    liquidationStepMax: random.pick([
      liquidationStepMax,
      ...[0, Math.ceil(wealth / 100), Math.ceil(wealth / 7)],
    ]),
  }
}

/** One of them, or a few. */
export function liquidationChange(wealth: number, random: Random): Record<string, unknown> {
  const fields = Object.entries(liquidationParams(wealth, random))
  const kept = fields.filter(() => random.chance(0.4))
  return Object.fromEntries(kept.length > 0 ? kept : [random.pick(fields)])
}

/** One of them, just outside of its bounds. */
export function badLiquidation(random: Random): Record<string, unknown> {
  return random.pick([
    { liquidationFeePartPpm: random.pick([-1, 500_001]) },
    { liquidationFeePpmMax: random.pick([-1, 250_001]) },
    { liquidationConcessionPpm: random.pick([-1, 1_000_001]) },
    { liquidationDryMax: random.pick([0, 101]) },
    { liquidationStepMax: random.pick([-1, 2 ** 52 + 1]) },
  ])
}
