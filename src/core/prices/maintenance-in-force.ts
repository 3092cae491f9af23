// Combines the maintenance tables into one while a market keeps tiers: at each notional, the row
// with the lowest result (MARGIN-1). For display only; margin itself reads the tables.

import { PPM } from '../../units/units.ts'
import { limits } from '../rules/limits.ts'
import type { Tier } from '../state/market.ts'

export type MaintenanceRow = Pick<Tier, 'fromValue' | 'fractionPpm' | 'deduction'>

/** Exact, including rounding: deductions are integers, so rounding up does not change which row is
 *  lower. */
export function maintenanceInForce(
  tables: readonly (readonly Tier[])[],
): readonly MaintenanceRow[] {
  const starts = [...new Set(tables.flatMap((tiers) => tiers.map(({ fromValue }) => fromValue)))]
  starts.sort((one, other) => one - other)
  const rows: MaintenanceRow[] = []
  for (const [at, start] of starts.entries()) {
    const tiers = tables.map((table) => table.filter((tier) => tier.fromValue <= start).at(-1)!)
    const end = starts[at + 1] ?? limits.moneyMax
    for (let from = start; from < end; ) {
      const { fractionPpm, deduction } = leastAt(tiers, from)
      const last = rows.at(-1)
      if (last?.fractionPpm !== fractionPpm || last.deduction !== deduction)
        rows.push({ fromValue: from, fractionPpm, deduction })
      from = Math.min(...tiers.map((tier) => crossingOf({ fractionPpm, deduction }, tier)))
    }
  }
  return rows
}

type Line = Pick<Tier, 'fractionPpm' | 'deduction'>

/** The row with the lowest result; if equal, the one that rises least. */
function leastAt(tiers: readonly Line[], value: number): Line {
  return tiers.reduce((least, tier) => {
    const more = marginAt(tier, value) - marginAt(least, value)
    return more < 0n || (more === 0n && tier.fractionPpm < least.fractionPpm) ? tier : least
  })
}

/** In millionths of a micro-dollar. */
function marginAt({ fractionPpm, deduction }: Line, value: number): bigint {
  return BigInt(fractionPpm) * BigInt(value) - BigInt(deduction) * BigInt(PPM)
}

/** The value from which `other` is not higher. Infinite if it rises as fast. */
function crossingOf(line: Line, other: Line): number {
  const steeper = BigInt(line.fractionPpm - other.fractionPpm)
  if (steeper <= 0n) return Number.POSITIVE_INFINITY
  const lead = BigInt(line.deduction - other.deduction) * BigInt(PPM)
  return +((lead + steeper - 1n) / steeper).toString()
}
