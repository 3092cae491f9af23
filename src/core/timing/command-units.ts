// Limits the work of one command (CORE-5).

import type { State } from '../state/state.ts'

export function hasUnits({ unitsUsed, rules }: Pick<State, 'unitsUsed' | 'rules'>): boolean {
  return unitsUsed < rules.limits.commandUnits
}
