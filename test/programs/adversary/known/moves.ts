// Moves and scripts in short.

import type { Act, Move, Script, When } from '../script.ts'

export function move(when: When, act: Act, rest: Partial<Move> = {}): Move {
  return { who: 0, other: 1, market: 0, size: 99, price: 50, patience: 99, when, act, ...rest }
}

export function ring(moves: readonly Move[], members = 2, subaccounts = 0): Script {
  return { members, subaccounts, moves }
}
