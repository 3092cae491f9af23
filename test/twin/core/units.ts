// The units of a command, and the separate units of risk (CORE-5).

import { bookOf } from '../rule-books.ts'
import type { Naive } from '../state.ts'

export function unitsAreUsed(naive: Naive): boolean {
  return naive.units >= bookOf(naive).limits.commandUnits
}

export function riskUnitsAreUsed(naive: Naive): boolean {
  return naive.riskUnits >= bookOf(naive).limits.riskMatchUnits
}
