// What one command may look at and change (CORE-5).

import type { State } from '../state/state.ts'

export function hasUnits({ unitsUsed, rules }: Pick<State, 'unitsUsed' | 'rules'>): boolean {
  return unitsUsed < rules.limits.commandUnits
}
